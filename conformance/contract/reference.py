"""The second validator: jsonschema, slower, which says what breaks where. It counts its steps and can give up."""

from collections.abc import Callable, Iterator
from contextvars import ContextVar
from functools import cache, lru_cache
from itertools import islice
from typing import Any

from conformance.contract.limits import UnjudgedError
from conformance.contract.patterns.matching import matches
from conformance.contract.patterns.pattern import read
from conformance.contract.patterns.reader import PatternError
from conformance.contract.references import REFERENCES, Resources, Schema, endless, subschemas
from conformance.model.events import Json
from conformance.model.measure import measured

STEPS = 30_000
"""Keywords looked at for one value: 0.3 s, at 10 µs each."""
A_STEP = 50
"""Values that are compared, or written into an error's message, in a step."""
SHOWN = 300
"""Characters of an explanation."""
LOOKED_AT = 200
"""Errors among which the best explanation is chosen."""
OVER_INSTANCE = (
    "additionalItems", "additionalProperties", "contains", "items", "patternProperties", "prefixItems",
    "propertyNames", "unevaluatedItems", "unevaluatedProperties", "uniqueItems",
)  # fmt: skip
"""Keywords that look at each part of a value."""
SCALAR = ("type", "pattern", "format", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum",
          "exclusiveMaximum", "multipleOf")  # fmt: skip
"""Keywords that look at one value alone."""
LEVELS = 150
"""Keywords within one another. Each takes three calls, and Python's own limit must not be met: rpds, in which
jsonschema keeps its schemas, does not survive that."""

WORDS: dict[type, dict[Any, str]] = {type(None): {None: "null"}, bool: {True: "true", False: "false"}}
"""How JSON writes what Python writes as None, True and False."""

Keyword = Callable[[Any, Any, Any, Any], Any]


