"""MC-CALL-07 and -12: whether a failure is told as one."""

import re
from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.mcp.laws.asking import FAULTY, asked, well_asked
from conformance.contracts.mcp.laws.limits import for_a_time
from conformance.contracts.mcp.laws.toolless import no_tools, or_no_tools
from conformance.contracts.mcp.reach.words import words
from conformance.judge.faults import INTERNAL
from conformance.judge.judgements import breach, holds
from conformance.judge.law import law
from conformance.judge.served import served
from conformance.judge.texts import texts
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.pointer import scalars, steps
from conformance.model.texts import decoded, texts_of
from conformance.model.verdict import HELD, Judgement

OF_THE_REQUEST = (-32700, -32600, -32601, -32602, -32020, -32021, -32022)
"""Codes that refuse the request itself, before any tool ran."""
LOOKED_AT = 400
"""Characters of a text in which it is said that the call failed: what comes later may be data."""
SHOWN = 120
FAILED = re.compile(
    r"^\W{0,8}(?:(?:an?|the|mcp|tool|unexpected|internal|fatal|unknown|validation|database|runtime|query|sql)\s+){0,3}"
    r"(?P<kind>\w{0,40}error|\w{0,40}exception|failure)\b(?:\s+(?:while\s|in\s|executing|calling|occurred|during)|\s*:\s*\S)"
    r"|^\W{0,8}traceback \(most recent call last\)"
    r"|^\W{0,8}(?:unknown tool\b|failed to [a-z]+ )",
    re.IGNORECASE,
)
"""How a text begins that tells of a failure and nothing else."""
UNABLE = re.compile(
    r"\W{0,8}(?:sorry,? )?(?:i |we )?(?:could not|couldn't|cannot|can't|can not|(?:was |am )?(?:unable|not able) to) "
    r"(?P<verb>[a-z]+)\b(?! any\b)",
    re.IGNORECASE,
)
"""How a text begins that tells what could not be done. It may be data: a note can say so."""
A_SENTENCE = 300
"""Characters of a text that is nothing else."""
DEEDS = frozenset({"complete", "perform", "execute", "process", "do"})
SEEKING = frozenset(
    {"find", "search", "list", "query", "look", "lookup", "match", "filter", "grep", "resolve", "locate"}
)
"""That nothing was found is what these came for."""
ABSENT = re.compile(
    r"\b(?:not found|does not exist|doesn't exist)\b\W{0,8}"
    r"(?:$|(?:use|try|see|check|available|valid|did you mean)\b.*$)"
    r"|^\W{0,8}no such ",
    re.IGNORECASE,
)
"""That there is no such thing, where a text begins or ends so, but for advice."""
GONE = re.compile(
    r"^\W{0,8}(?:the |this |that )?(?P<noun>[a-z]{2,30})(?: (?:was|is|could))?\s+"
    r"(?:not (?:be )?found|does not exist|doesn't exist)\W{0,8}$",
    re.IGNORECASE,
)
"""That one thing of a kind is not there."""
FEW_WORDS = 6
"""Of a text that says nothing else, beside what its caller named."""
BESIDE = {
    "error", "code", "message", "status", "success", "ok", "details", "detail", "hint", "suggestion", "type", "reason",
    "tool",
}  # fmt: skip
"""The members of an object that tells of a failure and nothing else."""

REASONS = ("message", "reason", "detail", "details", "code")
CHECKING = frozenset({
    "check", "validate", "verify", "test", "lint", "diagnose", "health", "status", "state", "ping", "exist", "exists",
    "has", "is", "contains",
})  # fmt: skip
"""Words in the name of a tool that looks whether something is in order."""


@law("MC-CALL-07", absent=no_tools, compares="call")
def a_failing_tool_answers_a_result(history: History, contract: Contract) -> Iterator[Judgement]:
    """A listed tool that fails answers a result with isError, not a protocol error nor HTTP 500.

    A refusal because of too many calls is not a failure of the tool, nor is another HTTP status of something before it.
    """
    listed = served(history, contract)
    for call in history.calls():
        if not call.refused or listed.tool(call) is None or call.protocol_code in OF_THE_REQUEST:
            continue
        if call.protocol_code != INTERNAL and call.result is None and for_a_time(call):
            continue
        if call.result is not None:
            yield HELD
        elif call.status == FAULTY and call.turned_away and well_asked(call):
            yield breach(f"{call.tool} failed with HTTP {call.status} and no message of MCP", call, got=call.status)
        elif call.protocol_code is not None and asked(call):
            yield breach(
                f"{call.tool} failed with JSON-RPC error {call.protocol_code}",
                call,
                pointer="/error/code",
                got=call.protocol_code,
            )


def _ruled(history: History, _: Contract) -> str:
    if history.rule.failure_pattern:
        return "the contract says how texts tell failures"
    return "the contract says what isError tells beside its envelope" if history.rule.mirrored else ""


