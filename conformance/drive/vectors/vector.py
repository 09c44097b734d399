"""Chooses among many values those that show one thing each, and has two validators agree on every one of them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

import msgspec
from msgspec import Struct

from conformance.contract.dialect import DEFAULT, fault, reference_validator, remote, satisfies
from conformance.contract.schema import compiled
from conformance.drive.vectors.changes import changes
from conformance.drive.vectors.reading import Reader, Schema
from conformance.drive.vectors.sample import sample
from conformance.model.events import Json

LIMIT = 40
A_KEYWORD = 3
"""Vectors that break the same keyword at the same place."""
TRIED = 3_000
WIDEST = 2**63


class Vector(Struct, frozen=True):
    """Arguments for a tool."""

    value: dict[str, Json]
    valid: bool
    keyword: str = ""
    """The one keyword that they break; empty where they are valid."""
    pointer: str = ""
    """JSON Pointer to that keyword in the schema, references followed."""
    origin: str = "own"


def vectors(
    schema: Json,
    example: Mapping[str, Json] | None = None,
    limit: int = LIMIT,
    also: Mapping[str, Sequence[dict[str, Json]]] = MappingProxyType({}),
) -> list[Vector]:
    """At most so many vectors, the same each time: a valid base, other valid ones, and those that break a keyword.

    They start from `example`, valid arguments that are known to work, where there is one: then nothing but the schema
    is broken. `also` are values of other generators by their names, which are judged and chosen from in the same way:
    each of ours comes first. Empty for a schema that is of no use, or that no value was found for.
    """
    found = bases(schema, example)
    if not found:
        return []
    judged = list(_judged(schema, _tried(Reader(schema), schema, found[:2]), "own"))
    known = [vector.value for vector in judged]
    for origin, values in also.items():
        judged += _judged(schema, (value for value in values if value not in known and not _wide(value)), origin)
    return chosen(Vector(found[0], valid=True), judged, limit)


def bases(schema: Json, example: Mapping[str, Json] | None = None) -> list[dict[str, Json]]:
    """Valid arguments to start from: the example, such with all that is required, such with all that is named."""
    if not isinstance(schema, dict) or fault(schema, (DEFAULT,)) or remote(schema):
        return []
    reader = Reader(schema)
    tried = [dict(example)] if example is not None else []
    tried += [base for base in (sample(reader, schema), sample(reader, schema, full=True)) if isinstance(base, dict)]
    return [base for base in tried if satisfies(schema, base)]


def _tried(reader: Reader, schema: Schema, bases: list[dict[str, Json]]) -> Iterator[dict[str, Json]]:
    seen: set[bytes] = set()
    for base in bases:
        for value in [base, *changes(reader, schema, base)]:
            key = _encoded(value)
            if isinstance(value, dict) and key is not None and key not in seen and len(seen) < TRIED:
                seen.add(key)
                yield value


def _encoded(value: Json) -> bytes | None:
    """The JSON of a value; None with an integer beyond 64 bits, at which many readers give up the whole message."""
    return None if _wide(value) else msgspec.json.encode(value, order="deterministic")


def _wide(value: Json) -> bool:
    if isinstance(value, dict):
        return any(map(_wide, value.values()))
    if isinstance(value, list):
        return any(map(_wide, value))
    return isinstance(value, int) and not -WIDEST <= value < WIDEST


def _judged(schema: Schema, values: Iterable[dict[str, Json]], origin: str) -> Iterator[Vector]:
    """Values on which both validators agree, and that break one keyword at the most."""
    decide, explain = compiled(schema), reference_validator(schema, formats=True)
    for value in values:
        errors = list(explain.iter_errors(value))
        if decide.is_valid(value) is bool(errors):
            continue
        if not errors:
            yield Vector(value, valid=True, origin=origin)
        elif len(errors) == 1:
            path = (str(step).replace("~", "~0").replace("/", "~1") for step in errors[0].absolute_schema_path)
            place = "".join(f"/{step}" for step in path)
            yield Vector(value, valid=False, keyword=str(errors[0].validator), pointer=place, origin=origin)


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
