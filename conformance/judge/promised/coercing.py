"""Values that differ in their spelling alone from one that is allowed: a server that reads them so is not lax."""

import json
from copy import deepcopy

from conformance.contract.misfits import misfit
from conformance.contract.schema import satisfied
from conformance.model.events import Json
from conformance.model.pointer import ABSENT, at, drop, put

MOST = 20
"""Parts of a value that may be spelt otherwise."""


def coercible(value: Json, schema: Json) -> bool:
    """Whether a value says in another type what the schema allows: "1" for 1, 1 for "1", null for nothing.

    Of a list or an object: whether each of its parts that is at fault does.
    """
    if value is None:
        return True
    if not isinstance(value, list | dict):
        return any(satisfied(schema, other) is True for other in _others(value))
    for _ in range(MOST):
        found = misfit(schema, value)
        if found is None:
            return satisfied(schema, value) is True
        respelled = _respelled(value, found.pointer, schema) if found.pointer else None
        if respelled is None:
            return False
        value = respelled
    return False


def _respelled(value: Json, pointer: str, schema: Json) -> Json:
    """The value with its part at a place in another spelling that is not at fault there; None where there is none."""
    part = at(value, pointer)
    if part is None:
        others: list[Json] = [ABSENT]
    else:
        others = _others(part) if part is not ABSENT and not isinstance(part, list | dict) else []
    for other in others:
        tried = deepcopy(value)
        if other is ABSENT:
            drop(tried, pointer)
        else:
            put(tried, pointer, other)
        found = misfit(schema, tried)
        if found is None or found.pointer != pointer:
            return tried
    return None


def _others(value: Json) -> list[Json]:
    others: list[Json] = []
    match value:
        case bool():
            others = [str(value).lower(), int(value)]
        case int() | float():
            others = [str(value), *([int(value)] if isinstance(value, float) and value.is_integer() else [])]
        case str():
            others = [value.strip(), *_read(value)]
        case _:
            pass
    return [other for other in others if type(other) is not type(value) or other != value]


def _read(text: str) -> list[Json]:
    try:
        return [json.loads(text)]
    except (ValueError, RecursionError):
        return []
