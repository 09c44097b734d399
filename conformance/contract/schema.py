"""JSON Schemas, compiled once. jsonschema-rs decides; jsonschema, slower, says why."""

import json
from functools import lru_cache
from typing import Protocol

import jsonschema_rs

from conformance.model.events import Json


class Validator(Protocol):
    """What a compiled schema can be asked."""

    def is_valid(self, instance: Json) -> bool:
        """Whether the value satisfies the schema."""


class SchemaError(ValueError):
    """The schema itself is not valid, or points to what is not in it."""


class _Offline:
    """Refuses to fetch: a schema that needs the network is no schema that a client can use."""

    def __call__(self, uri: str) -> Json:
        message = f"needs {uri} from the network"
        raise LookupError(message)


MOST = 4096
_BY_IDENTITY: dict[tuple[int, bool], tuple[Json, Validator]] = {}
"""The schemas asked for last, held so that their identity stays theirs: to write one as text takes 50 times as long."""


@lru_cache(maxsize=MOST)
def _compiled(text: str, *, formats: bool) -> Validator:
    try:
        return jsonschema_rs.validator_for(json.loads(text), validate_formats=formats, retriever=_Offline())
    except (ValueError, LookupError, RecursionError) as error:
        raise SchemaError(str(error).split("\n", 1)[0]) from error


def compiled(schema: Json, *, formats: bool = True) -> Validator:
    """A validator, compiled once for equal schemas; SchemaError where the schema is not valid.

    Formats are asserted unless said otherwise: the contracts read `format` as a rule, MCP's own dialect as a remark.
    """
    known = _BY_IDENTITY.get((id(schema), formats))
    if known is not None and known[0] is schema:
        return known[1]
    made = _compiled(json.dumps(schema, sort_keys=True), formats=formats)
    if len(_BY_IDENTITY) >= MOST:
        _BY_IDENTITY.clear()
    _BY_IDENTITY[id(schema), formats] = (schema, made)
    return made


def why(schema: Json, value: Json) -> str:
    """What in a value breaks the schema, in one line; empty where nothing does."""
    from jsonschema import Draft202012Validator  # noqa: PLC0415 -- half a second that only a failure needs
    from jsonschema.exceptions import best_match  # noqa: PLC0415 -- as above

    error = best_match(
        Draft202012Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER).iter_errors(value)
    )
    if error is None:
        first = next(iter(jsonschema_rs.validator_for(schema, validate_formats=True).iter_errors(value)), None)
        return "" if first is None else f"{_pointer(first.instance_path)}: {first.message}"
    return f"{error.json_path}: {error.message[:300]}"


def _pointer(path: list[str | int]) -> str:
    return "$" + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
