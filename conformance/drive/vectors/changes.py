"""Values that differ from a given one at a single place: whether they break the schema there is judged afterwards."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from conformance.contract.references import Schema
from conformance.drive.vectors.patterns import derived
from conformance.drive.vectors.reading import Reader, first_items, listed, mapping, other_items
from conformance.drive.vectors.sample import LONGEST_LIST, items, number, sample
from conformance.drive.vectors.texts import at_the_edges, texts
from conformance.model.events import Json

OTHERS: tuple[Json, ...] = (None, 1.5, "example", True, [], "1", 1, {}, ["example"], {"key": "example"})
"""One value of every type; those that lose something where they are taken for another type come first."""
ASTRAL = "\U0001f4da"
"""A character beyond the basic plane: four octets of UTF-8, two units of UTF-16."""
UNKNOWN = "unexpected_property"
DEEPEST = 5
"""Levels of a value at whose places something is changed."""
ADDED = 2
"""Levels of a property that was added to it."""
ENTRIES = 8
"""Entries of an array that are changed, one at a time."""
BRANCHES, NEAR = 4, 8
"""Branches of which values are made that nearly fit, and how many of each."""
PATTERNS = 8
"""Patterns of names of which a name is made."""
NAMED = 300
"""Values of an enumeration that are tried."""


def changes(reader: Reader, schema: Json, value: Json, depth: int = DEEPEST) -> Iterator[Json]:
    """The value with one place of it changed, every place in turn."""
    parts = reader.whole(schema, value)
    for part in parts:
        yield from _here(reader, part, value, depth)
    if isinstance(value, dict) and depth:
        for name, inner in value.items():
            for deeper in _of_property(parts, name):
                yield from ({**value, name: changed} for changed in changes(reader, deeper, inner, depth - 1))
    elif isinstance(value, list) and depth:
        for part in parts:
            for place, inner in enumerate(_entries(part, value)):
                within = changes(reader, inner, value[place], depth - 1)
                yield from ([*value[:place], changed, *value[place + 1 :]] for changed in within)
    yield from (other for other in OTHERS if other != value or type(other) is not type(value))


def _of_property(parts: list[Schema], name: str) -> Iterator[Json]:
    for part in parts:
        properties = mapping(part, "properties")
        if name in properties:
            yield properties[name]
        elif isinstance(part.get("additionalProperties"), dict):
            yield part["additionalProperties"]


def _entries(part: Schema, value: list[Json]) -> list[Json]:
    """The schemas of the entries that are changed: of each that has its own, and of one of the others."""
    first = first_items(part)[: len(value)]
    return [*first, other_items(part)] if len(first) < min(len(value), ENTRIES) else first[:ENTRIES]


def _here(reader: Reader, part: Schema, value: Json, depth: int) -> Iterator[Json]:
    """Changes of the value as a whole, as one schema of those that apply to it suggests them."""
    yield from islice(listed(part, "enum"), NAMED)
    for key in ("anyOf", "oneOf"):
        branches = listed(part, key)
        yield from (sample(reader, branch) for branch in branches)
        for branch in branches[:BRANCHES] if depth else ():
            yield from _near(reader, branch)
    match value:
        case bool():
            yield not value
        case str():
            yield from at_the_edges(part, value)
            yield "no-such-value"
            yield value + ASTRAL
            yield from texts(part)
        case int() | float():
            yield from _numbers(part, value)
        case list():
            yield from _lists(reader, part, value)
        case dict():
            yield from _objects(reader, part, value, depth)


def _near(reader: Reader, branch: Json) -> Iterator[Json]:
    """Objects of a branch that are another's only in one member: what nearly fits a branch is easily let through."""
    within = sample(reader, branch)
    for part in reader.whole(branch, within) if isinstance(within, dict) else ():
        yield from islice(_objects(reader, part, within, 0), NEAR)


def _numbers(part: Schema, value: float) -> Iterator[float]:
    try:
        if isinstance(value, int):
            yield value + 0.5
        yield from (-1, 0)
        named = (number(part, key) for key in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"))
        bounds = [bound for bound in named if bound is not None]
        yield from bounds
        yield from (near for bound in bounds for near in (bound - 1, bound + 1))
        step = number(part, "multipleOf")
        if step is not None:
            yield from (value + step, value + step / 2, value + 1)
        if "enum" in part or "const" in part:
            yield from (value + 1, 987_654)
    except OverflowError:  # an integer that no floating-point number reaches
        return


def _lists(reader: Reader, part: Schema, value: list[Json]) -> Iterator[list[Json]]:
    least, most = part.get("minItems"), part.get("maxItems")
    if isinstance(least, int):
        yield from (value[: max(least - 1, 0)], value[:least])
    if isinstance(most, int) and most < LONGEST_LIST:
        grown = items(reader, part, most + 1, reader.depth)
        yield from (grown[:most], grown)
    if part.get("uniqueItems") is True and value:
        yield [*value[:-1], value[0]] if len(value) > 1 else [value[0], value[0]]
    if first := first_items(part):
        whole = items(reader, part, len(first), reader.depth)
        yield from (whole, [*whole, "example"], [*whole, 1])
    if "contains" in part:
        yield []
    if value:
        yield [*value, value[0]]


def _objects(reader: Reader, part: Schema, value: dict[str, Any], depth: int) -> Iterator[dict[str, Json]]:
    for name in value:
        yield {key: each for key, each in value.items() if key != name}
    properties = mapping(part, "properties")
    for name, schema in properties.items():
        if name not in value:
            added = {**value, name: sample(reader, schema, full=True)}
            yield added
            if depth:
                within = changes(reader, schema, added[name], min(ADDED, depth - 1))
                yield from ({**value, name: changed} for changed in within)
    for pattern, schema in islice(mapping(part, "patternProperties").items(), PATTERNS):
        # what stands there already is changed in its own place
        for name in [each for each in derived(pattern) if each not in value][:1]:
            added = {**value, name: sample(reader, schema)}
            yield added
            if depth:
                within = changes(reader, schema, added[name], min(ADDED, depth - 1))
                yield from ({**value, name: changed} for changed in within)
    yield {**value, UNKNOWN: "example"}
    most = part.get("maxProperties")
    if isinstance(most, int) and most < LONGEST_LIST:
        yield {**value, **{f"key{number}": "example" for number in range(most + 1 - len(value))}}
