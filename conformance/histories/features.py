"""What the arguments of a call show, so that calls are told apart by more than which arguments they have."""

import re
from collections.abc import Iterator
from typing import Any

from conformance.histories.values import ANSWER, KINDS
from conformance.model.arguments import properties
from conformance.model.events import Json

DEEPEST = 3
"""Lists and objects in one another that are looked into."""
MANY = 2
"""Entries of a list, and a number, from which on more are the same."""
_WORD = re.compile(r"[a-z][a-z_]{0,23}")
"""Texts that look like one of a few: a kind, a status, an operation."""


def features(arguments: dict[str, Json], schema: dict[str, Any]) -> frozenset[str]:
    """Which arguments are there, which of a few values they have, and where the others come from.

    What the schema does not know shows nothing: fields that are to be ignored are alike.
    """
    known = properties(schema)
    named = {name: value for name, value in arguments.items() if name in known or not known}
    return frozenset(feature for name, value in named.items() for feature in _of(name, value, DEEPEST))


def _of(place: str, value: Json, depth: int) -> Iterator[str]:
    yield place
    match value:
        case dict():
            kind = next(iter(value), "")
            if len(value) == 1 and kind.startswith("$"):
                yield f"{place} {kind} {_source(kind, value[kind])}"
            elif depth:
                for name, inner in value.items():
                    yield from _of(f"{place}/{name}", inner, depth - 1)
        case list():
            yield f"{place} holds {min(len(value), MANY)}"
            for inner in value if depth else ():
                yield from _of(f"{place}/*", inner, depth - 1)
        case bool() | None:
            yield f"{place} is {value}"
        case int():
            yield f"{place} is {max(-1, min(value, MANY))}"
        case str():
            yield f"{place} is {value if _WORD.fullmatch(value) else '' if not value.strip() else 'a text'}"
        case _:
            pass


def _source(kind: str, held: Json) -> str:
    """Where a known value is from; of claims, which one."""
    return str(held[0] if kind not in KINDS or kind == ANSWER else held[-1]) if isinstance(held, list) and held else ""
