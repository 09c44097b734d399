"""The JSON Schemas of what a run reads and writes: `python -m conformance.report.schemas` writes them to schemas/."""

from pathlib import Path

import msgspec

from conformance.contract.catalogue import folder
from conformance.drive.statement import Statement
from conformance.model.events import Event, Json
from conformance.report.model import Report

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def schemas() -> dict[str, Json]:
    """Each file's name in schemas/ and its content."""
    return {
        "conformance.schema.json": {"$schema": DIALECT, **Statement.model_json_schema(), "title": "conformance.toml"},
        "report.schema.json": _schema("Report of a conformance run", Report),
        "transcript.schema.json": _schema("One line of a transcript (JSON Lines)", Event),
    }


def text(schema: Json) -> str:
    """A schema as its file holds it."""
    return msgspec.json.format(msgspec.json.encode(schema), indent=2).decode() + "\n"


def write(where: Path) -> list[Path]:
    """Writes the files; gives their paths."""
    written = []
    for name, schema in schemas().items():
        path = where / name
        path.write_text(text(schema), "utf-8", newline="\n")
        written.append(path)
    return written


def _schema(title: str, kind: object) -> Json:
    return {"$schema": DIALECT, "title": title, **msgspec.json.schema(kind)}


if __name__ == "__main__":
    for path in write(folder()):
        print(path)