class Steps:
    """Those that one value may take to be judged."""

    def __init__(self, allowed: int = STEPS) -> None:
        self._allowed = allowed
        self.left = allowed
        self.level = 0
        """Keywords within one another that are being looked at."""
        self.search = 1
        """What a reference takes that is no pointer: the whole schema is looked through for its name."""
        self._sizes: dict[int, int] = {}

    @property
    def used(self) -> int:
        """How many were taken."""
        return self._allowed - max(self.left, 0)

    def take(self, count: int) -> None:
        """Takes so many; UnjudgedError where they are not there."""
        self.left -= count
        if self.left < 0:
            raise UnjudgedError("it takes too many steps to compare it with its schema")

    def go_through(self, value: Json) -> None:
        """Takes what it costs to write or compare the whole of a value."""
        if isinstance(value, str):
            self.take(len(value) // (100 * A_STEP))
        elif isinstance(value, list | dict):
            if id(value) not in self._sizes:
                self._sizes[id(value)] = measured(value, A_STEP * (self.left + 1)).values
            self.take(self._sizes[id(value)] // A_STEP)


_STEPS: ContextVar[Steps] = ContextVar("_STEPS")


class Reference:
    """A schema's validator of its dialect. Only what is in the schema is ever looked at."""

    def __init__(self, schema: Json, *, formats: bool) -> None:
        from jsonschema import Draft202012Validator  # noqa: PLC0415 -- half a second that only some runs need
        from referencing.jsonschema import EMPTY_REGISTRY  # noqa: PLC0415 -- as above

        kind = _bounded(_named(schema) or Draft202012Validator)
        self._validator = kind(schema, registry=EMPTY_REGISTRY, format_checker=kind.FORMAT_CHECKER if formats else None)
        self._blurred = _blurred(schema)
        self._size = measured(schema).values

    def valid(self, value: Json, part: Json = None, steps: Steps | None = None) -> bool:
        """Whether a value satisfies the schema, or a part of it; UnjudgedError where that cannot be told."""
        return next(self.errors(value, part, steps), None) is None

    def errors(self, value: Json, part: Json = None, steps: Steps | None = None) -> Iterator[Any]:
        """What breaks the schema, one after the other; UnjudgedError where that cannot be told."""
        from jsonschema.exceptions import UnknownType  # noqa: PLC0415 -- as above
        from referencing.exceptions import Unresolvable  # noqa: PLC0415 -- as above

        if self._blurred:
            raise UnjudgedError(self._blurred)
        validator = self._validator if part is None else self._validator.evolve(schema=part)
        found = validator.iter_errors(value)
        left = steps or Steps()
        left.search = 1 + self._size // A_STEP
        while True:
            token = _STEPS.set(left)
            try:
                error = next(found, None)
            except RecursionError:  # of two values that are compared or written, not of the validator: see LEVELS
                raise UnjudgedError("it is nested too deep") from None
            except Unresolvable as unknown:
                raise UnjudgedError(f"its schema refers to {unknown.ref!r}, which is not in it") from unknown
            except UnjudgedError:
                raise
            except (UnknownType, OverflowError, ValueError) as odd:
                raise UnjudgedError(f"its schema cannot be followed: {type(odd).__name__}") from odd
            finally:
                _STEPS.reset(token)
            if error is None:
                return
            yield error

    def best(self, value: Json) -> Any:
        """The error that says most of what breaks the schema; None: nothing does; UnjudgedError: nobody can tell."""
        from jsonschema.exceptions import best_match  # noqa: PLC0415 -- as above

        return best_match(islice(self.errors(value), LOOKED_AT))

    def why(self, value: Json) -> str:
        """What breaks the schema, in one line; empty where nothing does; UnjudgedError where that cannot be told."""
        error = self.best(value)
        if error is None:
            return ""
        said, shown = error.message, repr(error.instance) if type(error.instance) in WORDS else ""
        if shown and said.startswith(f"{shown} "):
            said = f"{WORDS[type(error.instance)][error.instance]}{said[len(shown) :]}"
        return f"{error.json_path[:SHOWN]}: {said[:SHOWN]}"


def _blurred(schema: Json) -> str:
    """Why a schema cannot be followed, or means one thing to jsonschema and another to the standard; else empty."""
    resources, parts = Resources(schema), list(subschemas(schema))
    if endless(parts, resources.beside):
        return "its schema refers to itself without end"
    if any("unevaluatedProperties" in part for part in parts) and any("patternProperties" in part for part in parts):
        return "its schema has both unevaluatedProperties and patternProperties"
    return ""


def _named(schema: Json) -> Any:
    """The validator of the dialect that a schema names; None where it names none that is known."""
    dialect = schema.get("$schema") if isinstance(schema, dict) else None
    return _of_dialect(dialect.rstrip("#")) if isinstance(dialect, str) else None


@lru_cache(maxsize=64)
def _of_dialect(dialect: str) -> Any:
    from jsonschema import validators  # noqa: PLC0415 -- as above

    try:
        return validators.validator_for({"$schema": dialect}, default=None)
    except ValueError:  # no URL at all
        return None


@cache
def _bounded(kind: Any) -> Any:
    """The validator of a dialect, each of whose keywords counts its steps, and whose patterns are ECMA-262."""
    from jsonschema import validators  # noqa: PLC0415 -- as above

    own: dict[str, Keyword] = {
        "pattern": _pattern,
        "patternProperties": _pattern_properties,
        "additionalProperties": _additional_properties,
        "uniqueItems": _unique_items,
        "enum": _enum,
        "format": _format,
    }
    made: Any = validators.extend(
        kind, {name: _counted(name, own.get(name, function)) for name, function in kind.VALIDATORS.items()}
    )
    fields = [(field.name, field.alias) for field in made.__attrs_attrs__ if field.init]

    def evolve(self: Any, **changes: Any) -> Any:
        # jsonschema's own goes back to the plain validator wherever a part names its dialect.
        schema = changes.setdefault("schema", self.schema)
        named = _named(schema) if isinstance(schema, dict) and "$schema" in schema else None
        for name, alias in fields:
            if alias not in changes:
                changes[alias] = getattr(self, name)
        return (made if named is None else _bounded(named))(**changes)

    made.evolve = evolve
    return made


def _counted(name: str, keyword: Keyword) -> Keyword:
    over_instance, refers, scalar = name in OVER_INSTANCE, name in REFERENCES, name in SCALAR

    def counted(validator: Any, value: Json, instance: Json, schema: Schema) -> Any:
        steps = _STEPS.get()
        large = isinstance(instance, list | dict | str)
        taken = 1 + (len(value) // 10 if isinstance(value, list | dict) else 0)
        if refers and not (value == "#" or str(value).startswith("#/")):
            taken += steps.search
        steps.take(taken + len(instance) if over_instance and large else taken)
        errors = keyword(validator, value, instance, schema)
        if errors is None or (scalar and not large):
            return errors
        return _within(iter(errors), instance, steps)

    return counted


def _within(errors: Iterator[Any], instance: Json, steps: Steps) -> Iterator[Any]:
    """A keyword's errors, each of which holds the whole value, found one level further down."""
    while True:
        steps.level += 1
        try:
            if steps.level > LEVELS:
                raise UnjudgedError("it is nested too deep, or its schema is")
            error = next(errors, None)
        finally:
            steps.level -= 1
        if error is None:
            return
        steps.go_through(instance)
        yield error


def _pattern(validator: Any, pattern: str, instance: Json, _schema: Schema) -> Iterator[Any]:
    from jsonschema import ValidationError  # noqa: PLC0415 -- as above

    if validator.is_type(instance, "string") and not matches(pattern, instance):
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


def _pattern_properties(validator: Any, patterns: dict[str, Json], instance: Json, _schema: Schema) -> Iterator[Any]:
    if isinstance(instance, dict):
        for pattern, schema in patterns.items():
            for name, value in instance.items():
                if matches(pattern, name):
                    yield from validator.descend(value, schema, path=name, schema_path=pattern)


def _additional_properties(validator: Any, additional: Json, instance: Json, schema: Schema) -> Iterator[Any]:
    from jsonschema import ValidationError  # noqa: PLC0415 -- as above

    if not isinstance(instance, dict):
        return
    known, patterns = schema.get("properties", {}), schema.get("patternProperties", {})
    extras = [
        name for name in instance if name not in known and not any(matches(pattern, name) for pattern in patterns)
    ]
    if isinstance(additional, dict):
        for name in extras:
            yield from validator.descend(instance[name], additional, path=name)
    elif not additional and extras:
        said = ", ".join(map(repr, sorted(extras)))
        if patterns:
            yield ValidationError(
                f"{said} {'does' if len(extras) == 1 else 'do'} not match any of the regexes: "
                f"{', '.join(map(repr, sorted(patterns)))}"
            )
        else:
            verb = "was" if len(extras) == 1 else "were"
            yield ValidationError(f"Additional properties are not allowed ({said} {verb} unexpected)")


def _unique_items(validator: Any, unique: Json, instance: Json, _schema: Schema) -> Iterator[Any]:
    from jsonschema import ValidationError  # noqa: PLC0415 -- as above

    if unique and validator.is_type(instance, "array"):
        _STEPS.get().go_through(instance)
        if len({_hashed(each) for each in instance}) < len(instance):
            yield ValidationError(f"{instance!r} has non-unique elements")


def _hashed(value: Json) -> Any:
    """The same for values that JSON calls equal: 1 and 1.0 are, 1 and true are not."""
    if isinstance(value, dict):
        return frozenset((name, _hashed(each)) for name, each in value.items())
    if isinstance(value, list):
        return tuple(_hashed(each) for each in value)
    return (bool, value) if isinstance(value, bool) else value


def _enum(validator: Any, allowed: list[Json], instance: Json, schema: Schema) -> Iterator[Any]:
    from jsonschema import Draft202012Validator  # noqa: PLC0415 -- as above

    if isinstance(instance, list | dict):
        _STEPS.get().go_through(allowed)
    yield from Draft202012Validator.VALIDATORS["enum"](validator, allowed, instance, schema) or ()


def _format(validator: Any, name: str, instance: Json, schema: Schema) -> Iterator[Any]:
    from jsonschema import Draft202012Validator, ValidationError  # noqa: PLC0415 -- as above

    if name != "regex" or not isinstance(instance, str) or validator.format_checker is None:
        yield from Draft202012Validator.VALIDATORS["format"](validator, name, instance, schema) or ()
        return
    try:
        read(instance)
    except PatternError:
        yield ValidationError(f"{instance!r} is not a 'regex'")
