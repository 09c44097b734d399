"""Tools that accept a call only with a value that has to be found: a file, an answered id, what a refusal lists."""

import sys
from pathlib import Path

from base import Json, Server

NOTES: dict[str, str] = {}
ZONES = ("Mars/North", "Mars/South")


def tool(name: str, says: str, *required: str, **properties: Json) -> Json:
    """A definition; what is not required is marked so in no way."""
    schema = {"type": "object", "properties": properties, "required": list(required)}
    return {
        "name": name,
        "description": says,
        "inputSchema": schema,
        "annotations": {"readOnlyHint": "save" not in name},
    }


TEXT: Json = {"type": "string"}
TOOLS = (
    tool("get_note", "Shows a note.", "note_id", note_id=TEXT),
    tool("save_note", "Saves a new note.", "title", title=TEXT),
    tool("read_file", "Reads a text file.", "path", path={**TEXT, "description": "absolute path"}),
    tool("sol_of", "Tells the sol.", "observatory", observatory=TEXT),
    tool(
        "convert",
        "Converts a length.",
        "value",
        "unit",
        value={"type": "number"},
        unit={**TEXT, "description": "e.g. 'parsec'"},
    ),
    tool("either", "Finds by name or by code.", name_of={"type": "string"}, code_of={"type": "integer"}),
    tool("never", "Refuses everything.", "thing", thing=TEXT),
)


class Wanting(Server):
    """Refuses what it cannot find, and says why."""

    tools = TOOLS

    def call(self, params: Json) -> Json:
        """tools/call."""
        known = {each["name"]: each["inputSchema"]["properties"] for each in TOOLS}
        given = params.get("arguments") or {}
        if params.get("name") not in known:
            return super().call(params)
        for name, schema in known[params["name"]].items():
            kinds = {"string": str, "number": (int, float), "integer": int}[schema["type"]]
            if name in given and (not isinstance(given[name], kinds) or isinstance(given[name], bool)):
                return said(f"{name} has the wrong type", wrong=True)
        return getattr(self, params["name"])(given)

    def get_note(self, given: Json) -> Json:
        """Knows what was saved."""
        note = given.get("note_id")
        return said(NOTES[note]) if note in NOTES else said(f"no note has the id {note!r}", wrong=True)

    def save_note(self, given: Json) -> Json:
        """A title is taken once."""
        title = given.get("title")
        if title is None or title in NOTES.values():
            return said("this title is missing or taken", wrong=True)
        NOTES[f"n-{len(NOTES)}"] = title
        return said(f'{{"note": {{"id": "n-{len(NOTES) - 1}"}}}}')

    def read_file(self, given: Json) -> Json:
        """A file of this machine."""
        path = Path(given.get("path", ""))
        return said(path.read_text("utf-8")) if path.is_file() else said("no such file", wrong=True)

    def sol_of(self, given: Json) -> Json:
        """Says which observatories there are."""
        found = given.get("observatory") in ZONES
        return said("sol 1") if found else said(f"unknown observatory. Available: {', '.join(ZONES)}", wrong=True)

    def convert(self, given: Json) -> Json:
        """Knows one unit, which the schema's description names."""
        right = given.get("unit") == "parsec" and "value" in given
        return said("1") if right else said("no such unit", wrong=True)

    def either(self, given: Json) -> Json:
        """Wants one of two, and says so."""
        return said("found") if "code_of" in given else said("code_of has to be given", wrong=True)

    def never(self, _: Json) -> Json:
        """Gives no reason."""
        return said("no", wrong=True)


def said(text: str, *, wrong: bool = False) -> Json:
    """A result."""
    return {"content": [{"type": "text", "text": text}], **({"isError": True} if wrong else {})}


if __name__ == "__main__":
    (Wanting if "newer" in sys.argv else type("Older", (Wanting,), {"era": "2025-11-25"}))().stdio()
