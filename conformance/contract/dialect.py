"""What a schema that a server lists says of itself: its dialect, whether it is valid there, what it refers to."""

from functools import cache
from typing import Any, NamedTuple
from urllib.parse import urldefrag, urljoin, urlsplit

import jsonschema_rs

from conformance.contract.limits import UnjudgedError, go_on
from conformance.contract.references import pointed, subschemas
from conformance.contract.schema import DISAGREE as DISAGREE
from conformance.contract.schema import LARGEST, SchemaError, compiled, decided
from conformance.model.events import Json
from conformance.model.measure import brief, measured

DIALECTS = {
    "http://json-schema.org/draft-04/schema": jsonschema_rs.Draft4Validator,
    "http://json-schema.org/draft-06/schema": jsonschema_rs.Draft6Validator,
    "http://json-schema.org/draft-07/schema": jsonschema_rs.Draft7Validator,
    "https://json-schema.org/draft/2019-09/schema": jsonschema_rs.Draft201909Validator,
    "https://json-schema.org/draft/2020-12/schema": jsonschema_rs.Draft202012Validator,
}
DEFAULT = "https://json-schema.org/draft/2020-12/schema"


@cache
def _meta(dialect: str) -> Any:
    return DIALECTS[dialect]({"$ref": dialect})


def dialect_of(schema: Json) -> str | None:
    """The dialect that a schema names, the default where it names none, None where it is not known here."""
    named = schema.get("$schema", DEFAULT) if isinstance(schema, dict) else DEFAULT
    known = named.rstrip("#") if isinstance(named, str) else ""
    return known if known in DIALECTS else None


def fault(schema: Json, dialects: tuple[str, ...]) -> str:
    """Why a schema is valid in none of these dialects, in one line; empty where it is valid in one.

    UnjudgedError where that cannot be told.
    """
    if not isinstance(schema, dict | bool):
        return f"it is no object: {brief(schema)!r}"
    said = ""
    untold: UnjudgedError | None = None
    for dialect in dialects:
        try:
            if decided(_meta(dialect).is_valid, schema):
                return _dangling(schema)
        except UnjudgedError as error:
            untold = error
        else:
            said = said or _error(dialect, schema)
    if untold is not None:
        raise untold
    return said


def _error(dialect: str, schema: Json) -> str:
    """What in a schema is not valid. It is not asked for all its errors: each holds a copy of the part at fault."""
    if measured(schema, LARGEST).values > LARGEST:
        return f"it has more than {LARGEST} parts, and what is wrong in them is not looked for"
    try:
        _meta(dialect).validate(schema)
    except jsonschema_rs.ValidationError as error:
        return f"/{'/'.join(map(str, error.instance_path))}: {error.message[:200]}"
    except ValueError:
        return "a part of it is not, which is nested too deep to be shown"
    raise AssertionError(f"the validator of {dialect} finds a fault in a schema and then none")


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
                if whole not in own and whole not in DIALECTS and _scheme(whole) in ("http", "https", "ftp"):
                    found.append(pointer)
    return found


def _scheme(address: str) -> str:
    try:
        return urlsplit(address).scheme
    except ValueError:  # no URL at all
        return ""


def _whole(base: Json, pointer: str) -> str:
    try:
        return urldefrag(urljoin(base if isinstance(base, str) else "", pointer)).url
    except ValueError:
        return pointer


class Opinion(NamedTuple):
    """What the validators say of a value."""

    valid: bool | None
    """None where they disagree, or where it cannot be told."""
    why: str = ""
    """Why it cannot be told."""


def opinion(schema: Json, value: Json, *, formats: bool = True) -> Opinion:
    """What two validators say of a value under a schema of its dialect.

    `formats`: whether `format` is a rule; without that it is a remark, as the dialect of 2020-12 has it.
    """
    go_on()
    try:
        return Opinion(compiled(schema, formats=formats).agreed(value))
    except SchemaError as error:
        return Opinion(None, f"the schema is of no use: {error}")
    except UnjudgedError as error:
        return Opinion(None, str(error))


def satisfies(schema: Json, value: Json, *, formats: bool = True) -> bool | None:
    """Whether a value satisfies a schema of its dialect: None where it cannot be told, or the schema is no use."""
    return opinion(schema, value, formats=formats).valid


def seems_valid(schema: Json, value: Json) -> bool | None:
    """The same by one validator, the fast one, `format` a remark: what a breach is to rest on asks `satisfies`."""
    go_on()
    try:
        return compiled(schema, formats=False).is_valid(value)
    except (SchemaError, UnjudgedError):
        return None
