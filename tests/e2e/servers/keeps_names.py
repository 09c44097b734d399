"""A server with a list of names. `add` says that it is idempotent and only adds; the first word says what it does."""

import sys

from base import Json, RefusedError, Server

SHOW: Json = {
    "name": "show",
    "description": "show",
    "inputSchema": {"type": "object", "additionalProperties": False},
    "annotations": {"readOnlyHint": True},
}
ADD: Json = {
    "name": "add",
    "description": "add",
    "inputSchema": {
        "type": "object",
        "properties": {"name": {"type": "string"}},
        "required": ["name"],
        "additionalProperties": False,
    },
    "annotations": {"readOnlyHint": False, "destructiveHint": False, "idempotentHint": True},
}


class Names(Server):
    """Keeps them in order."""

    tools = (SHOW, ADD)

    def __init__(self) -> None:
        self.names: list[str] = []

    def call(self, params: Json) -> Json:
        """Neither says what came of it."""
        arguments = params.get("arguments") or {}
        match params.get("name"), arguments:
            case "show", {} if not arguments:
                return {"content": [{"type": "text", "text": "\n".join(self.names)}]}
            case "add", {"name": str(name)} if len(arguments) == 1:
                self.add(name)
                return {"content": [{"type": "text", "text": "done"}]}
            case "show" | "add", _:
                return {"content": [{"type": "text", "text": "wrong arguments"}], "isError": True}
        raise RefusedError(-32602, "Unknown tool")

    def add(self, name: str) -> None:
        """Once, as it says, or each time."""
        if sys.argv[1] == "repeats" or name not in self.names:
            self.names.append(name)


Names().stdio()
