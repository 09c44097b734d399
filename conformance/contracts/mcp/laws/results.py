"""MC-CALL-01, -02, -10: how a call is answered."""

from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.contract.dialect import opinion, seems_valid
from conformance.contract.schema import why
from conformance.contracts.mcp.laws.definitions import no_output_schema
from conformance.contracts.mcp.laws.toolless import or_no_tools
from conformance.judge.judgements import breach, holds, unjudged
from conformance.judge.law import exchange_law, law
from conformance.judge.served import served
from conformance.model.depth import deeper
from conformance.model.ending import if_large
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.texts import decoded
from conformance.model.verdict import HELD, Judgement

COMPARED = 200
"""Levels to which structuredContent and its text are compared."""
PROGRESS = "notifications/progress"


@law("MC-CALL-01", absent=or_no_tools(no_output_schema), compares="call")
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
        if seems_valid(tool.output_schema, content):
            yield HELD
            continue
        told_of_it = opinion(tool.output_schema, content, formats=False)
        if told_of_it.valid is None:
            yield unjudged(f"structuredContent of {call.tool} (call {call.call}): {told_of_it.why}")
        else:
            said = "" if told_of_it.valid else why(tool.output_schema, content, formats=False)
            saw = f"structuredContent of {call.tool}: {said or 'it breaks the outputSchema'}"
            yield holds(told_of_it.valid, saw, call, pointer="/result/structuredContent")


def _complete(call: Exchange) -> bool:
    """Whether the answer is the result, rather than a question back or a task's handle."""
    return call.result is not None and call.result.get("resultType", "complete") == "complete"


def _no_structure(history: History, contract: Contract) -> str:
    """That tools neither promise structuredContent nor were seen to give any, as far as they accepted a call."""
    given = ["structuredContent" in (call.result or {}) for call in history.accepted()]
    why = no_output_schema(history, contract)
    return f"{why}, and no answer has structuredContent" if why and given and not any(given) else ""


@exchange_law("MC-CALL-02", absent=or_no_tools(_no_structure))
def structured_content_is_also_text(call: Exchange, _: Contract) -> Iterator[Judgement]:
    """A result with structuredContent also has a text block that is its JSON, equal to it."""
    if call.method != "tools/call" or call.result is None or "structuredContent" not in call.result:
        return
    blocks = call.result.get("content")
    texts = [block.get("text") for block in blocks if isinstance(block, dict)] if isinstance(blocks, list) else []
    wanted = call.result["structuredContent"]
    flat = [text for text in texts if isinstance(text, str) and text.count("[") + text.count("{") < COMPARED]
    if any(_is_json_of(text, wanted) for text in flat):
        yield HELD
        return
    if deeper(wanted, COMPARED):
        yield unjudged(f"structuredContent of {call.tool} (call {call.call}) is nested deeper than {COMPARED}")
        return
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


@law("MC-CALL-10")
def a_call_is_answered_in_time(history: History, _: Contract) -> Iterator[Judgement]:
    """Every call is answered within the time limit of the run.

    The time begins again with each progress notification, and with each answer to an earlier request on the same
    connection, as some servers do one thing after another. Time in which the suite itself was late does not count.
    """
    limit_ms = history.header.limits.call_timeout_ms if history.header is not None else None
    for call in history.calls():
        if call.unanswered == "time":
            yield breach(f"{call.tool} got no answer within {limit_ms} ms{if_large(call)}", call, expected=limit_ms)
        elif call.received is not None and limit_ms is not None:
            took = (call.received - _last_sign(call, call.received)) // 1000 - call.late_ms
            if took > limit_ms:
                took = (call.received - _its_turn(history, call, call.received)) // 1000 - call.late_ms
            yield holds(took <= limit_ms, f"{call.tool} took {took} ms", call, expected=limit_ms, got=took)


def _its_turn(history: History, call: Exchange, until: int) -> int:
    """When the last was answered that was asked before this call on its connection, or the call's own last sign."""
    before = (e.received for e in history.exchanges if e.connection is call.connection and e.sent < call.sent)
    answers = (received for received in before if received is not None and received <= until)
    return max((_last_sign(call, until), *answers))


def _last_sign(call: Exchange, until: int) -> int:
    """When a call was sent, or the server last said that it makes progress."""
    progress = [m.t for m in call.extras if isinstance(m.payload, dict) and m.payload.get("method") == PROGRESS]
    return max((t for t in progress if t <= until), default=call.sent)
