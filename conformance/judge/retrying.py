"""What errors say of trying again: the contract's catalogue has it, and it follows from the code alone."""

from collections.abc import Iterable, Iterator, Mapping

from conformance.contract.catalogue import ErrorCode
from conformance.judge.judgements import holds
from conformance.model.exchange import Exchange
from conformance.model.verdict import Judgement

POINTER = "/error/retryable"


def retryable(call: Exchange) -> bool | None:
    """What a refusal says, None where it says neither true nor false."""
    error = call.envelope.get("error") if call.refused and call.envelope is not None else None
    given = error.get("retryable") if isinstance(error, dict) else None
    return given if isinstance(given, bool) else None


def as_catalogued(calls: Iterable[Exchange], errors: Mapping[str, ErrorCode]) -> Iterator[Judgement]:
    """Each refusal with a code of the catalogue says what the catalogue says of it."""
    for call in calls:
        given, known = retryable(call), errors.get(call.code or "")
        if given is not None and known is not None and known.retryable is not None:
            saw = f"{call.tool} answers {call.code} with retryable {str(given).lower()}"
            yield holds(given is known.retryable, saw, call, pointer=POINTER, expected=known.retryable, got=given)


def consistent(calls: Iterable[Exchange]) -> Iterator[Judgement]:
    """Each refusal says what the first one with its code said."""
    firsts: dict[str, Exchange] = {}
    for call in calls:
        given = retryable(call)
        if given is None or call.code is None:
            continue
        first = firsts.setdefault(call.code, call)
        if first is not call:
            yield like(call, first)


def like(call: Exchange, other: Exchange) -> Judgement:
    """Two refusals with one code say the same."""
    given, expected = retryable(call), retryable(other)
    saw = (
        f"{call.tool} answers {call.code} with retryable {str(given).lower()}, "
        f"{other.tool} with {str(expected).lower()}"
    )
    return holds(given is expected, saw, other, call, pointer=POINTER, expected=expected, got=given)
