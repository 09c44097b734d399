"""How much a JSON value is: taken before anything walks through it, so that nothing walks too far."""

from reprlib import Repr
from typing import NamedTuple

from conformance.model.events import Json

WIDE = 2**63
"""From here on an integer is no longer one of 64 bits."""
WHOLE = 2_000_000
"""Values after which counting stops: an answer of 8 MB holds at most four million."""


_REPR = Repr()
_REPR.maxlevel, _REPR.maxdict, _REPR.maxlist, _REPR.maxstring, _REPR.maxother, _REPR.maxlong = 4, 20, 20, 80, 80, 80


class Measure(NamedTuple):
    """The size of a value."""

    values: int
    """Values in it, itself and the keys of objects included; one more than the limit where counting stopped."""
    depth: int
    """Levels: 1 for a scalar."""
    characters: int
    longest: int
    """Characters of its longest text."""
    wide: int
    """Integers beyond 64 bits, and what is no number in JSON: infinity, or none."""


def measured(value: Json, limit: int = WHOLE) -> Measure:
    """Counts a value, as far as the limit."""
    values, depth, characters, longest, wide = 0, 0, 0, 0, 0
    level: list[Json] = [value]
    while level and values <= limit:
        depth += 1
        values += len(level)
        below: list[Json] = []
        for each in level:
            kind = type(each)
            if kind is str:
                characters += len(each)
                longest = max(longest, len(each))
            elif kind is dict:
                lengths = [*map(len, each)]
                values += len(lengths)
                characters += sum(lengths)
                longest = max(longest, *lengths, 0)
                below += each.values()
                if values + len(below) > limit:
                    return Measure(limit + 1, depth, characters, longest, wide)
            elif kind is list:
                below += each
                if values + len(below) > limit:
                    return Measure(limit + 1, depth, characters, longest, wide)
            elif kind is int:
                wide += not -WIDE <= each < WIDE
            elif kind is float:
                wide += each - each != 0
        level = below
    return Measure(values, depth, characters, longest, wide)


def quoted(value: Json) -> str:
    """A value as Python writes it, in at most 80 characters, however large or deep it is."""
    return _REPR.repr(value)[:80]


def standing(holder: Json, key: str) -> str:
    """What stands under a key of an object: `missing`, `null`, or the value as `quoted` writes it."""
    if not isinstance(holder, dict) or key not in holder:
        return "missing"
    return "null" if holder[key] is None else quoted(holder[key])


def brief(value: Json) -> str:
    """The same, a text without its quotes."""
    return value[:80] if isinstance(value, str) else quoted(value)
