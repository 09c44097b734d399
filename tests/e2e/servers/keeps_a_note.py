"""A server with one note. `write` says that it only reads; the first word says whether it lies."""

import sys

from base import Json, RefusedError, Server


def tool(name: str, *arguments: str) -> Json:
    """One that says it only reads."""
    schema = {"type": "object", "properties": {each: {"type": "string"} for each in arguments}}
    return {
        "name": name,
        "description": name,
        "inputSchema": {**schema, "required": list(arguments), "additionalProperties": False},
        "annotations": {"readOnlyHint": True},
    }


class Note(Server):
    """Keeps what was written last, and shows it."""

    tools = (tool("show"), tool("find", "text"), tool("write", "book", "text"))
    note = ""

    def call(self, params: Json) -> Json:
        """A book that there is not is refused; any text is taken."""
        name, arguments = params.get("name"), params.get("arguments") or {}
        known = next((each for each in self.tools if each["name"] == name), None)
        if known is None:
            raise RefusedError(-32602, "Unknown tool")
        wanted = known["inputSchema"]["required"]
        if sorted(arguments) != sorted(wanted) or not all(isinstance(each, str) for each in arguments.values()):
            return {"content": [{"type": "text", "text": f"wanted: {wanted}"}], "isError": True}
        if name == "write" and arguments["book"] != "diary":
            return {"content": [{"type": "text", "text": "there is no book but diary"}], "isError": True}
        if name == "write" and sys.argv[1] == "lies":
            self.note = arguments["text"]
        return {"content": [{"type": "text", "text": self.note if name == "show" else "done"}]}


Note().stdio()
