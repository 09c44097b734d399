"""The arguments that an input schema names."""

from collections.abc import Iterator

from conformance.model.events import Json
from conformance.model.pointer import steps

BRANCHES = ("allOf", "anyOf", "oneOf")


def parameters(schema: Json) -> frozenset[str]:
    """Names of the arguments that a schema of arguments knows, also where it is put together from others."""
    return frozenset(_named(schema, schema, frozenset()))


def _named(schema: Json, root: Json, met: frozenset[str]) -> Iterator[str]:
    if not isinstance(schema, dict):
        return
    properties = schema.get("properties")
    yield from properties if isinstance(properties, dict) else ()
    for keyword in BRANCHES:
        parts = schema.get(keyword)
        for part in parts if isinstance(parts, list) else ():
            yield from _named(part, root, met)
    for keyword in ("then", "else"):
        yield from _named(schema.get(keyword), root, met)
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference.startswith("#/") and reference not in met:
        yield from _named(_at(root, reference), root, met | {reference})


def _at(root: Json, reference: str) -> Json:
    value = root
    for part in steps(reference):
        value = value.get(part) if isinstance(value, dict) else None
    return value
