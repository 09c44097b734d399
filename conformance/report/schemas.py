"""The JSON Schemas of what a run reads and writes: `python -m conformance.report.schemas` writes them to schemas/."""

from pathlib import Path

import msgspec

from conformance.contract.catalogue import folder
from conformance.drive.statement import Statement
from conformance.histories.conversation import Conversation
from conformance.model.events import Event, Json
from conformance.report.laws import page
from conformance.report.model import Report

LINK = {
    "n": {"type": "integer", "minimum": 1, "description": "number of the line"},
    "link": {
        "type": "string",
        "pattern": "^[0-9a-f]{24}$",
        "description": (
            "BLAKE2b-96 over the link of the line before (nothing before the first), the number in decimal, and the "
            "line without n and link"
        ),
    },
}
LAWS = "laws.md"
"""The shared laws that promises name, beside the schemas."""
DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schemas() -> dict[str, Json]:
    """Each file's name in schemas/ and its content."""
    return {
        "conformance.schema.json": {"$schema": DIALECT, **Statement.model_json_schema(), "title": "conformance.toml"},
        "conversation.schema.json": _schema("Calls for conformance replay", Conversation),
        "report.schema.json": _schema("Report of a conformance run", Report),
        "transcript.schema.json": _linked(_schema("One line of a transcript (JSON Lines)", Event)),
    }


def text(schema: Json) -> str:
    """A schema as its file holds it."""
    return msgspec.json.format(msgspec.json.encode(schema), indent=2).decode() + "\n"


def write(where: Path) -> list[Path]:
    """Writes the files; gives their paths."""
    written = [where / LAWS]
    written[0].write_text(page(), "utf-8", newline="\n")
    for name, schema in schemas().items():
        path = where / name
        path.write_text(text(schema), "utf-8", newline="\n")
        written.append(path)
    return written


def _linked(schema: Json) -> Json:
    """Each event with what the recorder adds to its line: the number, and the link of the chain of digests."""
    for event in schema["$defs"].values():
        if "event" in event.get("properties", {}):
            event["properties"] |= LINK
    return schema


def _schema(title: str, kind: object) -> Json:
    return {"$schema": DIALECT, "title": title, **msgspec.json.schema(kind)}


if __name__ == "__main__":
    for path in write(folder()):
        print(path)
