"""MC-CALL-07 and -12: whether a failure is told as one."""

import re
from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.mcp.laws.asking import asked
from conformance.contracts.mcp.laws.limits import for_a_time
from conformance.contracts.mcp.reach.words import words
from conformance.judge.faults import INTERNAL
from conformance.judge.judgements import breach, holds
from conformance.judge.law import law
from conformance.judge.served import served
from conformance.judge.texts import texts
from conformance.model.events import Json
from conformance.model.exchange import Exchange, decoded, texts_of
from conformance.model.history import History
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
SEEKING = frozenset({"find", "search", "list", "query", "look", "lookup", "match"})
"""That nothing was found is what these came for."""
BESIDE = {"error", "code", "message", "status", "success", "ok", "details", "detail", "hint", "type", "reason", "tool"}
"""The members of an object that tells of a failure and nothing else."""


@law("MC-CALL-07", compares="call")
def a_failing_tool_answers_a_result(history: History, contract: Contract) -> Iterator[Judgement]:
    """A listed tool that fails answers a result with isError, not a protocol error.

    A refusal because of too many calls is not a failure of the tool.
    """
    listed = served(history, contract)
    for call in history.calls():
        if not call.refused or listed.tool(call) is None or call.protocol_code in OF_THE_REQUEST:
            continue
        if call.protocol_code != INTERNAL and call.result is None and for_a_time(call):
            continue
        if call.result is not None:
            yield HELD
        elif call.protocol_code is not None and asked(call):
            yield breach(
                f"{call.tool} failed with JSON-RPC error {call.protocol_code}",
                call,
                pointer="/error/code",
                got=call.protocol_code,
            )


def _enveloped(history: History, _: Contract) -> str:
    return "the contract's own envelope tells failures" if history.rule.failure_key is not None else ""


@law("MC-CALL-12", absent=_enveloped, compares="call")
def a_failure_says_that_it_is_one(history: History, _: Contract) -> Iterator[Judgement]:
    """A result that only reports a failure has isError.

    Words that the caller sent do not count, nor does "error" in the answer of a tool that was asked for it by name.
    "Could not delete" reports a failure where deleting is what the tool does, by its name. Contracts with an envelope
    have a rule of their own.
    """
    for call in history.accepted():
        if call.result is None or call.envelope is not None:
            continue
        said = _failure(call) or _unable(call)
        saw = f"{call.tool} tells of a failure without isError: {said!r}"
        yield holds(not said, saw, call, pointer="/result/isError", expected=True, got=call.result.get("isError"))


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
        told = held.get("error")
        alone = bool(told) and isinstance(told, str | dict) and not held.keys() - BESIDE
        return f"error: {told}"[:SHOWN] if alone else ""
    found = FAILED.search(first[:LOOKED_AT]) if isinstance(held, str) else None
    if found is None:
        return ""
    kind = (found["kind"] or "").casefold()
    sent = any(first[:SHOWN] in text or text.casefold() == kind for text in texts(call.arguments))
    return "" if sent else first[:SHOWN]


def _unable(call: Exchange) -> str:
    """What a result says could not be done, where it says nothing else and the tool is named by that; else empty."""
    shown = texts_of(call.result)
    first = shown[0].strip() if len(shown) == 1 else ""
    found = UNABLE.match(first) if len(first) <= A_SENTENCE and "\n" not in first else None
    held: Json = (call.result or {}).get("structuredContent")
    if found is None or held not in (None, {"result": shown[0]}):
        return ""
    verb, tool = found["verb"].casefold(), words(str(call.tool))
    meant = not SEEKING & set(tool) if verb == "find" else verb in DEEDS or verb in tool
    sent = any(first[:SHOWN] in text for text in texts(call.arguments))
    return first[:SHOWN] if meant and not sent else ""
