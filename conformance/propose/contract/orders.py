"""Recognises by what lists are ordered: what rises, or falls, from entry to entry in every answer that was seen."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import pairwise

from conformance.contract import promises as p
from conformance.contracts.mcp.reach.words import words
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.pointer import pointer_of
from conformance.model.prose import TEXT
from conformance.propose.contract.entities import lists

LEAST = 5
"""Entries of the longest list, with as many values: fewer may come in an order by chance."""

USUAL = (
    {"score", "rank", "relevance", "priority", "position"},
    {"date", "time", "at", "created", "updated", "start", "due"},
    {"name", "title", "key", "slug", "path"},
)
"""Words in the names of what orders lists, the likeliest first."""


def orders(calls: Iterable[Exchange]) -> Iterator[tuple[p.Ordered, str]]:
    """The promises that accepted calls of reads hint at, each with what was seen."""
    seen: dict[tuple[str, str], list[list[Json]]] = defaultdict(list)
    for call in calls:
        # the text of an entry begins with whatever comes first in it
        listed = lists(call.payload) if call.accepted and call.tool else ()
        for pointer, entries in ((place, _without_text(found) if call.prose else found) for place, found in listed):
            seen[call.tool or "", pointer].append(entries)
    for (tool, pointer), answers in seen.items():
        longest = max(answers, key=len)
        found = [(by, descending) for by in _places(longest) for descending in _ways(answers, by)]
        # where several seem to, most do by chance
        best = min(found, key=lambda each: _rank(each[0]), default=None)
        if best is not None:
            promise = p.Ordered(tool=tool, entries=pointer, by=best[0], descending=best[1])
            yield promise, f"{len(answers)} answers were, the longest of {len(longest)} entries"


def _without_text(found: list[Json]) -> list[Json]:
    return [{key: value for key, value in each.items() if key != TEXT} for each in found if isinstance(each, dict)]


def _ways(answers: list[list[Json]], by: str) -> list[bool]:
    """Whether all answers rise (False) or fall (True) by what stands at a place; neither: they have no such order."""
    columns = [column for each in answers if (column := _column(each, by)) is not None]
    kinds = {isinstance(value, str) for column in columns for value in column}
    distinct = max((len(set(column)) for column in columns), default=0)
    if len(columns) < len(answers) or distinct < LEAST or len(kinds) > 1:
        return []
    return [way for way in (False, True) if all(_sorted(column, descending=way) for column in columns)]


def _rank(by: str) -> int:
    """How likely something is to order a list, by its name: the lower the likelier."""
    return next((number for number, usual in enumerate(USUAL) if usual & {*words(by)}), len(USUAL))


def _places(entries: list[Json]) -> Iterator[str]:
    """What may order a list: its entries themselves, or what stands at their top, but for ids, which are in turn."""
    first = entries[0] if entries else None
    if isinstance(first, str):
        yield ""
    elif isinstance(first, dict):
        yield from (pointer_of([key]) for key in first if words(key)[-1:] != ("id",))


def _column(entries: list[Json], by: str) -> list[str] | list[float] | None:
    """The values that may order a list: all texts, or all numbers; None where they are not."""
    name = by.removeprefix("/")
    values = [each.get(name) if by and isinstance(each, dict) else each for each in entries]
    texts = [each for each in values if isinstance(each, str)]
    numbers = [each for each in values if isinstance(each, int | float) and not isinstance(each, bool)]
    return texts if len(texts) == len(values) else numbers if len(numbers) == len(values) else None


def _sorted(column: list[str] | list[float], *, descending: bool) -> bool:
    """Whether no value comes before a smaller one, or before a larger one."""
    return all((later <= one) if descending else (one <= later) for one, later in pairwise(column))  # type: ignore[operator]
