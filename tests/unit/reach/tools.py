"""Tools as a server lists them, for these tests."""

from typing import Any

from conformance.model.listed import ListedTool


def tool(name: str, says: str = "", **properties: Any) -> ListedTool:
    """A tool all of whose arguments are required; a text stands for an argument of that description."""
    told = {
        key: {"type": "string", "description": value} if isinstance(value, str) else value
        for key, value in properties.items()
    }
    schema = {"type": "object", "properties": told, "required": list(told)}
    return ListedTool(name, {"name": name, "description": says, "inputSchema": schema})
