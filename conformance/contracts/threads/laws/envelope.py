"""Section 6, and what all answers share: failures, request ids, instants."""

from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.threads.payloads import FIELDS
from conformance.judge.envelope import mirrored
from conformance.judge.instants import in_utc
from conformance.judge.judgements import MISSING, breach, holds
from conformance.judge.law import exchange_law, law
from conformance.model.events import Json
from conformance.model.exchange import UNAUTHORIZED_STATUS, Exchange
from conformance.model.history import History
from conformance.model.verdict import Judgement

METHODS = tuple(FIELDS)
ERROR = ("code", "message", "request_id")
RESULTS = ("message_id", "messages", "summary", "created_at", "recorded_at", "triggered_at")
"""Keys that only a method that was served can fill."""
INSTANTS = ("created_at", "updated_at", "recorded_at", "triggered_at", "deferred_until")


@exchange_law("TH-ENV-01", *METHODS)
def a_failure_has_code_message_and_request_id(call: Exchange, _: Contract) -> Iterator[Judgement]:
    """A failure has an error whose code, message and request_id are texts that are not empty, and no result."""
    if not call.refused or call.raw is not None or call.error is not None:
        return
    if call.envelope is None:
        if call.status != UNAUTHORIZED_STATUS:
            yield breach("a failure that has no error", call, pointer="/error", got=MISSING)
        return
    error = call.envelope.get("error")
    given = error if isinstance(error, dict) else {}
    wrong = next((name for name in ERROR if not (isinstance(given.get(name), str) and given[name].strip())), "")
    beside = next((name for name in RESULTS if name in call.envelope), "")
    if beside:
        yield breach(f"an error with {beside} beside it", call, pointer=f"/{beside}", got=call.envelope[beside])
    else:
        got = given.get(wrong, MISSING)
        yield holds(not wrong, f"the error's {wrong} is {got!r}", call, pointer=f"/error/{wrong}", got=got)


@law("TH-ENV-02")
def request_ids_tell_requests_apart(history: History, _: Contract) -> Iterator[Judgement]:
    """No two failures of an instance have one request_id, unless it is the x-request-id that the caller sent."""
    first: dict[tuple[str, str], Exchange] = {}
    for call in history.calls(*METHODS):
        request_id = _request_id(call)
        if request_id is None or (call.asked is not None and request_id == call.asked.headers.get("x-request-id")):
            continue
        other = first.setdefault((call.instance, request_id), call)
        saw = f"request_id {request_id!r} was given to an earlier call"
        yield holds(other is call, saw, other, call, pointer="/error/request_id", got=request_id)


def _request_id(call: Exchange) -> str | None:
    error = call.envelope.get("error") if call.refused and call.envelope is not None else None
    given = error.get("request_id") if isinstance(error, dict) else None
    return given if isinstance(given, str) and given else None


@exchange_law("TH-ENV-03", *METHODS)
def timestamps_are_utc_instants(call: Exchange, _: Contract) -> Iterator[Judgement]:
    """Every timestamp of an answer is an RFC 3339 instant in UTC."""
    if not call.accepted:
        return
    for pointer, value in _timestamps(call):
        yield holds(in_utc(value) is not None, f"{pointer} is {value!r}", call, pointer=pointer, got=value)


def _timestamps(call: Exchange) -> Iterator[tuple[str, Json]]:
    """Those that the document names, with their places; what callers wrote into messages is none."""
    messages = call.given.get("messages")
    places = [("", call.given)]
    places += [(f"/messages/{n}", message) for n, message in enumerate(messages if isinstance(messages, list) else [])]
    for place, holder in places:
        for name in INSTANTS if isinstance(holder, dict) else ():
            if holder.get(name) is not None:
                yield f"{place}/{name}", holder[name]


@exchange_law("TH-ENV-04", *METHODS)
def is_error_mirrors_the_envelope(call: Exchange, _: Contract) -> Iterator[Judgement]:
    """The flag isError is true exactly where the answer has an error."""
    yield from mirrored(call)
