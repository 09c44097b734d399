"""Keywords that JSON Schema takes for remarks and OpenAPI, from which many servers' schemas are made, for rules."""

from typing import Any, Final

from conformance.contract.references import DATA, NAMED
from conformance.model.events import Json

VALUES: Final = (*DATA, "example")
"""Keywords that hold values, not schemas."""
WIDTHS: Final = (8, 16, 32, 64)
RANGES: Final = {
    **{f"int{width}": (-(1 << width - 1), (1 << width - 1) - 1) for width in WIDTHS},
    **{f"uint{width}": (0, (1 << width) - 1) for width in WIDTHS},
    "int": (-(1 << 63), (1 << 63) - 1),
    "uint": (0, (1 << 64) - 1),
}
"""By format: the smallest and the largest integer."""


def ruled(schema: Json) -> Json:
    """The schema with `nullable` and the formats of integers as rules; the very same one where it has neither."""
    if isinstance(schema, list):
        parts = [ruled(part) for part in schema]
        return parts if any(new is not old for new, old in zip(parts, schema, strict=True)) else schema
    if not isinstance(schema, dict):
        return schema
    found: dict[str, Any] = {name: _within(name, value) for name, value in schema.items()}
    changed = any(found[name] is not value for name, value in schema.items())
    if schema.get("nullable") is True:
        return {"anyOf": [{name: value for name, value in found.items() if name != "nullable"}, {"type": "null"}]}
    bounds = RANGES.get(name) if isinstance(name := schema.get("format"), str) else None
    if bounds is not None:
        within = {"anyOf": [{"not": {"type": "integer"}}, {"minimum": bounds[0], "maximum": bounds[1]}]}
        return {"allOf": [found, within]}
    return found if changed else schema


def _within(keyword: str, value: Json) -> Json:
    """The same for what a keyword holds: values stay, and names of schemas are no keywords."""
    if keyword in VALUES:
        return value
    if keyword in NAMED and isinstance(value, dict):
        parts = {name: ruled(part) for name, part in value.items()}
        return parts if any(parts[name] is not part for name, part in value.items()) else value
    return ruled(value)
