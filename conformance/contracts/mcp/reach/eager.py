"""Schemas that ask for more than they have to, so that what is made for them is worth calling with."""

from typing import Any

from conformance.contract.references import DATA, NAMED
from conformance.model.events import Json

DEEPEST = 12


def eager(schema: Json, *, full: bool = False, depth: int = DEEPEST) -> Json:
    """A schema like another, in which a list that is required has an entry; with `full` all arguments are required."""
    if not isinstance(schema, dict) or not depth:
        return schema
    found: dict[str, Any] = {}
    for key, value in schema.items():
        if key in NAMED and isinstance(value, dict):
            found[key] = {name: eager(part, depth=depth - 1) for name, part in value.items()}
        elif key in DATA:
            found[key] = value
        elif isinstance(value, list):
            found[key] = [eager(part, depth=depth - 1) for part in value]
        else:
            found[key] = eager(value, depth=depth - 1)
    if found.get("type") == "array" and "minItems" not in found and found.get("maxItems") != 0:
        found["minItems"] = 1
    if full and isinstance(found.get("properties"), dict):
        found["required"] = list(found["properties"])
    return found
