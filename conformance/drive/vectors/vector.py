"""Arguments for a tool, made from its schema: such as satisfy it, and such as break one keyword of it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import chain
from types import MappingProxyType

import msgspec
from jsonschema.exceptions import ValidationError
from msgspec import Struct

from conformance.contract.dialect import DEFAULT, dialect_of, fault, remote
from conformance.contract.limits import UnjudgedError
from conformance.contract.schema import SchemaError, compiled
from conformance.drive.vectors.bases import LARGEST, LONGEST, Bases
from conformance.drive.vectors.budget import Budget, OverspentError
from conformance.drive.vectors.changes import changes
from conformance.drive.vectors.choosing import Chosen, Vector, Way
from conformance.drive.vectors.reading import Reader
from conformance.model.events import Json
from conformance.model.measure import measured
from conformance.model.pointer import pointer_of
from conformance.model.texts import decoded

LIMIT = 40
TRIED = 3_000


class Generated(Struct, frozen=True):
    """What was made for a tool."""

    vectors: tuple[Vector, ...] = ()
    """The first of them is valid: the others were made from it."""
    why: str = ""
    """Why there are none."""


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
    return list(generated(schema, example, limit, also=also).vectors)


def generated(
    schema: Json,
    example: Mapping[str, Json] | None = None,
    limit: int = LIMIT,
    budget: Budget | None = None,
    also: Mapping[str, Sequence[dict[str, Json]]] = MappingProxyType({}),
) -> Generated:
    """The same, and why there are none. What the budget does not reach to is left out; a limit of 1 gives the base."""
    making = _Making(schema, limit, budget or Budget())
    try:
        why = _unfit(schema) or making.begin(example)
        if not why and limit > 1:
            making.change(also)
    except (OverspentError, SchemaError, UnjudgedError) as error:
        why = str(error)
    except RecursionError:
        why = "it is nested too deep"
    vectors = making.vectors()
    return Generated(tuple(vectors), "" if vectors else why)


class _Making:
    """The vectors of one schema, as far as they are made: what is cut short keeps what was found."""

    def __init__(self, schema: Json, limit: int, budget: Budget) -> None:
        self._schema = schema
        self._limit = limit
        self._budget = budget
        self._found: list[dict[str, Json]] = []
        self._chosen: Chosen | None = None
        self._reader: Reader

    def begin(self, example: Mapping[str, Json] | None) -> str:
        """Finds values to start from; why there are none."""
        self._reader = Reader(self._schema, compiled(self._schema).reference, self._budget)
        bases = Bases(self._reader, self._schema)
        self._found = bases.found
        if example is not None:
            bases.take(dict(example))
        bases.add_plain()
        if self._limit > 1 or not bases.found:
            bases.add_full()
        return "" if bases.found else bases.why

    def change(self, also: Mapping[str, Sequence[dict[str, Json]]]) -> None:
        """Changes them place by place, until no further change could be chosen any more."""
        chosen = self._chosen = Chosen(self._base, self._limit)
        for vector, way in self._judged(self._tried(), "own"):
            chosen.add(vector, way)
            if chosen.settled and not also:
                return
        for origin, values in also.items():
            known = [vector.value for vector in chosen.found]
            others = (value for value in values if value not in known and self._encoded(value) is not None)
            for vector, way in self._judged(others, origin):
                chosen.add(vector, way)

    def vectors(self) -> list[Vector]:
        """The best of what was found, the base first."""
        if not self._found:
            return []
        return [self._base] if self._chosen is None else self._chosen.best()

    @property
    def _base(self) -> Vector:
        return Vector(self._found[0], valid=True)

    def _tried(self) -> Iterator[dict[str, Json]]:
        seen: set[bytes] = set()
        # the fullest comes last: what only several arguments together break shows in no other
        bases = [*self._found[:1], *self._found[1:][-1:]]
        changed = (chain([base], changes(self._reader, self._schema, base)) for base in bases)
        for value in chain.from_iterable(changed):
            key = self._encoded(value) if isinstance(value, dict) else None
            if key is not None and key not in seen:
                if len(seen) >= TRIED:
                    return
                seen.add(key)
                yield value

    def _encoded(self, value: Json) -> bytes | None:
        """A value's JSON, shortened; None where it is too large, or has a number at which many readers give it up."""
        size = measured(value, LARGEST)
        self._budget.take(1 + size.values // 20 + size.characters // 2_000)
        if size.values > LARGEST or size.characters > LONGEST or size.wide:
            return None
        try:
            return blake2b(msgspec.json.encode(value, order="deterministic"), digest_size=16).digest()
        except UnicodeEncodeError:  # half a pair of surrogates
            return None

    def _judged(self, values: Iterable[dict[str, Json]], origin: str) -> Iterator[tuple[Vector, Way]]:
        """Values on which both validators agree, and that break one keyword at the most."""
        both = compiled(self._schema)
        for value in values:
            steps = self._budget.steps()
            try:
                errors = list(both.reference.errors(value, steps=steps))
                if both.is_valid(value) is bool(errors):
                    continue
            except UnjudgedError:
                continue
            finally:
                self._budget.spent(steps)
            if not errors:
                yield Vector(value, valid=True, origin=origin), Way()
            elif len(errors) == 1:
                place, keyword = pointer_of(errors[0].absolute_schema_path), str(errors[0].validator)
                yield Vector(value, valid=False, keyword=keyword, pointer=place, origin=origin), _way(errors[0])


def _way(error: ValidationError) -> Way:
    """How a keyword is broken."""
    wanted, given = error.validator_value, error.instance
    if error.validator == "required" and isinstance(wanted, list) and isinstance(given, dict):
        return Way(missing=tuple(name for name in wanted if isinstance(name, str) and name not in given))
    return Way(kind=_kind(given), within=_nearest(error))


def _nearest(error: ValidationError) -> str:
    """What alone keeps a value from a branch, where that is more than its type; empty where several things do."""
    branches: dict[object, list[ValidationError]] = {}
    for inner in error.context or () if error.validator in ("anyOf", "oneOf") else ():
        branches.setdefault(inner.relative_schema_path[0], []).append(inner)
    alone = (found[0] for found in branches.values() if len(found) == 1)
    near = next((each for each in alone if each.validator not in ("type", "const", "enum")), None)
    missing = f" {near.message}" if near is not None and near.validator == "required" else ""
    return "" if near is None else pointer_of(near.absolute_schema_path) + missing


def _kind(value: Json) -> str:
    """What a value is to one who looks at its type."""
    if isinstance(value, bool) or value is None:
        return "a constant of JSON" if value is None else "a boolean"
    if isinstance(value, int | float):
        return "a whole number" if isinstance(value, int) or value.is_integer() else "a fraction"
    if isinstance(value, str):
        return "a text" if isinstance(decoded(value), str) else "a value as text"
    return "an array" if isinstance(value, list) else "an object"


def _unfit(schema: Json) -> str:
    """Why a schema cannot be used at all; empty where it can."""
    if not isinstance(schema, dict):
        return "it is no object"
    wrong = fault(schema, (dialect_of(schema) or DEFAULT,))
    if wrong:
        return f"it is not valid: {wrong}"
    far = remote(schema)
    return f"it refers to {far[0][:200]}, and nothing is fetched" if far else ""
