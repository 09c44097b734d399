"""Section 6, and what all answers share: failures, request ids, instants."""

from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.contract.dialect import seems_valid
from conformance.contracts.threads.payloads import FIELDS
from conformance.judge.faults import INTERNAL
from conformance.judge.instants import in_utc
from conformance.judge.judgements import MISSING, breach, holds, told
from conformance.judge.law import exchange_law, law
from conformance.judge.served import served
from conformance.model.events import Json
from conformance.model.exchange import INVALID_PARAMS, UNAUTHORIZED_STATUS, Exchange
from conformance.model.history import History
from conformance.model.verdict import Judgement

METHODS = tuple(FIELDS)
METHOD_NOT_FOUND = -32601
ERROR = ("code", "message", "request_id")
RESULTS = ("message_id", "messages", "summary", "created_at", "recorded_at", "triggered_at")
"""Keys that only a method that was served can fill."""
INSTANTS = ("created_at", "updated_at", "recorded_at", "triggered_at", "deferred_until")


@law("TH-ENV-01", compares="call")
def a_failure_has_code_message_and_request_id(history: History, contract: Contract) -> Iterator[Judgement]:
    """A failure has an error whose code, message and request_id are texts that are not empty, and no result.

    An error of JSON-RPC is accepted in its place where the arguments break the tool's schema, and where the caller
    cancelled the call. An internal error is judged by TH-SRV-03.
    """
    for call in history.calls(*METHODS):
        if not call.refused or call.raw is not None or call.withdrawn:
            continue
        if call.error is not None:
            if call.protocol_code != INTERNAL and not _bad_arguments(call, history, contract):
                yield breach(f"a failure is no {{error: ...}}, but {told(call)}", call, pointer="/error")
        elif call.envelope is None:
            if call.status != UNAUTHORIZED_STATUS or call.connection.binding == "http":
                yield breach("a failure that has no error", call, pointer="/error", got=MISSING)
        else:
            yield _whole(call, call.envelope)


def _bad_arguments(call: Exchange, history: History, contract: Contract) -> bool:
    """Whether a call was refused for arguments that break the schema, or for a tool that is not listed."""
    if call.protocol_code not in (INVALID_PARAMS, METHOD_NOT_FOUND):
        return call.status == UNAUTHORIZED_STATUS
    tool = served(history, contract).tool(call)
    return tool is None or seems_valid(tool.input_schema, call.arguments) is not True


def _whole(call: Exchange, envelope: dict[str, Json]) -> Judgement:
    error = envelope.get("error")
    given = error if isinstance(error, dict) else {}
    wrong = next((name for name in ERROR if not (isinstance(given.get(name), str) and given[name].strip())), "")
    beside = next((name for name in RESULTS if name in envelope), "")
    if beside:
        return breach(f"an error with {beside} beside it", call, pointer=f"/{beside}", got=envelope[beside])
    got = given.get(wrong, MISSING)
    return holds(not wrong, f"the error's {wrong} is {got!r}", call, pointer=f"/error/{wrong}", got=got)


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
