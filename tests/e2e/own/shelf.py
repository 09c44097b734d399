"""A shelf of books: UUIDs, versions such as v1, isError and a code at the top, one text block, offsets for cursors.

It is correct. Nothing is removed, nothing has a key, a title is no rule's matter, and what fails has no words.
"""

import json
import uuid
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "shelf_contract"


def tools() -> list[dict[str, Any]]:
    found: Any = json.loads((FOLDER / "tools.json").read_text("utf-8"))
    return found["tools"] if isinstance(found, dict) else found


class WrongError(Exception):
    """A refusal, by its code."""


class Shelf:
    """The store."""

    def __init__(self) -> None:
        self.books: dict[str, dict[str, Any]] = {}

    def answer(self, name: str, arguments: dict[str, Any]) -> tuple[dict[str, Any], bool]:
        try:
            return getattr(self, name)(**arguments), False
        except WrongError as error:
            return {"problem": {"code": str(error)}}, True
        except TypeError:
            return {"problem": {"code": "bad"}}, True

    def add(self, name: str, copies: int) -> dict[str, Any]:
        if not isinstance(name, str) or not isinstance(copies, int) or not 0 <= copies <= 99:
            raise WrongError("bad")
        isbn = str(uuid.uuid4())
        self.books[isbn] = {"isbn": isbn, "name": name, "copies": copies, "version": "v1"}
        return {"isbn": isbn, "version": "v1"}

    def book(self, isbn: str) -> dict[str, Any]:
        if isbn not in self.books:
            raise WrongError("none")
        return {"result": {"book": dict(self.books[isbn])}}

    def count(self, isbn: str, copies: int, version: str) -> dict[str, Any]:
        if not isinstance(copies, int) or not 0 <= copies <= 99:
            raise WrongError("bad")
        book = self.book(isbn)["result"]["book"]
        if version != book["version"]:
            raise WrongError("changed")
        fresh = f"v{int(version[1:]) + 1}"
        self.books[isbn] = {**book, "copies": copies, "version": fresh}
        return {"version": fresh}

    def books_from(self, offset: int = 0) -> dict[str, Any]:
        if not isinstance(offset, int) or offset < 0:
            raise WrongError("bad")
        ids = list(self.books)
        onward = offset + 4 if offset + 4 < len(ids) else None
        return {"ids": [{"isbn": each} for each in ids[offset : offset + 4]], "next": onward}
