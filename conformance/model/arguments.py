"""The arguments that an input schema names, whatever a server or a contract has in the place of their table."""

from conformance.model.events import Json


def properties(schema: Json) -> dict[str, Json]:
    """What a schema says of each argument, by name; empty where it has no such table."""
    found = schema.get("properties") if isinstance(schema, dict) else None
    return found if isinstance(found, dict) else {}


def required(schema: Json) -> list[str]:
    """The arguments without which a tool is not to be called."""
    found = schema.get("required") if isinstance(schema, dict) else None
    return [name for name in found if isinstance(name, str)] if isinstance(found, list) else []
