"""The notes of fixtures/notes without an SDK, which takes a second to start: contracts of one's own start many."""

import json
import sys
from pathlib import Path

from base import Json, Older, RefusedError

sys.path.append(str(Path(__file__).parents[3] / "fixtures" / "notes"))

from notes import Notes


class Kept(Older):
    """One store; `--break NAME` breaks a promise."""

    def __init__(self, broken: str) -> None:
        self.notes = Notes(broken)
        self.tools = tuple(self.notes.tools())

    def call(self, params: Json) -> Json:
        """A call of the store."""
        try:
            answer, failed = self.notes.answer(str(params.get("name")), dict(params.get("arguments") or {}))
        except LookupError as error:
            raise RefusedError(-32602, str(error)) from error
        text = {"type": "text", "text": json.dumps(answer)}
        return {"content": [text], "structuredContent": answer, "isError": failed}


if __name__ == "__main__":
    Kept(sys.argv[2] if sys.argv[1:2] == ["--break"] else "").stdio()
