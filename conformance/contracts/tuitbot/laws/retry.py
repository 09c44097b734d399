"""Retry Semantics: retryable follows from the code, whoever answers it and whatever the caller says."""

from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.tuitbot.beside import let_through_at_some_time
from conformance.judge.law import law
from conformance.judge.retrying import consistent, like, retryable
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import Judgement

WISH = "retryable"


@law("TB-RETRY-01")
def a_code_is_retryable_everywhere_or_nowhere(history: History, _: Contract) -> Iterator[Judgement]:
    """Each error has the retryable that the first error with its code had."""
    yield from consistent(history.calls())


@law("TB-RETRY-02")
def a_callers_wish_is_nothing(history: History, contract: Contract) -> Iterator[Judgement]:
    """An error has the retryable that its tool gives with its code, also where the call itself names retryable."""
    served = let_through_at_some_time(history, contract)
    plain: dict[tuple[str | None, str | None], Exchange] = {}
    wishing: list[Exchange] = []
    for call in history.calls():
        if call.code is None or retryable(call) is None:
            continue
        if _wishes(call):
            wishing.append(call)
        else:
            plain.setdefault((call.tool, call.code), call)
    for call in wishing:
        other = plain.get((call.tool, call.code))
        if other is not None and served.beside(call) is not None:
            yield like(call, other)


def _wishes(call: Exchange) -> bool:
    """Whether the request names retryable anywhere, with a boolean."""
    params = call.request.get("params") if isinstance(call.request, dict) else None
    waiting: list[Json] = [call.arguments, params.get("_meta") if isinstance(params, dict) else None]
    while waiting:
        found = waiting.pop()
        if isinstance(found, dict):
            if isinstance(found.get(WISH), bool):
                return True
            waiting += found.values()
        elif isinstance(found, list):
            waiting += found
    return False
