"""What a schema that a server lists says of itself: its dialect, whether it is valid there, what it refers to."""

from collections.abc import Iterator
from functools import cache
from typing import Any
from urllib.parse import urldefrag, urljoin, urlsplit

import jsonschema_rs

from conformance.contract.schema import SchemaError, Validator
from conformance.model.events import Json

DIALECTS = {
    "http://json-schema.org/draft-04/schema": jsonschema_rs.Draft4Validator,
    "http://json-schema.org/draft-06/schema": jsonschema_rs.Draft6Validator,
    "http://json-schema.org/draft-07/schema": jsonschema_rs.Draft7Validator,
    "https://json-schema.org/draft/2019-09/schema": jsonschema_rs.Draft201909Validator,
    "https://json-schema.org/draft/2020-12/schema": jsonschema_rs.Draft202012Validator,
}
DEFAULT = "https://json-schema.org/draft/2020-12/schema"
DATA = ("const", "enum", "default", "examples")
"""Keywords whose values are data, in which nothing is a schema."""
NAMED = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies")
"""Keywords whose values hold schemas by name."""


@cache
def _meta(dialect: str) -> Validator:
    return DIALECTS[dialect]({"$ref": dialect})


def dialect_of(schema: Json) -> str | None:
    """The dialect that a schema names, the default where it names none, None where it is not known here."""
    named = schema.get("$schema", DEFAULT) if isinstance(schema, dict) else DEFAULT
    known = named.rstrip("#") if isinstance(named, str) else ""
    return known if known in DIALECTS else None


def fault(schema: Json, dialects: tuple[str, ...]) -> str:
    """Why a schema is valid in none of these dialects, in one line; empty where it is valid in one."""
    if not isinstance(schema, dict | bool):
        return f"it is no object: {str(schema)[:80]!r}"
    said = ""
    for dialect in dialects:
        try:
            error = next(_errors(dialect, schema), None)
        except RecursionError:
            return "it is nested too deep"
        if error is None:
            return _dangling(schema)
        said = said or error
    return said


def _errors(dialect: str, schema: Json) -> Iterator[str]:
    for error in _meta(dialect).iter_errors(schema):  # type: ignore[attr-defined]  # every validator of jsonschema-rs has it
        place = "/".join(map(str, error.instance_path))
        yield f"/{place}: {error.message[:200]}"


def _dangling(schema: Json) -> str:
    """A reference to a place in the schema where nothing is."""
    for found in subschemas(schema):
        pointer = found.get("$ref")
        if (
            isinstance(pointer, str)
            and pointer.startswith("#/")
            and "$id" not in schema
            and pointed(schema, pointer) is None
        ):
            return f"{pointer} points to nothing"
    return ""


def pointed(schema: Json, pointer: str) -> Json:
    """What a local reference points to, None where nothing is there."""
    found = schema
    for step in pointer.removeprefix("#").split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        if isinstance(found, dict) and name in found:
            found = found[name]
        elif isinstance(found, list) and name.isdigit() and int(name) < len(found):
            found = found[int(name)]
        else:
            return None
    return found


def subschemas(schema: Json) -> Iterator[dict[str, Any]]:
    """A schema and every schema in it; what is data in it is passed over."""
    waiting: list[Json] = [schema]
    while waiting:
        found = waiting.pop()
        if isinstance(found, list):
            waiting += found
        if not isinstance(found, dict):
            continue
        yield found
        for key, value in found.items():
            if key in NAMED and isinstance(value, dict):
                waiting += value.values()
            elif key not in DATA:
                waiting.append(value)


def remote(schema: Json) -> list[str]:
    """References of a schema that only the network could resolve."""
    if not isinstance(schema, dict):
        return []
    base = schema.get("$id") if isinstance(schema.get("$id"), str) else ""
    parts = list(subschemas(schema))
    own = {_whole(base, part["$id"]) for part in parts if isinstance(part.get("$id"), str)} | {"", base}
    found = []
    for part in parts:
        for key in ("$ref", "$dynamicRef"):
            pointer = part.get(key)
            if isinstance(pointer, str):
                whole = _whole(base, pointer)
                if whole not in own and whole not in DIALECTS and urlsplit(whole).scheme in ("http", "https", "ftp"):
                    found.append(pointer)
    return found


def _whole(base: Json, pointer: str) -> str:
    try:
        return urldefrag(urljoin(base if isinstance(base, str) else "", pointer)).url
    except ValueError:
        return pointer


def satisfies(schema: Json, value: Json, *, formats: bool = True) -> bool | None:
    """Whether a value satisfies a schema of its dialect: None where two validators disagree, or the schema is no use.

    `formats`: whether `format` is a rule; without that it is a remark, as the dialect of 2020-12 has it.
    """
    first = _first_opinion(schema, formats=formats)
    if first is None:
        return None
    valid = first.is_valid(value)
    return valid if valid is _second_opinion(schema, value, formats=formats) else None


def seems_valid(schema: Json, value: Json) -> bool | None:
    """The same by one validator, the fast one, `format` a remark: what a breach is to rest on asks `satisfies`."""
    first = _first_opinion(schema, formats=False)
    return None if first is None else first.is_valid(value)


def _first_opinion(schema: Json, *, formats: bool) -> Validator | None:
    from conformance.contract.schema import compiled  # noqa: PLC0415 -- beside its only use

    try:
        return compiled(schema, formats=formats)
    except SchemaError:
        return None


def _second_opinion(schema: Json, value: Json, *, formats: bool) -> bool | None:
    from jsonschema.exceptions import SchemaError as BadSchema  # noqa: PLC0415 -- half a second that only arguments need
    from referencing.exceptions import Unresolvable  # noqa: PLC0415 -- as above

    try:
        return bool(reference_validator(schema, formats=formats).is_valid(value))
    except (BadSchema, Unresolvable, RecursionError, ValueError, TypeError):
        return None


def reference_validator(schema: Json, *, formats: bool = False) -> Any:
    """A validator of jsonschema: slower, but it says which keyword broke and where. It fetches nothing."""
    from jsonschema import Draft202012Validator, validators  # noqa: PLC0415 -- as above
    from referencing.jsonschema import EMPTY_REGISTRY  # noqa: PLC0415 -- as above

    kind = validators.validator_for(schema if isinstance(schema, dict) else {}, default=Draft202012Validator)
    return kind(schema, registry=EMPTY_REGISTRY, format_checker=kind.FORMAT_CHECKER if formats else None)
