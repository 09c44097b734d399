"""One value that satisfies a schema: small, plain, the same each time."""

import math
from collections.abc import Iterator
from string import ascii_letters, ascii_lowercase

from conformance.contract.references import Schema
from conformance.drive.vectors.reading import Reader, first_items, listed, mapping, other_items
from conformance.drive.vectors.texts import texts
from conformance.model.events import Json
from conformance.model.measure import measured

LONGEST_LIST = 2_000
GIVEN = 8
"""Values of an enumeration that are tried, and of examples."""
LARGEST = 2_000
"""Parts of a value that a schema gives as an example or a constant."""
ANYTHING: Schema = {}


def sample(reader: Reader, schema: Json, *, full: bool = False, depth: int | None = None) -> Json:
    """A value for a schema: with what is required, or (`full`) with everything that it names.

    The best that can be found: where nothing fits, what comes nearest. `depth`: levels that it may still go down.
    """
    depth = reader.depth if depth is None else depth
    full = full and depth > reader.depth - reader.full
    key = (id(schema), full, depth)
    if key not in reader.samples:
        reader.budget.take()
        reader.samples[key] = (schema, _fitting(reader, schema, full=full, depth=depth))
    return reader.samples[key][1]


def _fitting(reader: Reader, schema: Json, *, full: bool, depth: int) -> Json:
    tried: Json = None
    for number, value in enumerate(_candidates(reader, schema, full=full, depth=depth)):
        if number == 0:
            tried = value
        if reader.fits(schema, value):
            return value
    return tried


def _candidates(reader: Reader, schema: Json, *, full: bool, depth: int) -> Iterator[Json]:
    said = reader.merged(schema)
    yield from (value for value in _given(said) if measured(value, LARGEST).values <= LARGEST)
    kinds = said.get("type", _implied(said))
    for kind in kinds if isinstance(kinds, list) else [kinds]:
        yield from _of_kind(reader, str(kind), said, full=full, depth=depth)
    for key in ("anyOf", "oneOf"):
        for branch in listed(said, key) if depth else []:
            yield sample(reader, branch, full=full, depth=depth - 1)


def _given(said: Schema) -> Iterator[Json]:
    """The values that a schema itself names."""
    if "const" in said:
        yield said["const"]
    yield from listed(said, "enum")[:GIVEN]
    if "default" in said:
        yield said["default"]
    yield from listed(said, "examples")[:GIVEN]


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
                found = sample(reader, said["contains"], depth=depth - 1)
                yield from ([found], [*items(reader, said, len(first_items(said)), depth), found])
        case _:
            yield _object(reader, said, full=full, depth=depth)
            yield _object(reader, said, full=not full, depth=depth)


def numbers(said: Schema) -> Iterator[int | float]:
    """Numbers at and near the bounds."""
    step = number(said, "multipleOf")
    for key, moves in (
        ("minimum", (0, 1)),
        ("exclusiveMinimum", (1, 0.5)),
        ("maximum", (0, -1)),
        ("exclusiveMaximum", (-1, -0.5)),
    ):
        bound = number(said, key)
        if bound is not None:
            yield from (moved for move in moves if (moved := _sum(bound, move)) is not None)
            stepped = _multiple(bound, step, 1 if "inimum" in key else -1)
            yield from [] if stepped is None else [stepped]
    yield from [] if step is None else [step]
    yield from (1, 0, -1, 0.5)


def number(said: Schema, key: str) -> int | float | None:
    """What a keyword says where that is a number."""
    value = said.get(key)
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _sum(first: float, second: float) -> int | float | None:
    try:
        return first + second
    except OverflowError:  # an integer that no floating-point number reaches
        return None


def _multiple(bound: float, step: float | None, way: int) -> int | float | None:
    """The multiple next to a bound, upwards or downwards; None where numbers do not go so far."""
    try:
        found = (bound // step + way) * step if step is not None and step > 0 else None
    except OverflowError:
        return None
    return found if found is None or isinstance(found, int) or math.isfinite(found) else None


def _count(said: Schema, *, full: bool) -> int:
    least = said.get("minItems", 0)
    return max(least if isinstance(least, int) else 0, 1 if full else 0)


def items(reader: Reader, said: Schema, count: int, depth: int) -> list[Json]:
    """An array of so many entries, no two of them equal where that can be had; an empty one where that is too long."""
    if count > LONGEST_LIST:
        return []
    first, rest = first_items(said), other_items(said)
    made: list[Json] = []
    for place in range(count):
        schema = first[place] if place < len(first) else rest
        value = sample(reader, schema, depth=depth - 1) if depth else None
        reader.budget.take()
        made.append(value if value not in made else _another(reader, schema, value, place))
    return made


def _another(reader: Reader, schema: Json, value: Json, place: int) -> Json:
    """A value like another one, and not equal to it."""
    said = reader.merged(schema)
    known = listed(said, "enum")
    if known:
        return known[place % len(known)]
    match value:
        case bool():
            return not value
        case str():
            others = (made for made in _others(value, place) if made != value and reader.fits(schema, made))
            # where none of them fits, equal entries may still do
            return next(others, value)
        case int() | float():
            moved = _sum(value, place)
            return value if moved is None else moved
        case dict():
            reader.budget.take(len(value))
            properties = mapping(said, "properties")
            changed = (
                (key, _another(reader, properties.get(key, ANYTHING), each, place)) for key, each in value.items()
            )
            return dict(changed) or {"n": place}
        case _:
            return value


def _others(value: str, place: int) -> Iterator[str]:
    """Strings that differ from those of other places, by digits or by letters: a pattern may take either alone."""
    number, padded = str(place), f"{place:03}"
    letters = ""
    while place:
        place, letter = divmod(place, len(ascii_lowercase))
        letters = ascii_lowercase[letter] + letters
    # what is replaced has one length, so that none is like that of another place
    yield from (value + number, value[: -len(padded)] + padded)
    for tail in (letters, letters.upper(), number):
        yield from (value + tail, value[: -len(tail)] + tail, tail)


def _object(reader: Reader, said: Schema, *, full: bool, depth: int) -> Json:
    properties = mapping(said, "properties")
    required = [name for name in listed(said, "required") if isinstance(name, str)]
    wanted = list(dict.fromkeys([*required, *(properties if full else ())]))
    made: dict[str, Json] = {}
    for name in wanted if depth else ():
        reader.budget.take()
        made[name] = sample(reader, properties.get(name, ANYTHING), full=full, depth=depth - 1)
    least = said.get("minProperties", 0)
    spare = iter([*(name for name in properties if name not in made), *(f"key{letter}" for letter in ascii_letters)])
    while isinstance(least, int) and len(made) < min(least, len(ascii_letters)):
        name = next(spare)
        schema = properties.get(name, said.get("additionalProperties", ANYTHING))
        made[name] = sample(reader, schema if isinstance(schema, dict) else ANYTHING, depth=depth - 1)
    return made
