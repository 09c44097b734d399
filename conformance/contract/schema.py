"""JSON Schemas, compiled once. jsonschema-rs decides; jsonschema, slower, agrees and says why.

Nothing outside a schema is ever looked up, and what would take too long is not judged.
"""

import json
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from hashlib import blake2b
from typing import Any, Protocol

import jsonschema_rs

from conformance.contract.effort import Effort, patterns_of
from conformance.contract.limits import Shelf, UnjudgedError
from conformance.contract.patterns.matching import backtracking, linear
from conformance.contract.patterns.pattern import HEAVIEST, Pattern, read
from conformance.contract.patterns.reader import PatternError
from conformance.contract.patterns.spelling import spelled
from conformance.contract.reference import Reference
from conformance.contract.references import DATA, NAMED, REFERENCES, Resources, subschemas
from conformance.model.events import Json
from conformance.model.measure import measured

KEPT = 200_000
"""Parts of the schemas that are kept compiled, the states of their patterns included: some 200 MB."""


LARGEST = 100_000
"""Parts of a schema."""
REMEMBERED = 1_000
"""Values that are remembered, and octets of one."""
SHORT = 100
"""Characters of a text that is remembered."""
BARE = (str, bool, type(None))
"""Types of values without parts, of which a contract has few; numbers are many."""
DISAGREE = "two validators disagree"
A_VALUE = 50
"""Characters that count as one of its parts."""
DEEPEST = 250
"""Levels of a schema: jsonschema-rs takes 255."""


class Validator(Protocol):
    """What a compiled schema can be asked."""

    def is_valid(self, instance: Json) -> bool:
        """Whether the value satisfies the schema; UnjudgedError where that cannot be told."""


class SchemaError(ValueError):
    """The schema itself is not valid, or points to what is not in it."""


class _Offline:
    """Refuses to fetch: a schema that needs the network is no schema that a client can use."""

    def __call__(self, uri: str) -> Json:
        raise LookupError(f"{uri} is not in the schema, and nothing is fetched")


class Compiled:
    """A schema as both validators have it."""

    def __init__(self, schema: Json, *, formats: bool) -> None:
        size = measured(schema, LARGEST)
        if size.values > LARGEST:
            raise UnjudgedError(f"its schema has more than {LARGEST} parts")
        if size.depth > DEEPEST:
            raise UnjudgedError(f"its schema is nested deeper than {DEEPEST}")
        self._schema = schema
        self._formats = formats
        self._effort = Effort(schema)
        self._agreed: dict[bytes, bool] = {}
        """By their JSON, values that were judged: calls that are refused come again with the same arguments."""
        self._bare: dict[tuple[Json, type], bool] = {}
        """By themselves, values that have no parts."""
        patterns = {text: _read(text) for part in subschemas(schema) for text in patterns_of(part)}
        known = [each for each in patterns.values() if each is not None]
        states = sum(each.weight for each in known)
        if states > HEAVIEST:
            raise UnjudgedError("the patterns of its schema count too far")
        self.weight = size.values + size.characters // A_VALUE + states
        looks = any(each.looks for each in known)
        respelled = {text: spelled(each.tree, looks=looks) for text, each in patterns.items() if each is not None}
        self.sure = len(known) == len(patterns) and not looks
        """Whether the fast validator has every pattern of it, and none at which it may give up without a word."""
        try:
            self._decide = jsonschema_rs.validator_for(
                _respelled(schema, respelled) if patterns else schema,
                validate_formats=formats,
                retriever=_Offline(),
                pattern_options=backtracking() if looks else linear(),
            ).is_valid
        except (ValueError, LookupError, RecursionError) as error:
            raise SchemaError(_outward(schema) or str(error).split("\n", 1)[0][:300]) from error

    @cached_property
    def reference(self) -> Reference:
        """The second validator."""
        return Reference(self._schema, formats=self._formats)

    def is_valid(self, instance: Json) -> bool:
        """Whether the value satisfies the schema; UnjudgedError where that cannot be told."""
        if type(instance) in BARE:
            # codes and flags come again in every answer; true is no 1
            key = instance, type(instance)
            known = self._bare.get(key)
            if known is None:
                known = self._judged(instance)
                if len(self._bare) < REMEMBERED and (type(instance) is not str or len(instance) <= SHORT):
                    self._bare[key] = known
            return known
        return self._judged(instance)

    def _judged(self, instance: Json) -> bool:
        return self._fast(instance) if self.sure else self.agreed(instance)

    def agreed(self, instance: Json) -> bool:
        """The same, and both validators say so."""
        text = self._effort.check(instance)
        known = self._agreed.get(text) if text is not None else None
        if known is not None:
            return known
        fast = self._decided(instance)
        if fast is not self.reference.valid(instance):
            raise UnjudgedError(DISAGREE)
        if text is not None and len(text) <= REMEMBERED and len(self._agreed) < REMEMBERED:
            self._agreed[text] = fast
        return fast

    def _fast(self, instance: Json) -> bool:
        self._effort.check(instance)
        return self._decided(instance)

    def _decided(self, instance: Json) -> bool:
        return decided(self._decide, instance)


