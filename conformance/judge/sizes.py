"""The sizes that a server lists: how long a text, how many items, how large a number an argument may be there.

Where a contract names no limit, or leaves it to each server, one that a server lists and keeps breaks no promise.
"""

from math import inf

from conformance.contract.limits import Shelf, UnjudgedError
from conformance.contract.schema import Compiled, SchemaError, compiled
from conformance.model.arguments import properties
from conformance.model.events import Json
from conformance.model.listed import ListedTool

KEYWORDS = frozenset({"maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"})
DEPTH = 12
"""Levels of a schema that are looked at."""


_BOUNDS: Shelf[int, tuple[Json, Compiled | None]] = Shelf(1_000)
"""By the identity of a schema, which is held here so that it stays the schema's: what is left of it, compiled."""


TITLE, TEXT, ENTRIES = 125, 4_096, 8
"""Characters of a title and of another text, and entries of a list, that any server takes."""


def large(given: dict[str, Json], listed: ListedTool | None) -> bool:
    """Whether a call's arguments hold more than any server takes, where it lists no limit for them."""
    return any(_large(name, value) for name, value in given.items() if not limits(listed, name))


def _large(name: str, value: Json) -> bool:
    waiting = [(name, value)]
    while waiting:
        place, found = waiting.pop()
        if isinstance(found, str) and len(found) > (TITLE if place == "title" else TEXT):
            return True
        if isinstance(found, list):
            if len(found) > ENTRIES:
                return True
            waiting += [(place, each) for each in found]
        elif isinstance(found, dict):
            waiting += found.items()
    return False


def exceeds(given: Json, listed: ListedTool | None) -> bool:
    """Whether a call's arguments hold something larger than the tool's listed inputSchema allows."""
    if listed is None:
        return False
    bounds = _bounds(listed.input_schema)
    return not (bounds is not None and _kept(bounds, given)) and _beyond(given, listed.input_schema, DEPTH)


def _kept(bounds: Compiled, given: Json) -> bool:
    """Whether one look at all bounds together tells that they are kept, as nearly all calls keep them."""
    try:
        return bounds.is_valid(given)
    except UnjudgedError:
        return False


def _bounds(schema: Json) -> Compiled | None:
    """The bounds of a schema alone; None where they make no schema that is valid."""
    known = _BOUNDS.get(id(schema))
    if known is None or known[0] is not schema:
        try:
            known = schema, compiled(_only_bounds(schema, DEPTH))
        except (SchemaError, UnjudgedError):
            known = schema, None
        _BOUNDS.put(id(schema), known, 1)
    return known[1]


def _only_bounds(schema: Json, depth: int) -> dict[str, Json]:
    """What of a schema says how large something may be."""
    if not isinstance(schema, dict) or depth == 0:
        return {}
    found: dict[str, Json] = {keyword: schema[keyword] for keyword in KEYWORDS if _bound(schema, keyword) != inf}
    if inner := _only_bounds(schema.get("items"), depth - 1):
        found["items"] = inner
    parts = {name: _only_bounds(part, depth - 1) for name, part in properties(schema).items()}
    if parts := {name: part for name, part in parts.items() if part}:
        found["properties"] = parts
    return found


def limits(listed: ListedTool | None, argument: str) -> bool:
    """Whether the tool's listed inputSchema says how large an argument may be."""
    own = properties(listed.input_schema).get(argument) if listed is not None else None
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
