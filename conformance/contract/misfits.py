"""Where in a value a schema is broken, and how: what a finding shows beside the whole."""

from typing import Any, NamedTuple

from conformance.contract.schema import compiled
from conformance.contract.wording import KINDS, listed
from conformance.model.events import Json
from conformance.model.pointer import ABSENT, pointer_of


class Misfit(NamedTuple):
    """What breaks a schema: its place in the value, in which way, what belongs there and what is there."""

    pointer: str
    how: str
    """In the validator's words; empty where it is said by what is missing, or what is there beyond what may be."""
    expected: Json
    """ABSENT: nothing."""
    got: Json
    """ABSENT: nothing."""


def misfit(schema: Json, value: Json) -> Misfit | None:
    """What breaks a schema, as closely as can be told; None where nothing does or nothing more can be said."""
    try:
        error = compiled(schema).reference.best(value)
    except ValueError:  # what both validators have decided may still take too long to explain
        return None
    return _told(error) if error is not None else None


def _told(error: Any) -> Misfit:
    path, given, wanted = list(error.absolute_path), error.instance, error.validator_value
    known = error.schema.get("properties", {}) if isinstance(error.schema, dict) else {}
    match error.validator:
        case "required":
            name = next(each for each in wanted if each not in given)
            return Misfit(pointer_of([*path, name]), "", _meant(known.get(name, {})), ABSENT)
        case "additionalProperties" if wanted is False and "patternProperties" not in error.schema:
            name = next(each for each in given if each not in known)
            return Misfit(pointer_of([*path, name]), "", ABSENT, given[name])
        case "not" if wanted == {}:
            return Misfit(pointer_of(path), "", ABSENT, given)
        case _:
            return Misfit(pointer_of(path), _how(error.validator, wanted, error.message), _meant(error.schema), given)


def _how(keyword: str, wanted: Json, message: str) -> str:
    """What is wrong in plain English: the validator's own words show a value as Python writes it."""
    if keyword == "type":
        kinds = [KINDS.get(each, str(each)) for each in (wanted if isinstance(wanted, list) else [wanted])]
        return f"it is to be {listed(kinds, 'or')}"
    return message


def _meant(schema: Json) -> Json:
    """What a schema allows, as a person would say it: one value, one of a few, else the schema."""
    if not isinstance(schema, dict):
        return schema
    return schema["const"] if "const" in schema else schema.get("enum", schema)
