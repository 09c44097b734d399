"""Answers compared where they may tell the time and number their requests: everything else must agree."""

import re

from conformance.contract.limits import go_on
from conformance.judge.kinds import spelled
from conformance.model.events import Json
from conformance.model.exchange import Exchange, carried
from conformance.model.texts import decoded

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
WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
"""A word of a key, in any of the usual spellings: seen_at, seenAt, seen-at."""
TIMES = re.compile(
    r"at|on|ts|time|date|stamp|timestamp|epoch|when|since|until|seen|[acm]time"
    r"|created|changed|modified|updated|accessed|expires|expiry"
)
"""Last words of keys whose values say when something was; a unit may stand behind them."""
PARTS = {"s", "sec", "seconds", "ms", "millis", "us", "micros", "ns", "nanos"}
SINCE_1970_S = range(1_000_000_000, 4_200_000_000)
"""Seconds from 1970 to the years 2001 to 2103."""
UNITS = (1, 1_000, 1_000_000, 1_000_000_000)
"""How many of a second's parts an instant may be counted in."""
NOTHING: tuple[Json, ...] = (None, 0, "", [], {})
LEFT = re.compile(
    r"already|exist|unchanged|nothing|no change|no-?op|duplicate|skipped|not found|up.to.date", re.IGNORECASE
)
"""Words for that nothing was left to do."""
DEEPEST = 100
"""Levels of an answer that are looked at one by one; what is further down is compared as it is written."""


def settled(value: Json, levels: int = DEEPEST) -> Json:
    """A value without its instants and without what numbers or times the call."""
    match value:
        case str():
            return INSTANT.sub("«instant»", value)
        case list() | dict() if levels == 0:
            return INSTANT.sub("«instant»", spelled(value))
        case list():
            return [settled(each, levels - 1) for each in value]
        case dict():
            return {
                key: "«instant»" if _counted(key, each) else settled(each, levels - 1)
                for key, each in value.items()
                if not OF_THE_CALL.match(str(key))
            }
        case _:
            return value


def _counted(key: str, value: Json) -> bool:
    """Whether a number is an instant, counted from 1970: its key says that it is a time. Ids may be counted alike."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    words = [word.lower() for word in WORD.findall(str(key))]
    last = next((word for word in reversed(words) if word not in PARTS), "")
    return TIMES.fullmatch(last) is not None and any(
        SINCE_1970_S.start * unit <= value < SINCE_1970_S.stop * unit for unit in UNITS
    )


def shown(exchange: Exchange) -> Json:
    """What an answer shows, in a form that may be compared: structured content, else its blocks, else the error."""
    go_on()
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
    if first.failed != second.failed:
        return False
    same = first.result is not None and first.result == second.result
    return same or bool(shown(first) == shown(second))


def nothing_new(first: Json, second: Json) -> bool:
    """Whether a value holds nothing that another one has not, but flags and words for that nothing was left to do.

    What was there before may now be what the other one made: `previous` is what `current` was, and still is.
    """
    if isinstance(second, bool) or second in NOTHING or (isinstance(second, str) and LEFT.search(second)):
        return True
    if isinstance(second, dict) and isinstance(first, dict):
        kept = [value for key, value in second.items() if isinstance(value, str) and first.get(key) == value]
        return all(
            nothing_new(first.get(key), value) or (key in first and value in kept) or _left_over(key, value)
            for key, value in second.items()
        )
    if isinstance(second, list) and isinstance(first, list):
        return all(entry in first or _left(entry) for entry in second) or (
            len(first) == len(second) and all(map(nothing_new, first, second))
        )
    return bool(first == second)


def _left_over(key: str, value: Json) -> bool:
    """Whether a number counts what was left alone: skipped, unchanged, duplicates."""
    return isinstance(value, int) and LEFT.search(key) is not None


def _left(entry: Json) -> bool:
    """Whether an entry of a list is a message that nothing was left to do: texts alone, one of which says so."""
    texts = list(entry.values()) if isinstance(entry, dict) else [entry]
    return all(isinstance(each, str) for each in texts) and any(LEFT.search(each) for each in texts)


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