@law("MC-CALL-12", absent=or_no_tools(_ruled), compares="call")
def a_failure_says_that_it_is_one(history: History, _: Contract) -> Iterator[Judgement]:
    """A result that only reports a failure has isError.

    Words that the caller sent do not count, nor does "error" in the answer of a tool that was asked for it by name.
    "Could not delete" reports a failure where deleting is what the tool does, by its name. That what the caller named
    is not there is a failure where the tool neither searches nor checks. The envelope of a contract tells a failure,
    too. A contract that says itself what isError tells, or that has a pattern for failures, has its own rule.
    """
    ruled = history.rule.failure_pattern or history.rule.mirrored
    for call in history.calls() if not ruled else ():
        if call.result is None:
            continue
        if call.envelope is not None and call.failed:
            shown = call.result.get("isError", False)
            saw = f"the answer of {call.tool} tells of a failure, and isError is {shown!r}"
            yield holds(shown is True, saw, call, pointer="/result/isError", expected=True, got=shown)
        if call.envelope is not None or not call.accepted:
            continue
        said = told_failure(call)
        saw = f"{call.tool} tells of a failure without isError: {said!r}"
        yield holds(not said, saw, call, pointer="/result/isError", expected=True, got=call.result.get("isError"))


def told_failure(call: Exchange) -> str:
    """The failure that a success tells of in words; empty where it tells of none."""
    return _failure(call) or _unable(call) or _missing(call)


def _failure(call: Exchange) -> str:
    """The failure that a result tells of; empty where it tells of none, or of more than that."""
    result = call.result or {}
    blocks = result.get("content")
    shown = blocks if isinstance(blocks, list) else []
    given = [block.get("text") for block in shown if isinstance(block, dict)]
    first = given[0] if given and isinstance(given[0], str) else ""
    held: Json = result.get("structuredContent")
    if held is None or held == {"result": first}:
        held = decoded(first)
    if isinstance(held, dict):
        told = _marked(held, str(call.tool))
        beside = [value for key, value in held.items() if key not in BESIDE]
        undone = held.get("success") is False or held.get("ok") is False or held.get("error") is True
        alone = not any(isinstance(value, dict | list) for value in beside) if undone else not beside
        return f"error: {told}"[:SHOWN] if told and alone else ""
    found = FAILED.search(first[:LOOKED_AT]) if isinstance(held, str) else None
    if found is None:
        return ""
    kind = (found["kind"] or "").casefold()
    sent = any(first[:SHOWN] in text or text.casefold() == kind for text in texts(call.arguments))
    return "" if sent else first[:SHOWN]


def _marked(held: dict[str, Json], tool: str) -> str | dict[str, Json]:
    """What an object says of a failure, where it marks itself as one; empty where it does not."""
    told, status = held.get("error"), held.get("status")
    if isinstance(told, str | dict):
        return told
    # what a check has found may be an error, and is its result
    by_status = isinstance(status, str) and status.casefold() == "error" and not CHECKING & set(words(tool))
    if told is not True and not (told is None and by_status):
        return ""
    return next((text for key in REASONS if isinstance(text := held.get(key), str) and text), "")


def _unable(call: Exchange) -> str:
    """What a result says could not be done, where it says nothing else and the tool is named by that; else empty."""
    first = _sentence(call)
    found = UNABLE.match(first)
    if found is None:
        return ""
    verb, tool = found["verb"].casefold(), words(str(call.tool))
    meant = not SEEKING & set(tool) if verb == "find" else verb in DEEDS or verb in tool
    sent = any(first[:SHOWN] in text for text in texts(call.arguments))
    return first[:SHOWN] if meant and not sent else ""


def _missing(call: Exchange) -> str:
    """What a result says is not there, where it says nothing else and the caller named it; else empty."""
    first = _sentence(call)
    if ABSENT.search(first) is None or (SEEKING | CHECKING) & set(words(str(call.tool))):
        return ""
    named = [text for text in texts(call.arguments) if text.strip() and text in first]
    named += [text for text in _numbers(call) if re.search(rf"\b{text}\b", first)]
    beside = ABSENT.sub("", first.replace(max(named, key=len), "")) if named else ""
    return first[:SHOWN] if (named and len(words(beside)) <= FEW_WORDS) or _of_its_kind(first, call) else ""


def _numbers(call: Exchange) -> list[str]:
    """The whole numbers among what a call names: an id may be one."""
    found = (value for _, value in scalars(call.arguments))
    return [str(value) for value in found if isinstance(value, int) and not isinstance(value, bool) and value >= 0]


def _of_its_kind(first: str, call: Exchange) -> bool:
    """Whether a text says only that one thing is not there, of the kind for which the tool and an argument are named.

    Of several, "no tasks found", that is what there is to say.
    """
    found = GONE.match(first)
    noun = found["noun"].casefold() if found is not None else ""
    if not noun or noun not in words(str(call.tool)):
        return False
    asked = (words(steps(place)[-1]) for place, value in scalars(call.arguments) if value is not None)
    return any(noun in name or name[-1:] == ("id",) for name in asked)


def _sentence(call: Exchange) -> str:
    """The one short line of text that a result is; empty where it is more than that."""
    shown = texts_of(call.result)
    held: Json = (call.result or {}).get("structuredContent")
    if len(shown) != 1 or held not in (None, {"result": shown[0]}):
        return ""
    first = shown[0].strip()
    return first if len(first) <= A_SENTENCE and "\n" not in first else ""
