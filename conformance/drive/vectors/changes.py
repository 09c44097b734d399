"""Values that differ from a given one at a single place: whether they break the schema there is judged afterwards."""

from collections.abc import Iterator
from typing import Any

from conformance.drive.vectors.reading import DEPTH, Reader, Schema, mapping
from conformance.drive.vectors.sample import items, sample
from conformance.drive.vectors.texts import at_the_edges, texts
from conformance.model.events import Json

OTHERS: tuple[Json, ...] = (None, "1", "example", 1, 1.5, True, [], {}, ["example"], {"key": "example"})
"""One value of every type; the likeliest to be taken for another type come first."""
UNKNOWN = "unexpected_property"
LONGEST_LIST = 2_000
DEEPEST = 5
"""Levels of a value at whose places something is changed."""


def changes(reader: Reader, schema: Json, value: Json, depth: int = DEEPEST) -> Iterator[Json]:
    """The value with one place of it changed, every place in turn."""
    parts = list(reader.whole(schema, value))
    for part in parts:
        yield from _here(reader, part, value)
    if isinstance(value, dict) and depth:
        for name, inner in value.items():
            for deeper in _of_property(parts, name):
                yield from ({**value, name: changed} for changed in changes(reader, deeper, inner, depth - 1))
    elif isinstance(value, list) and value and depth:
        for part in parts:
            yield from ([changed, *value[1:]] for changed in changes(reader, _first_item(part), value[0], depth - 1))
    yield from (other for other in OTHERS if other != value or type(other) is not type(value))


def _of_property(parts: list[Schema], name: str) -> Iterator[Json]:
    for part in parts:
        properties = part.get("properties")
        if isinstance(properties, dict) and name in properties:
            yield properties[name]
        elif isinstance(part.get("additionalProperties"), dict):
            yield part["additionalProperties"]


def _first_item(part: Schema) -> Json:
    first = part.get("prefixItems")
    return first[0] if isinstance(first, list) and first else part.get("items")


def _here(reader: Reader, part: Schema, value: Json) -> Iterator[Json]:
    """Changes of the value as a whole, as one schema of those that apply to it suggests them."""
    yield from part["enum"] if isinstance(part.get("enum"), list) else ()
    for key in ("anyOf", "oneOf"):
        yield from (sample(reader, branch) for branch in part.get(key, ()) if isinstance(part.get(key), list))
    match value:
        case bool():
            yield not value
        case str():
            yield "no-such-value"
            yield from at_the_edges(part, value)
            yield from texts(part)
        case int() | float():
            yield from _numbers(part, value)
        case list():
            yield from _lists(reader, part, value)
        case dict():
            yield from _objects(reader, part, value)


def _numbers(part: Schema, value: float) -> Iterator[float]:
    for key in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"):
        bound = part.get(key)
        if isinstance(bound, int | float) and not isinstance(bound, bool):
            yield from (bound, bound - 1, bound + 1)
    step = part.get("multipleOf")
    if isinstance(step, int | float) and not isinstance(step, bool):
        yield from (value + step, value + step / 2, value + 1)
    if "enum" in part or "const" in part:
        yield from (value + 1, 987_654)


def _lists(reader: Reader, part: Schema, value: list[Json]) -> Iterator[list[Json]]:
    least, most = part.get("minItems"), part.get("maxItems")
    if isinstance(least, int):
        yield from (value[: max(least - 1, 0)], value[:least])
    if isinstance(most, int) and most < LONGEST_LIST:
        grown = items(reader, part, most + 1, DEPTH)
        yield from (grown[:most], grown)
    if part.get("uniqueItems") is True and value:
        yield [*value[:-1], value[0]] if len(value) > 1 else [value[0], value[0]]
    if isinstance(part.get("prefixItems"), list):
        yield [*items(reader, part, len(part["prefixItems"]), DEPTH), "example"]
    if "contains" in part:
        yield []
    if value:
        yield [*value, value[0]]


def _objects(reader: Reader, part: Schema, value: dict[str, Any]) -> Iterator[dict[str, Json]]:
    for name in value:
        yield {key: each for key, each in value.items() if key != name}
    properties = mapping(part, "properties")
    for name, schema in properties.items():
        if name not in value:
            added = {**value, name: sample(reader, schema, full=True)}
            yield added
            yield from ({**value, name: changed} for changed in changes(reader, schema, added[name], 2))
    yield {**value, UNKNOWN: "example"}
    most = part.get("maxProperties")
    if isinstance(most, int) and most < LONGEST_LIST:
        yield {**value, **{f"key{number}": "example" for number in range(most + 1 - len(value))}}