_COMPILED: Shelf[tuple[bytes, bool], Compiled] = Shelf(KEPT)
_BY_IDENTITY: Shelf[tuple[int, bool], tuple[Json, Compiled]] = Shelf(KEPT)
"""Held with their schemas, so that the identity stays theirs: to write a schema as text takes 50 times as long."""


def compiled(schema: Json, *, formats: bool = True) -> Compiled:
    """A validator, compiled once for equal schemas.

    SchemaError where the schema is not valid, UnjudgedError where it cannot be told what it means.
    Formats are asserted unless said otherwise: the contracts read `format` as a rule, MCP's own dialect as a remark.
    """
    known = _BY_IDENTITY.get((id(schema), formats))
    if known is not None and known[0] is schema:
        return known[1]
    try:
        key = blake2b(json.dumps(schema, sort_keys=True).encode()).digest()
    except RecursionError:
        raise UnjudgedError("its schema is nested too deep") from None
    made = _COMPILED.get((key, formats))
    if made is None:
        made = Compiled(schema, formats=formats)
        _COMPILED.put((key, formats), made, made.weight)
    _BY_IDENTITY.put((id(schema), formats), (schema, made), made.weight)
    return made


def decided(decide: Callable[[Json], bool], value: Json) -> bool:
    """What the fast validator says of a value; UnjudgedError where it does not take the value."""
    try:
        return decide(value)
    except UnicodeEncodeError:
        raise UnjudgedError("a text in it is no Unicode") from None
    except ValueError:  # values that are compared, such as those of an array without duplicates
        raise UnjudgedError("two parts of it have to differ, and are nested too deep to be compared") from None


def satisfied(schema: Json, value: Json) -> bool | None:
    """Whether a value satisfies a schema that is sound; None where nobody can tell, since it is too large or too deep.

    The fast validator takes no text that is no Unicode; the other one does.
    """
    judged = compiled(schema)
    try:
        return judged.is_valid(value)
    except UnjudgedError:
        with suppress(UnjudgedError):
            return judged.reference.valid(value)
    return None


def why(schema: Json, value: Json, *, formats: bool = True) -> str:
    """What in a value breaks the schema, in one line; empty where nothing does or nothing more can be said."""
    try:
        return compiled(schema, formats=formats).reference.why(value)
    except ValueError:  # what both validators have decided may still take too long to explain
        return ""


def _outward(schema: Json) -> str:
    """A reference of a schema that leads out of it; empty where there is none."""
    resources = Resources(schema)
    for part in subschemas(schema):
        for key in REFERENCES:
            reference = part.get(key)
            if isinstance(reference, str) and resources.target(part, reference) is None:
                return f"it refers to {reference[:200]!r}, which is not in it, and nothing is fetched"
    return ""


def _read(pattern: str) -> Pattern | None:
    try:
        return read(pattern)
    except PatternError:
        return None


def _respelled(schema: Json, spellings: dict[str, str]) -> Json:
    """The schema with its patterns in the engine's spelling, without those that cannot be told.

    Those never count for the fast validator alone: the other one is asked as well, and gives up where it meets one.
    """
    if isinstance(schema, list):
        return [_respelled(each, spellings) for each in schema]
    if not isinstance(schema, dict):
        return schema
    made: dict[str, Any] = {}
    for key, value in schema.items():
        if key == "pattern" and isinstance(value, str):
            made |= {key: spellings[value]} if value in spellings else {}
        elif key == "patternProperties" and isinstance(value, dict):
            made[key] = _respelled_names(value, spellings)
        elif key in NAMED and isinstance(value, dict):
            made[key] = {name: _respelled(each, spellings) for name, each in value.items()}
        else:
            made[key] = value if key in DATA else _respelled(value, spellings)
    return made


def _respelled_names(named: dict[str, Json], spellings: dict[str, str]) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for name, schema in named.items():
        if name in spellings:
            own, inner = spellings[name], _respelled(schema, spellings)
            found[own] = {"allOf": [found[own], inner]} if own in found else inner
    return found
