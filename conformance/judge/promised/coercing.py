"""Values that differ in their spelling alone from one that is allowed: a server that reads them so is not lax."""

import json

from conformance.contract.schema import satisfied
from conformance.model.events import Json


def coercible(value: Json, schema: Json) -> bool:
    """Whether a value says in another type what the schema allows: "1" for 1, 1 for "1", null for nothing."""
    others: list[Json] = []
    match value:
        case None:
            return True
        case bool():
            others = [str(value).lower(), int(value)]
        case int() | float():
            others = [str(value), *([int(value)] if isinstance(value, float) and value.is_integer() else [])]
        case str():
            others = [value.strip(), *_read(value)]
        case _:
            pass
    return any(satisfied(schema, other) is True for other in others if type(other) is not type(value) or other != value)


def _read(text: str) -> list[Json]:
    try:
        return [json.loads(text)]
    except (ValueError, RecursionError):
        return []
