"""Files, flags and pages that callers name: one is written over, one is taken, one has an etag. All of it is correct.

A file is read as plain text, and listed by its path alone. `broken` names what a store does otherwise.
"""

import json
import re
from itertools import count
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "named_contract"
BREAKS = {
    "cuts": "a file loses its last character",
    "keeps": "a file that is there is not written over",
    "finds": "a file that is not there is read as an empty one",
    "stays": "a removed file is still there",
    "lists": "a removed file is still listed",
    "hides": "the last file is not listed",
    "blurs": "files whose paths begin alike are one",
    "boundless": "a slug may be of any length",
    "narrow": "a slug of the longest length is refused",
    "clobbers": "a page that is there is made anew",
    "excuses": "an unknown page is refused as a taken one",
    "lax": "an old etag is as good as the current one",
    "still": "a changed page keeps its etag",
}


class WrongError(Exception):
    """A refusal, by its code."""


def tools() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((FOLDER / "tools.json").read_text("utf-8"))
    return found


class Named:
    """The store."""

    def __init__(self, broken: str = "") -> None:
        self.broken = broken
        self.files: dict[str, str] = {}
        self.shadows: set[str] = set()
        self.pages: dict[str, dict[str, Any]] = {}
        self.etags = count(1)

    def answer(self, name: str, arguments: dict[str, Any]) -> tuple[Any, bool]:
        schema = next(tool for tool in tools() if tool["name"] == name)["inputSchema"]
        try:
            if set(schema["required"]) - set(arguments) or set(arguments) - set(schema["properties"]):
                raise WrongError("BAD")
            about = schema["properties"].get("slug", {}).get("pattern", "")
            if not re.search(about, str(arguments.get("slug", ""))):
                raise WrongError("BAD")
            if not all(isinstance(value, str) and len(value) <= 20_000 for value in arguments.values()):
                raise WrongError("BAD")
            return getattr(self, name)(**arguments), False
        except WrongError as error:
            return {"error": {"code": str(error)}}, True

    def _path(self, path: str) -> str:
        return path[:7] if self.broken == "blurs" else path

    def write_file(self, path: str, content: str) -> str:
        path = self._path(path)
        if not (self.broken == "keeps" and path in self.files):
            self.files[path] = content[:-1] if self.broken == "cuts" else content
        return f"wrote {len(content)} characters to {path}"

    def read_file(self, path: str) -> str:
        path = self._path(path)
        if path not in self.files:
            if self.broken == "finds":
                return ""
            raise WrongError("NO_FILE")
        return self.files[path]

    def remove_file(self, path: str) -> str:
        self.read_file(path)
        if self.broken == "lists":
            self.shadows.add(path)
        if self.broken != "stays":
            self.files.pop(self._path(path), None)
        return "removed"

    def list_files(self) -> dict[str, Any]:
        paths = sorted({*self.files, *self.shadows})
        return {"paths": paths[:-1] if self.broken == "hides" else paths}

    def create_page(self, slug: str, text: str) -> dict[str, Any]:
        if len(slug) > {"boundless": 20_000, "narrow": 39}.get(self.broken, 40):
            raise WrongError("BAD")
        if slug in self.pages and self.broken != "clobbers":
            raise WrongError("TAKEN")
        return {"page": self._put(slug, text)}

    def _put(self, slug: str, text: str) -> dict[str, Any]:
        self.pages[slug] = {"slug": slug, "text": text, "etag": f"e{next(self.etags):04}"}
        return dict(self.pages[slug])

    def get_page(self, slug: str) -> dict[str, Any]:
        if slug not in self.pages:
            raise WrongError("TAKEN" if self.broken == "excuses" else "NO_PAGE")
        return {"page": dict(self.pages[slug])}

    def update_page(self, slug: str, text: str, if_match: str) -> dict[str, Any]:
        old = self.get_page(slug)["page"]["etag"]
        if old != if_match and self.broken != "lax":
            raise WrongError("CHANGED")
        page = self._put(slug, text)
        if self.broken == "still":
            self.pages[slug]["etag"] = page["etag"] = old
        return {"page": page}

    def drop_page(self, slug: str) -> dict[str, Any]:
        self.get_page(slug)
        del self.pages[slug]
        return {"dropped": slug}
