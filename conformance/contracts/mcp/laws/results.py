"""MC-CALL-01, -02, -03, -07, -09, -10: how a call is answered."""

from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.contract.dialect import satisfies, seems_valid
from conformance.contract.schema import why
from conformance.judge.judgements import breach, holds, told
from conformance.judge.law import exchange_law, law
from conformance.judge.served import served
from conformance.judge.windows import key_of
from conformance.model.events import Json
from conformance.model.exchange import Exchange, decoded
from conformance.model.history import History
from conformance.model.verdict import HELD, Judgement

INTERNAL = -32603
OF_THE_REQUEST = (-32700, -32600, -32601, -32602, -32020, -32021, -32022)
"""Codes that refuse the request itself, before any tool ran."""
UNAUTHENTICATED = (401, 403, 429)


@law("MC-CALL-01")
def structured_content_satisfies_the_output_schema(history: History, contract: Contract) -> Iterator[Judgement]:
    """A successful result of a tool with an outputSchema has structuredContent that satisfies it."""
    listed = served(history, contract)
    for call in history.accepted():
        tool = listed.tool(call)
        if tool is None or not isinstance(tool.output_schema, dict) or not _complete(call):
            continue
        result = call.result or {}
        if "structuredContent" not in result:
            yield breach(
                f"{call.tool} has an outputSchema, and its result no structuredContent", call, pointer="/result"
            )
            continue
        content = result["structuredContent"]
        valid = seems_valid(tool.output_schema, content) or satisfies(tool.output_schema, content, formats=False)
        if valid is not None:
            said = "" if valid else why(tool.output_schema, content)
            yield holds(valid, f"structuredContent of {call.tool}: {said}", call, pointer="/result/structuredContent")


def _complete(call: Exchange) -> bool:
    """Whether the answer is the result, rather than a question back or a task's handle."""
    return call.result is not None and call.result.get("resultType", "complete") == "complete"


@exchange_law("MC-CALL-02")
def structured_content_is_also_text(call: Exchange, _: Contract) -> Iterator[Judgement]:
    """A result with structuredContent also has a text block that is its JSON, equal to it."""
    if call.method != "tools/call" or call.result is None or "structuredContent" not in call.result:
        return
    blocks = call.result.get("content")
    texts = [block.get("text") for block in blocks if isinstance(block, dict)] if isinstance(blocks, list) else []
    wanted = call.result["structuredContent"]
    found = any(isinstance(text, str) and _is_json_of(text, wanted) for text in texts)
    yield holds(
        found,
        f"no text block of {call.tool}'s result is the JSON of its structuredContent",
        call,
        pointer="/result/content",
        got=texts[:1],
    )


def _is_json_of(text: str, wanted: Json) -> bool:
    value = decoded(text)
    # What is no JSON comes back as itself: a bare text is not the JSON of the same string.
    return bool(value == wanted) and not (isinstance(value, str) and value == text)


@law("MC-CALL-03")
def an_unknown_tool_is_a_protocol_error(history: History, contract: Contract) -> Iterator[Judgement]:
    """A call of a tool that is not listed is refused with a protocol error."""
    listed = served(history, contract)
    for call in history.calls():
        if listed.unknown(call) and call.received is not None and call.status not in UNAUTHENTICATED:
            yield holds(
                call.refused and call.result is None,
                f"the unknown tool {call.tool!r}: {_how(call)}",
                call,
                expected="a JSON-RPC error",
            )


def _how(call: Exchange) -> str:
    return "a result with isError" if call.refused and call.result is not None else told(call)


@law("MC-CALL-07")
def a_failing_tool_answers_a_result(history: History, contract: Contract) -> Iterator[Judgement]:
    """A listed tool that fails answers a result with isError, not a protocol error."""
    listed = served(history, contract)
    for call in history.calls():
        if not call.refused or listed.tool(call) is None or call.protocol_code in OF_THE_REQUEST:
            continue
        if call.result is not None:
            yield HELD
        elif call.protocol_code is not None and call.status not in UNAUTHENTICATED:
            yield breach(
                f"{call.tool} failed with JSON-RPC error {call.protocol_code}",
                call,
                pointer="/error/code",
                got=call.protocol_code,
            )


@law("MC-CALL-09")
def the_server_goes_on(history: History, _: Contract) -> Iterator[Judgement]:
    """After a failed call its connection answers the next, and not with an internal error to what works otherwise."""
    known = {key_of(call) for call in history.accepted()}
    by_connection: dict[str, list[Exchange]] = {}
    for call in history.calls():
        by_connection.setdefault(call.connection.id, []).append(call)
    for calls in by_connection.values():
        for place, call in enumerate(calls):
            if call.accepted or (call.received is None and call.unanswered is None):
                continue
            if call.unanswered == "lost" and call.connection.transport == "stdio":
                yield breach(f"the server ended at the call of {call.tool}", call)
                continue
            later = next((other for other in calls[place + 1 :] if _after(call, other)), None)
            if later is None or (later.received is None and later.unanswered != "lost"):
                continue
            spoiled = later.protocol_code == INTERNAL and key_of(later) in known
            ok = later.received is not None and not spoiled
            yield holds(
                ok, f"after {call.tool} ({told(call)}) the next call, of {later.tool}: {told(later)}", call, later
            )


def _after(call: Exchange, other: Exchange) -> bool:
    """Whether a call was sent when the other was over: answered, or given up."""
    return call.before(other) if call.received is not None else call.unanswered is not None and other.sent > call.sent


@law("MC-CALL-10")
def a_call_is_answered_in_time(history: History, _: Contract) -> Iterator[Judgement]:
    """Every call is answered within the time limit of the run."""
    limit_ms = history.header.limits.call_timeout_ms if history.header is not None else None
    for call in history.calls():
        if call.unanswered == "time":
            yield breach(f"{call.tool} got no answer within {limit_ms} ms", call, expected=limit_ms)
        elif call.received is not None and limit_ms is not None:
            took = (call.received - call.sent) // 1000
            yield holds(took <= limit_ms, f"{call.tool} took {took} ms", call, expected=limit_ms, got=took)
