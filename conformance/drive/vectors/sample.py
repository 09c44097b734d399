"""One value that satisfies a schema: small, plain, the same each time."""

from collections.abc import Iterator
from string import ascii_letters

from conformance.drive.vectors.reading import DEPTH, Reader, Schema, mapping
from conformance.drive.vectors.texts import texts
from conformance.model.events import Json

FULL = 4
"""Levels down to which everything that is named is filled in; further down only what is required."""


def sample(reader: Reader, schema: Json, *, full: bool = False, depth: int = DEPTH) -> Json:
    """A value for a schema: with what is required, or (`full`) with everything that it names.

    The best that can be found: where nothing fits, what comes nearest.
    """
    full = full and depth > DEPTH - FULL
    tried: Json = None
    for number, value in enumerate(_candidates(reader, schema, full=full, depth=depth)):
        if number == 0:
            tried = value
        if reader.fits(schema, value):
            return value
    return tried


def _candidates(reader: Reader, schema: Json, *, full: bool, depth: int) -> Iterator[Json]:
    said = reader.merged(schema)
    if "const" in said:
        yield said["const"]
    if isinstance(said.get("enum"), list):
        yield from said["enum"][:8]
    for key in ("default", "examples"):
        if key in said:
            yield from said[key] if key == "examples" and isinstance(said[key], list) else [said[key]]
    kinds = said.get("type", _implied(said))
    for kind in kinds if isinstance(kinds, list) else [kinds]:
        yield from _of_kind(reader, str(kind), said, full=full, depth=depth)
    for key in ("anyOf", "oneOf"):
        branches = schema.get(key) if isinstance(schema, dict) else None
        for branch in branches if isinstance(branches, list) and depth else []:
            yield sample(reader, branch, full=full, depth=depth - 1)


def _implied(said: Schema) -> str:
    marks = {
        "object": ("properties", "required", "additionalProperties", "minProperties"),
        "array": ("items", "prefixItems", "minItems"),
        "number": ("minimum", "maximum", "multipleOf", "exclusiveMinimum", "exclusiveMaximum"),
    }
    return next((kind for kind, keys in marks.items() if any(key in said for key in keys)), "string")


def _of_kind(reader: Reader, kind: str, said: Schema, *, full: bool, depth: int) -> Iterator[Json]:
    match kind:
        case "string":
            yield from texts(said)
        case "integer" | "number":
            yield from numbers(said)
        case "boolean":
            yield from (True, False)
        case "null":
            yield None
        case "array":
            yield items(reader, said, _count(said, full=full), depth)
            if "contains" in said and depth:
                yield [sample(reader, said["contains"], depth=depth - 1)]
        case _:
            yield _object(reader, said, full=full, depth=depth)
            yield _object(reader, said, full=not full, depth=depth)


def numbers(said: Schema) -> Iterator[int | float]:
    """Numbers at and near the bounds."""
    step = said.get("multipleOf")
    for key, moves in (
        ("minimum", (0, 1)),
        ("exclusiveMinimum", (1, 0.5)),
        ("maximum", (0, -1)),
        ("exclusiveMaximum", (-1, -0.5)),
    ):
        bound = said.get(key)
        if isinstance(bound, int | float) and not isinstance(bound, bool):
            yield from (bound + move for move in moves)
            if isinstance(step, int | float) and step > 0:
                yield (bound // step + (1 if "inimum" in key else -1)) * step
    if isinstance(step, int | float):
        yield step
    yield from (1, 0, -1, 0.5)


def _count(said: Schema, *, full: bool) -> int:
    least = said.get("minItems", 0)
    return max(least if isinstance(least, int) else 0, 1 if full else 0)


def items(reader: Reader, said: Schema, count: int, depth: int) -> list[Json]:
    """An array of so many entries, no two of them equal where that can be had."""
    given = said.get("prefixItems")
    first: list[Json] = given if isinstance(given, list) else []
    made: list[Json] = []
    for place in range(min(count, 2_000)):
        schema = first[place] if place < len(first) else said.get("items", {})
        value = sample(reader, schema, depth=depth - 1) if depth else None
        made.append(value if value not in made else _another(reader, schema, value, place))
    return made


def _another(reader: Reader, schema: Json, value: Json, place: int) -> Json:
    """A value like another one, and not equal to it."""
    said = reader.merged(schema)
    if isinstance(said.get("enum"), list):
        return said["enum"][place % len(said["enum"])]
    match value:
        case bool():
            return not value
        case str():
            tail = str(place)
            return value + tail if reader.fits(schema, value + tail) else value[: -len(tail)] + tail
        case int() | float():
            return value + place
        case dict():
            changed = (
                (key, _another(reader, said.get("properties", {}).get(key, {}), each, place))
                for key, each in value.items()
            )
            return dict(changed) or {"n": place}
        case _:
            return value


def _object(reader: Reader, said: Schema, *, full: bool, depth: int) -> Json:
    properties = mapping(said, "properties")
    required = said["required"] if isinstance(said.get("required"), list) else []
    wanted = list(dict.fromkeys([*(name for name in required if isinstance(name, str)), *(properties if full else ())]))
    made = (
        {name: sample(reader, properties.get(name, {}), full=full, depth=depth - 1) for name in wanted} if depth else {}
    )
    least = said.get("minProperties", 0)
    spare = iter([*(name for name in properties if name not in made), *(f"key{letter}" for letter in ascii_letters)])
    while isinstance(least, int) and len(made) < min(least, len(ascii_letters)):
        name = next(spare)
        schema = properties.get(name, said.get("additionalProperties", {}))
        made[name] = sample(reader, schema if isinstance(schema, dict) else {}, depth=depth - 1)
    return made
