"""Answers compared where they may tell the time and number their requests: everything else must agree."""

import re

from conformance.model.events import Json
from conformance.model.exchange import Exchange, carried, decoded

INSTANT = re.compile(
    r"\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:\s?(?:Z|UTC|[+-]\d{2}:?\d{2}))?)?\b"
    r"|\b\d{1,2}:\d{2}:\d{2}(?:\.\d+)?\b"
)
OF_THE_CALL = re.compile(
    r"^(?:request|trace|span|correlation|invocation)_?id$"
    r"|^(?:elapsed|duration|latency|took)(?:_?(?:ms|seconds|s))?$"
    r"|^(?:timestamp|now|uptime|server_?time)$",
    re.IGNORECASE,
)
"""Keys whose values are of the call, not of what it shows."""


def settled(value: Json) -> Json:
    """A value without its instants and without what numbers or times the call."""
    match value:
        case str():
            return INSTANT.sub("«instant»", value)
        case list():
            return [settled(each) for each in value]
        case dict():
            return {key: settled(each) for key, each in value.items() if not OF_THE_CALL.match(str(key))}
        case _:
            return value


def shown(exchange: Exchange) -> Json:
    """What an answer shows, in a form that may be compared: structured content, else its blocks, else the error."""
    if exchange.result is None:
        return settled(exchange.response)
    if "structuredContent" in exchange.result:
        return settled(exchange.result["structuredContent"])
    blocks = exchange.result.get("content")
    if isinstance(blocks, list) and len(blocks) == 1 and not isinstance(found := carried(exchange.result), str | None):
        return settled(found)
    return [settled(_opened(block)) for block in blocks] if isinstance(blocks, list) else settled(blocks)


def _opened(block: Json) -> Json:
    """A block in which a text that is JSON is the value."""
    if isinstance(block, dict) and isinstance(block.get("text"), str):
        return {**block, "text": decoded(block["text"])}
    return block


def alike(first: Exchange, second: Exchange) -> bool:
    """Whether two answers show the same."""
    return first.failed == second.failed and bool(shown(first) == shown(second))


def prose(*answers: Exchange) -> bool:
    """Whether answers are text for a reader, which may word the same in other words: no data in any of them."""
    return all(not _data(shown(answer)) for answer in answers)


def _data(answer: Json) -> bool:
    """Whether an answer is an object, or blocks among which one holds JSON or is no text."""
    if not isinstance(answer, list):
        return True
    return any(not isinstance(block, dict) or not isinstance(block.get("text"), str) for block in answer)


def removed(before: Json, after: Json, pointer: str = "") -> str:
    """Where `after` lacks what `before` had, a key or entries of a list, as a JSON Pointer; empty where nowhere."""
    if isinstance(before, dict):
        if not isinstance(after, dict):
            return pointer or "/"
        for key, value in before.items():
            if key not in after:
                return f"{pointer}/{key}"
            if where := removed(value, after[key], f"{pointer}/{key}"):
                return where
    elif isinstance(before, list) and (not isinstance(after, list) or len(after) < len(before)):
        return pointer or "/"
    return ""
