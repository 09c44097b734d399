"""How much work it is to validate a value, told beforehand: a compiled validator cannot be stopped."""

from collections.abc import Iterator

import msgspec

from conformance.contract.limits import UnjudgedError
from conformance.contract.patterns.pattern import read
from conformance.contract.patterns.reader import PatternError
from conformance.contract.references import REFERENCES, Resources, Schema, subschemas
from conformance.model.events import Json
from conformance.model.measure import Measure, measured

LIMIT = 5_000_000
"""Applications of one schema to one value: 0.1 to 0.25 s, at 20 to 50 ns each."""
VISITS = 200_000
"""Schemas that are come to while they are counted: 0.3 s."""
A_STATE = 8
"""States times characters that an application is worth."""
WIDE = 10
"""Applications that the comparison of two integers beyond 64 bits is worth, in an array without duplicates: 250 ns."""
DIALECT = 300
"""Applications of a dialect's own schema to one value."""
MOST = 2**60
"""As far as applications are counted."""
ENDLESS = 2**62
"""Those of a schema that applies itself to the same value again."""

_encode = msgspec.json.Encoder().encode
EACH = ("items", "additionalItems", "unevaluatedItems", "contains")
EACH_PROPERTY = ("additionalProperties", "unevaluatedProperties")


class Effort:
    """A schema, with what makes validation by it costly."""

    def __init__(self, schema: Json) -> None:
        self._schema = schema
        parts = list(subschemas(schema))
        self.size = sum(_of_data(part) for part in parts)
        self._flat = not any(key.startswith("unevaluated") or key in REFERENCES for part in parts for key in part)
        self._unique = any(part.get("uniqueItems") is True for part in parts)
        self._patterns = sum(heaviness(pattern) for part in parts for pattern in patterns_of(part))
        simple = self._flat and not self._unique
        self._short = LIMIT // (self.size + self._patterns * 2 // A_STATE + 1) if simple else None
        """Octets of JSON up to which a value is surely little work; None where its length does not tell."""

    def check(self, value: Json) -> bytes | None:
        """UnjudgedError where validating a value is too much work. Gives the value's JSON, where that told so."""
        if self._short is not None:
            if type(value) is bool or value is None:
                return None
            # the length of its JSON text tells: no part takes less than an octet. To count them takes longer
            try:
                text = _encode(value)
                if len(text) <= self._short:
                    return text
            except (ValueError, RecursionError, OverflowError):  # no Unicode, too deep, a number too long
                pass
        size = measured(value)
        simple = self.size * size.values + self._patterns * (size.characters + size.values) // A_STATE
        rough = simple + (WIDE * size.values * size.values if self._unique and size.wide else 0)
        if not self._flat or rough > LIMIT:
            self._walk(value, size)
        return None

    def _walk(self, value: Json, size: Measure) -> None:
        try:
            work = _Walk(self._schema).count(self._schema, value)
        except RecursionError:
            raise UnjudgedError(f"it is nested {size.depth} deep, or its schema is") from None
        if work >= ENDLESS:
            raise UnjudgedError("its schema refers to itself without end")
        if work > LIMIT:
            raise UnjudgedError(f"it has {size.values} values, and its schema applies to them more than {LIMIT} times")


def patterns_of(part: Schema) -> Iterator[str]:
    """The regular expressions that stand directly in a schema."""
    if isinstance(part.get("pattern"), str):
        yield part["pattern"]
    if isinstance(part.get("patternProperties"), dict):
        yield from part["patternProperties"]


def heaviness(pattern: str) -> int:
    """The states of a pattern's automaton; one that looks around counts for what going back may take."""
    try:
        about = read(pattern)
    except PatternError:
        return 1
    return about.weight * (100 if about.looks else 1)


def _of_data(part: Schema) -> int:
    """What a schema without those in it is worth: itself, and the values that it holds."""
    return 1 + sum(measured(part[key]).values for key in ("enum", "const", "required") if key in part)


class _Walk:
    """Every schema applied to every value that it comes to, each pair looked at once."""

    def __init__(self, root: Json) -> None:
        self._resources = Resources(root)
        self._known: dict[tuple[int, int], int] = {}
        self._own: dict[int, int] = {}
        self._visits = 0

    def count(self, schema: Json, value: Json) -> int:
        """The applications of a schema to a value, those within included."""
        if not isinstance(schema, dict):
            return 1
        self._visits += 1
        if self._visits > VISITS:
            raise UnjudgedError("its schema applies to it in too many places")
        key = (id(schema), id(value))
        if key in self._known:
            return self._known[key]
        self._known[key] = ENDLESS
        same = sum(self.count(each, value) for each in self._resources.beside(schema))
        # What evaluates the rest of a value goes through its neighbours once more to see what they left.
        again = 3 if "unevaluatedProperties" in schema or "unevaluatedItems" in schema else 1
        below = sum(self.count(each, part) for each, part in self._below(schema, value))
        found = self._itself(schema, value) + again * same + below
        self._known[key] = ENDLESS if max(same, below) >= ENDLESS else min(found, MOST)
        return self._known[key]

    def _itself(self, schema: Schema, value: Json) -> int:
        if id(schema) not in self._own:
            self._own[id(schema)] = _of_data(schema)
        own = self._own[id(schema)]
        if isinstance(value, str) and isinstance(schema.get("pattern"), str):
            own += heaviness(schema["pattern"]) * (len(value) + 1) // A_STATE
        if isinstance(value, dict) and isinstance(schema.get("patternProperties"), dict):
            characters = sum(map(len, value)) + len(value)
            own += sum(map(heaviness, schema["patternProperties"])) * characters // A_STATE
        if any(key in schema for key in REFERENCES) and not self._resources.targets(schema):
            # What leads out of the schema is refused, or leads to a dialect's own schema.
            own += DIALECT * measured(value).values
        if isinstance(value, list) and schema.get("uniqueItems") is True:
            size = measured(value)
            own += size.values + (WIDE * len(value) ** 2 if size.wide else 0)
        return own

    def _below(self, schema: Schema, value: Json) -> Iterator[tuple[Json, Json]]:
        """The schemas that apply to the parts of a value, each with its part."""
        if isinstance(value, list):
            yield from _to_items(schema, value)
        elif isinstance(value, dict):
            yield from _to_properties(schema, value)


def _to_items(schema: Schema, value: list[Json]) -> Iterator[tuple[Json, Json]]:
    for key in ("prefixItems", "items"):
        if isinstance(schema.get(key), list):
            yield from zip(schema[key], value, strict=False)
    for key in EACH:
        if isinstance(schema.get(key), dict):
            yield from ((schema[key], each) for each in value)


def _to_properties(schema: Schema, value: Schema) -> Iterator[tuple[Json, Json]]:
    named, patterned = schema.get("properties"), schema.get("patternProperties")
    if isinstance(named, dict):
        yield from ((named[name], each) for name, each in value.items() if name in named)
    if isinstance(patterned, dict):
        yield from ((inner, each) for inner in patterned.values() for each in value.values())
    for key in EACH_PROPERTY:
        if isinstance(schema.get(key), dict):
            yield from ((schema[key], each) for each in value.values())
    if isinstance(schema.get("propertyNames"), dict):
        yield from ((schema["propertyNames"], name) for name in value)
