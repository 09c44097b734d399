"""Chooses among many values those that show one thing each, and has two validators agree on every one of them."""

from collections import Counter
from collections.abc import Iterator, Mapping

import msgspec
from msgspec import Struct

from conformance.contract.dialect import fault, reference_validator, satisfies
from conformance.drive.vectors.changes import changes
from conformance.drive.vectors.reading import Reader, Schema
from conformance.drive.vectors.sample import sample
from conformance.model.events import Json

LIMIT = 40
A_KEYWORD = 3
"""Vectors that break the same keyword at the same place."""
TRIED = 3_000


class Vector(Struct, frozen=True):
    """Arguments for a tool."""

    value: dict[str, Json]
    valid: bool
    keyword: str = ""
    """The one keyword that they break; empty where they are valid."""
    pointer: str = ""
    """JSON Pointer to that keyword in the schema."""
    origin: str = "own"


def vectors(schema: Json, example: Mapping[str, Json] | None = None, limit: int = LIMIT) -> list[Vector]:
    """At most so many vectors, the same each time: a valid base, other valid ones, and those that break a keyword.

    They start from `example`, valid arguments that are known to work, where there is one: then nothing but the schema
    is broken. Empty for a schema that is not valid, or that no value was found for.
    """
    if not isinstance(schema, dict) or fault(schema, ("https://json-schema.org/draft/2020-12/schema",)):
        return []
    reader = Reader(schema)
    bases = [dict(example)] if example is not None and satisfies(schema, dict(example)) else []
    bases += [base for base in (sample(reader, schema), sample(reader, schema, full=True)) if isinstance(base, dict)]
    bases = [base for base in bases if satisfies(schema, base)]
    if not bases:
        return []
    found = list(_judged(schema, _tried(reader, schema, bases[:2])))
    return chosen(Vector(bases[0], valid=True), found, limit)


def _tried(reader: Reader, schema: Schema, bases: list[dict[str, Json]]) -> Iterator[dict[str, Json]]:
    seen: set[bytes] = set()
    for base in bases:
        for value in [base, *changes(reader, schema, base)]:
            key = _encoded(value)
            if isinstance(value, dict) and key is not None and key not in seen and len(seen) < TRIED:
                seen.add(key)
                yield value


def _encoded(value: Json) -> bytes | None:
    """The JSON of a value, None where it has none: integers end at 64 bits in what is sent."""
    try:
        return msgspec.json.encode(value, order="deterministic")
    except (OverflowError, ValueError):
        return None


def _judged(schema: Schema, values: Iterator[dict[str, Json]]) -> Iterator[Vector]:
    """Values on which both validators agree, and that break one keyword at the most."""
    explain = reference_validator(schema, formats=True)
    for value in values:
        if satisfies(schema, value):
            yield Vector(value, valid=True)
        elif satisfies(schema, value) is False:
            errors = list(explain.iter_errors(value))
            if len(errors) == 1:
                place = "".join(
                    f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in errors[0].absolute_schema_path
                )
                yield Vector(value, valid=False, keyword=str(errors[0].validator), pointer=place)


def chosen(base: Vector, found: list[Vector], limit: int) -> list[Vector]:
    """So many of them: one a keyword and place first, then more of the same, valid ones a quarter."""
    valid = _by_turns(base, [vector for vector in found if vector.valid and vector.value != base.value])
    times: Counter[tuple[str, str]] = Counter()
    ranked: list[tuple[int, int, Vector]] = []
    for number, vector in enumerate(each for each in found if not each.valid):
        place = (vector.keyword, vector.pointer)
        times[place] += 1
        if times[place] <= A_KEYWORD:
            ranked.append((times[place], number, vector))
    invalid = [vector for _, _, vector in sorted(ranked, key=lambda each: each[:2])]
    broken = invalid[: max(limit - 1 - limit // 4, limit - 1 - len(valid))]
    return [base, *valid[: limit - 1 - len(broken)], *broken][:limit]


def _by_turns(base: Vector, valid: list[Vector]) -> list[Vector]:
    """In turns by the argument in which they differ from the base, so that every argument gets its share."""
    times: Counter[str] = Counter()
    ranked: list[tuple[int, int, Vector]] = []
    for number, vector in enumerate(valid):
        names = (
            name for name in {**base.value, **vector.value} if base.value.get(name, ...) != vector.value.get(name, ...)
        )
        changed = " ".join(sorted(names))
        times[changed] += 1
        ranked.append((times[changed], number, vector))
    return [vector for _, _, vector in sorted(ranked, key=lambda each: each[:2])]
