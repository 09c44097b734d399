"""Papers in folders, with arguments that may be null, a bin, and a search that does not say that it reads.

It is correct, and may be broken.
"""

from itertools import count
from typing import Any

from jsonschema import Draft202012Validator

BREAKS = {
    "cuts": "shown",
    "edits-what-is-binned": "barred",
    "lists-those-of-all-folders": "paged",
    "takes-longer-texts": "bounded",
    "gives-more-than-asked": "capped",
}
"""By what is broken, the law of a drafted promise that shows it."""
TEXT, MOST = 2_000, 100
STRING: dict[str, Any] = {"type": "string"}
WHOLE: dict[str, Any] = {"type": "integer"}


def _tool(name: str, says: str, /, **arguments: dict[str, Any]) -> dict[str, Any]:
    """Arguments whose schema has a default may be left out, or be null."""
    found = {
        key: {"anyOf": [{k: v for k, v in about.items() if k != "default"}, {"type": "null"}], "default": None}
        if "default" in about
        else about
        for key, about in arguments.items()
    }
    needed = [key for key, about in arguments.items() if "default" not in about]
    return {
        "name": name,
        "description": says,
        "inputSchema": {"type": "object", "properties": found, "required": needed, "additionalProperties": False},
    }


def tools(most: int = TEXT) -> list[dict[str, Any]]:
    """Texts have so many characters at most."""
    text = {**STRING, "maxLength": most}
    return [
        _tool("create_folder", "Creates a folder.", name={**STRING, "minLength": 1}),
        _tool("get_folder", "Shows a folder.", folder_id=STRING),
        _tool("delete_folder", "Deletes an empty folder.", folder_id=STRING),
        _tool(
            "create_paper",
            "Creates a paper.",
            title={**STRING, "minLength": 1},
            folder_id=STRING,
            text={**text, "default": None},
        ),
        _tool("read_paper", "Shows a paper.", paper_id=STRING),
        _tool("update_paper", "Writes a paper's text.", paper_id=STRING, text=text),
        _tool("move_paper", "Moves a paper to a folder.", paper_id=STRING, folder_id=STRING),
        _tool("trash_paper", "Puts a paper into the bin.", paper_id=STRING),
        _tool("restore_paper", "Takes a paper out of the bin.", paper_id=STRING),
        _tool(
            "list_papers",
            "Lists the papers of a folder.",
            folder_id=STRING,
            offset={**WHOLE, "minimum": 0, "default": None},
            limit={**WHOLE, "minimum": 1, "maximum": MOST, "default": None},
        ),
        _tool("search", "Searches for papers.", query={**STRING, "minLength": 1}),
    ]


class WrongError(Exception):
    """A refusal, by its code."""


class Papers:
    """The store."""

    def __init__(self, broken: str = "") -> None:
        self.broken = broken
        self.folders: dict[str, dict[str, Any]] = {}
        self.papers: dict[str, dict[str, Any]] = {}
        self.ids = count(1)

    def answer(self, name: str, arguments: dict[str, Any]) -> tuple[dict[str, Any], bool]:
        try:
            self.check(name, arguments)
            return getattr(self, name)(**{key: each for key, each in arguments.items() if each is not None}), False
        except WrongError as error:
            return {"error": {"code": str(error), "message": "no"}}, True

    def check(self, name: str, arguments: dict[str, Any]) -> None:
        longer = self.broken == "takes-longer-texts"
        schema = next(tool for tool in tools(2 * TEXT if longer else TEXT) if tool["name"] == name)["inputSchema"]
        if not Draft202012Validator(schema).is_valid(arguments):
            raise WrongError("BAD")

    def create_folder(self, name: str) -> dict[str, Any]:
        folder = {"folder_id": f"folder-{next(self.ids)}", "name": name}
        self.folders[folder["folder_id"]] = folder
        return dict(folder)

    def get_folder(self, folder_id: str) -> dict[str, Any]:
        if folder_id not in self.folders:
            raise WrongError("NO_FOLDER")
        return dict(self.folders[folder_id])

    def delete_folder(self, folder_id: str) -> dict[str, Any]:
        self.get_folder(folder_id)
        if any(paper["folder_id"] == folder_id for paper in self.papers.values()):
            raise WrongError("NOT_EMPTY")
        del self.folders[folder_id]
        return {"deleted": True}

    def create_paper(self, title: str, folder_id: str, text: str = "") -> dict[str, Any]:
        self.get_folder(folder_id)
        paper = {"paper_id": f"paper-{next(self.ids)}", "title": title, "text": text, "folder_id": folder_id}
        self.papers[paper["paper_id"]] = {**paper, "binned": False}
        return dict(self.papers[paper["paper_id"]])

    def found(self, paper_id: str) -> dict[str, Any]:
        if paper_id not in self.papers:
            raise WrongError("NO_PAPER")
        return self.papers[paper_id]

    def read_paper(self, paper_id: str) -> dict[str, Any]:
        return dict(self.found(paper_id))

    def update_paper(self, paper_id: str, text: str) -> dict[str, Any]:
        paper = self.found(paper_id)
        if paper["binned"] and self.broken != "edits-what-is-binned":
            raise WrongError("BINNED")
        paper["text"] = text[: TEXT // 2] if self.broken == "cuts" else text
        return dict(paper)

    def move_paper(self, paper_id: str, folder_id: str) -> dict[str, Any]:
        self.get_folder(folder_id)
        self.found(paper_id)["folder_id"] = folder_id
        return dict(self.found(paper_id))

    def trash_paper(self, paper_id: str) -> dict[str, Any]:
        self.found(paper_id)["binned"] = True
        return dict(self.found(paper_id))

    def restore_paper(self, paper_id: str) -> dict[str, Any]:
        self.found(paper_id)["binned"] = False
        return dict(self.found(paper_id))

    def list_papers(self, folder_id: str, offset: int = 0, limit: int = 25) -> dict[str, Any]:
        self.get_folder(folder_id)
        anywhere = self.broken == "lists-those-of-all-folders"
        mine = [dict(paper) for paper in self.papers.values() if anywhere or paper["folder_id"] == folder_id]
        more = 1 if self.broken == "gives-more-than-asked" else 0
        there = [paper for paper in mine if not paper["binned"]]
        return {"papers": there[offset : offset + limit + more], "total": len(there)}

    def search(self, query: str) -> dict[str, Any]:
        return {"hits": [dict(paper) for paper in self.papers.values() if query in paper["title"]]}
