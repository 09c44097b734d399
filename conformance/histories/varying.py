"""Arguments of a good call with one of them as its schema, its bounds or another call of the history has it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from conformance.drive.sweeps.variants import beyond, inside, within
from conformance.histories.corpus import LARGEST
from conformance.model.arguments import properties
from conformance.model.events import Json

FEW = (0, 1, 2, 3)
"""Amounts of which a history has so many, so that a page, a depth or a limit cuts something."""


def varied(
    schema: Mapping[str, Any], arguments: dict[str, Json], said: Mapping[str, Sequence[Json]], pick: int
) -> dict[str, Json]:
    """With one argument left out, at or beyond a bound, or as an earlier call or answer has a value of its name.

    `said`: such values by name. The argument is chosen first, so that one with many values is not changed more often.
    """
    known = [(name, about) for name, about in properties(schema).items() if isinstance(about, dict)]
    if not known:
        return arguments
    name, about = known[pick % len(known)]
    values = list(_values(about, arguments.get(name), said.get(name, ())))
    if not values:
        return arguments
    return {**arguments, name: values[pick // len(known) % len(values)]}


def _values(about: dict[str, Any], given: Json, said: Sequence[Json]) -> Iterator[Json]:
    """What others said stands between what the schema allows and what it does not, as often as both."""
    found = [
        *within(about),
        *(FEW if "integer" in str(about.get("type")) else ()),
        *inside(about, given),
        *beyond(about),
    ]
    short = [value for value in found if not isinstance(value, str) or len(value) <= LARGEST]
    yield from short
    for number in range(len(short) if said else 0):
        yield said[-1 - number % len(said)]
