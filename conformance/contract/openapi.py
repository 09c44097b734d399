"""Keywords that JSON Schema takes for remarks and OpenAPI, from which many servers' schemas are made, for rules."""

from typing import Any, Final

from conformance.model.events import Json

DATA: Final = ("const", "default", "enum", "example", "examples")
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
    found: dict[str, Any] = {name: value if name in DATA else ruled(value) for name, value in schema.items()}
    changed = any(found[name] is not value for name, value in schema.items())
    if schema.get("nullable") is True:
        return {"anyOf": [{name: value for name, value in found.items() if name != "nullable"}, {"type": "null"}]}
    bounds = RANGES.get(name) if isinstance(name := schema.get("format"), str) else None
    if bounds is not None:
        within = {"anyOf": [{"not": {"type": "integer"}}, {"minimum": bounds[0], "maximum": bounds[1]}]}
        return {"allOf": [found, within]}
    return found if changed else schema
