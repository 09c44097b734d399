"""A server of notes that one refused call of one tool breaks: `none` or the tool's name, and how it fails from then on.

`error`: a result that failed; `internal`: an error of the protocol; `silence`: no answer. `alone`: the same results
that failed, of the tool itself only.
"""

import json
import sys
from itertools import count

from base import Json, RefusedError, Server

HOW, WHERE = sys.argv[1:3]
TEXT: Json = {"type": "string"}
LOCKED = "database is locked"


def _tool(name: str, does: str, parameters: dict[str, Json]) -> Json:
    schema = {"type": "object", "properties": parameters, "required": [*parameters]}
    return {"name": name, "description": does, "inputSchema": {**schema, "additionalProperties": False}}


class SilenceError(Exception):
    """A call that is never answered."""


class Notes(Server):
    """Marks none of its tools as reading."""

    tools = (
        _tool("list_notes", "Lists all notes.", {}),
        _tool("add_note", "Adds a note.", {"title": TEXT}),
        _tool("read_note", "Shows a note.", {"id": TEXT}),
        _tool("delete_note", "Removes a note.", {"id": TEXT}),
    )

    def __init__(self) -> None:
        self.notes: dict[str, str] = {}
        self.ids = (f"n{number}" for number in count(1))
        self.broken = False

    def answer(self, message: Json) -> Json | None:
        """None where it says nothing any more."""
        try:
            return super().answer(message)
        except SilenceError:
            return None

    def call(self, params: Json) -> Json:
        """Broken by what it refuses."""
        name, arguments = params.get("name"), params.get("arguments") or {}
        wanted = {tool["name"]: tool["inputSchema"]["properties"] for tool in self.tools}
        if name not in wanted:
            raise RefusedError(-32602, "Unknown tool")
        if self.broken and (HOW != "alone" or name == WHERE):
            if HOW == "internal":
                raise RefusedError(-32603, LOCKED)
            if HOW == "silence":
                raise SilenceError
            return _told(LOCKED, failed=True)
        sound = set(arguments) == set(wanted[name]) and all(isinstance(each, str) for each in arguments.values())
        answer = self.done(name, **arguments) if sound else _told("invalid arguments", failed=True)
        self.broken = self.broken or (answer["isError"] and name == WHERE)
        return answer

    def done(self, name: str, title: str = "", id: str = "") -> Json:  # noqa: A002 -- the parameter's name
        """What the tool does."""
        if name == "list_notes":
            return _told(json.dumps(self.notes))
        if name == "add_note":
            made = next(self.ids)
            self.notes[made] = title
            return _told(json.dumps({"id": made}))
        if id not in self.notes:
            return _told(f"no note {id!r}", failed=True)
        return _told(self.notes[id] if name == "read_note" else self.notes.pop(id))


def _told(text: str, *, failed: bool = False) -> Json:
    return {"content": [{"type": "text", "text": text}], "isError": failed}


Notes().stdio()
