"""The sizes that a server lists: how long a text, how many items, how large a number an argument may be there.

Where a contract names no limit, or leaves it to each server, one that a server lists and keeps breaks no promise.
"""

from math import inf

from conformance.model.events import Json
from conformance.model.listed import ListedTool

KEYWORDS = frozenset({"maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"})
DEPTH = 12
"""Levels of a schema that are looked at."""


def exceeds(given: Json, listed: ListedTool | None) -> bool:
    """Whether a call's arguments hold something larger than the tool's listed inputSchema allows."""
    return listed is not None and _beyond(given, listed.input_schema, DEPTH)


def limits(listed: ListedTool | None, argument: str) -> bool:
    """Whether the tool's listed inputSchema says how large an argument may be."""
    schema = listed.input_schema if listed is not None else None
    properties = schema.get("properties") if isinstance(schema, dict) else None
    own = properties.get(argument) if isinstance(properties, dict) else None
    return isinstance(own, dict) and not KEYWORDS.isdisjoint(own)


def _beyond(value: Json, schema: Json, depth: int) -> bool:
    if not isinstance(schema, dict) or depth == 0:
        return False
    if _larger(value, schema):
        return True
    if isinstance(value, list):
        return any(_beyond(item, schema.get("items"), depth - 1) for item in value)
    named = schema.get("properties")
    if isinstance(value, dict) and isinstance(named, dict):
        return any(_beyond(part, named.get(name), depth - 1) for name, part in value.items())
    return False


def _larger(value: Json, schema: dict[str, Json]) -> bool:
    match value:
        case bool() | None:
            return False
        case int() | float():
            return value > _bound(schema, "maximum") or value >= _bound(schema, "exclusiveMaximum")
        case str():
            return len(value) > _bound(schema, "maxLength")
        case list():
            return len(value) > _bound(schema, "maxItems")
        case dict():
            return len(value) > _bound(schema, "maxProperties")
    return False


def _bound(schema: dict[str, Json], keyword: str) -> float:
    """What a keyword allows at most; infinite where it says nothing, or nothing that is a number."""
    most = schema.get(keyword)
    return most if isinstance(most, int | float) and not isinstance(most, bool) else inf
