"""Arguments with one thing changed: a parameter left out, mistyped, at either side of what its schema allows."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from conformance.contract.schema import compiled
from conformance.drive.sweeps.texts import NUL, longest
from conformance.model.arguments import properties
from conformance.model.events import Json

LARGE = 2**53 - 1
"""The largest whole number that every reader of JSON keeps."""
LONG = 100_000
"""Longer texts are not made: they would test the transport."""
NO_VALUE = "no-such-value"
DEEPEST = 3
"""Lists and objects in one another of which the parts are changed."""
OF_ANOTHER_TYPE: Mapping[str, Json] = {
    "string": 7,
    "integer": "ten",
    "number": "ten",
    "boolean": "yes",
    "array": "none",
    "object": "none",
}
"""By type, a value that nobody takes for one of it."""

SPELLED = frozenset(("integer", "number", "boolean"))
"""Types of which each value is a text as well, in other hands."""

Schema = dict[str, Json]


class Variant(NamedTuple):
    """The arguments of a working call with one parameter changed."""

    parameter: str
    arguments: dict[str, Json]


def variants(schema: Schema, good: Mapping[str, Json], leave: Sequence[str] = ()) -> Iterator[Variant]:
    """Each parameter but those in `leave`: left out where it is given, then each value within and beyond its bounds.

    Of lists and objects that are given, also what is in them: an entry or a key at a time.
    """
    for name, about in properties(schema).items():
        if name in leave or not isinstance(about, dict):
            continue
        if name in good:
            rest = {key: value for key, value in good.items() if key != name}
            yield Variant(name, rest)
        for value in (*within(about), *beyond(about)):
            if name not in good or good[name] != value:
                yield Variant(name, {**good, name: value})
        for value in inside(about, good.get(name)):
            yield Variant(name, {**good, name: value})


def broken(schema: Schema, good: Mapping[str, Json], leave: Sequence[str] = ()) -> Iterator[Variant]:
    """Those that the schema does not allow."""
    judged = compiled(schema)
    return (each for each in variants(schema, good, leave) if not judged.is_valid(each.arguments))


def spelled_out(schema: Schema, good: Mapping[str, Json], leave: Sequence[str] = ()) -> Iterator[Variant]:
    """Each number and boolean as the text that spells it, where the schema allows no text: some servers read it so."""
    judged = compiled(schema)
    for name, about in properties(schema).items():
        if name in leave or not isinstance(about, dict) or not SPELLED.intersection(kinds_of(about)):
            continue
        plain = next((each for each in (good.get(name), *within(about)) if isinstance(each, bool | int | float)), 1)
        each = Variant(name, {**good, name: json.dumps(plain)})
        if not judged.is_valid(each.arguments):
            yield each


def allowed(schema: Schema, good: Mapping[str, Json], leave: Sequence[str] = ()) -> Iterator[Variant]:
    """Those that it allows, but for texts with U+0000: whether they are taken is a server's own."""
    judged = compiled(schema)
    found = (each for each in variants(schema, good, leave) if each.arguments.get(each.parameter) != NUL)
    return (each for each in found if judged.is_valid(each.arguments))


def within(about: Schema) -> Iterator[Json]:
    """What a parameter's schema allows at its bounds: each value of a few, the least and the most, the lengths."""
    kinds = kinds_of(about)
    if "enum" in about:
        yield from about["enum"]
    elif "boolean" in kinds:
        yield from (True, False)
    elif "integer" in kinds:
        yield from (bound for bound in _bounds(about) if bound is not None)
    elif "string" in kinds and "pattern" not in about and "format" not in about:
        yield from (longest(length) for length in _lengths(about) if 0 < length <= LONG)


def beyond(about: Schema) -> Iterator[Json]:
    """What it does not allow: another type, one less than the least, one more than the most, no value of the few.

    U+0000 in a text, and a number that is large or negative, where the schema says nothing of it: whether these are
    taken is a server's own.
    """
    kinds = kinds_of(about)
    yield from (OF_ANOTHER_TYPE[kind] for kind in kinds[:1])
    if "enum" in about:
        yield from (NO_VALUE,) if "string" in kinds else ()
    elif isinstance(about.get("const"), str):
        yield NO_VALUE
    elif "integer" in kinds:
        least, most = _bounds(about)
        yield -1 if least is None else least - 1
        yield LARGE if most is None else most + 1
        yield from (said + 1,) if most is None and (said := _whole(about.get("maximum"))) is not None else ()
    elif "string" in kinds and "pattern" not in about:
        yield NUL
        least, most = (_whole(about.get(key)) for key in ("minLength", "maxLength"))
        yield from (longest(least - 1),) if least else ()
        yield from (longest(most + 1),) if most is not None and most < LONG else ()


def inside(about: Schema, good: Json, depth: int = DEEPEST) -> Iterator[Json]:
    """A list with another entry, an object with a key left out or another value, beyond what each of them may be.

    `good`: the value that is given; what lies deeper in it is changed likewise. Of a list's entries one of each shape.
    """
    if depth == 0:
        return
    about = _meant(about, good)
    entry, known = about.get("items"), about.get("properties")
    if isinstance(good, list) and isinstance(entry, dict):
        for place, one in _unlike(good):
            for value in (*beyond(_meant(entry, one)), *inside(entry, one, depth - 1)):
                yield [*good[:place], value, *good[place + 1 :]]
    elif isinstance(good, dict) and isinstance(known, dict):
        for name, part in known.items():
            if name in good:
                yield {key: value for key, value in good.items() if key != name}
            if not isinstance(part, dict):
                continue
            for value in (*beyond(part), *inside(part, good.get(name), depth - 1)):
                yield {**good, name: value}


def _meant(about: Schema, good: Json) -> Schema:
    """Of a schema of alternatives the one that a good value satisfies, any other schema as it is."""
    several = about.get("oneOf", about.get("anyOf"))
    if not isinstance(several, list):
        return about
    return next((each for each in several if isinstance(each, dict) and compiled(each).is_valid(good)), about)


def _unlike(entries: Sequence[Json]) -> list[tuple[int, Json]]:
    """The places of the entries that have other keys than those before them: the first, where none has any."""
    found: dict[frozenset[str], tuple[int, Json]] = {}
    for place, entry in enumerate(entries or [None]):
        found.setdefault(frozenset(entry if isinstance(entry, dict) else ()), (place, entry))
    return list(found.values())


def kinds_of(about: Schema) -> list[str]:
    """The types that a schema names."""
    said = about.get("type")
    return [str(kind) for kind in (said if isinstance(said, list) else [said]) if kind in OF_ANOTHER_TYPE]


def _bounds(about: Schema) -> tuple[int | None, int | None]:
    least, most = (_whole(about.get(key)) for key in ("minimum", "maximum"))
    return least, None if most is not None and most > LARGE else most


def _lengths(about: Schema) -> list[int]:
    return [length for key in ("minLength", "maxLength") if (length := _whole(about.get(key))) is not None]


def _whole(value: Json) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
