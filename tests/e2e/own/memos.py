"""Memos told in plain texts: ids, titles and versions stand in sentences, and in the lines of a list.

It is correct, and may be broken.
"""

from itertools import count
from typing import Any

from jsonschema import Draft202012Validator

BREAKS = {
    "same-number": "unique",
    "other-title": "shown",
    "other-body": "shown",
    "other-stars": "shown",
    "not-retitled": "shown",
    "kept": "lives",
    "leaves-one-out": "paged",
    "one-more": "capped",
    "any-version": "guarded",
    "same-version": "revised",
    "twice": "replayed",
    "any-memo-for-a-key": "conflicting",
    "counts-its-reads": "steady",
    "other-code": "refused",
}
"""By what is broken, the law of a drafted promise that shows it."""
MOST = 10
Json = dict[str, Any]
WHOLE: Json = {"type": "integer"}
STARS: Json = {"type": "integer", "minimum": 0, "maximum": 99}
STRING: Json = {"type": "string", "minLength": 1}


def _tool(name: str, says: str, needed: Json, **more: Json) -> Json:
    schema = {"type": "object", "properties": {**needed, **more}, "required": [*needed], "additionalProperties": False}
    return {"name": name, "description": says, "inputSchema": schema}


def tools(style: str = "lines") -> list[Json]:
    key = {"type": "string", "description": "The same key gives the same memo"}
    begin: Json = {"offset": {"type": "integer", "minimum": 0, "default": 0}}
    if style == "cursors":
        begin = {"cursor": {"type": "string", "description": "Where the page begins"}}
    return [
        _tool("create_memo", "Creates a memo.", {"title": STRING, "body": STRING, "stars": STARS}, idempotency_key=key),
        _tool("get_memo", "Shows a memo.", {"memo_id": WHOLE}),
        _tool("retitle_memo", "Updates a title.", {"memo_id": WHOLE, "title": STRING, "expected_version": WHOLE}),
        _tool("delete_memo", "Deletes a memo.", {"memo_id": WHOLE}),
        _tool("list_memos", "Lists memos.", {}, limit={"type": "integer", "minimum": 1, "maximum": MOST}, **begin),
    ]


def _lines(page: list[tuple[int, Json, str]], known: int) -> str:
    return "\n".join([f"{known} memos in all", *(f"- {line}" for _, _, line in page)])


def _table(page: list[tuple[int, Json, str]], _known: int) -> str:
    rows = (f"| {memo} | {said['title']} | {said['version']} |" for memo, said, _ in page)
    return "\n".join(["| ID | Title | Version |", "|---|---|---|", *rows])


def _blocks(page: list[tuple[int, Json, str]], _known: int) -> str:
    return "\n\n".join(
        f"## {said['title']}\nID: {memo}\nStars: {said['stars']}\nVersion: {said['version']}" for memo, said, _ in page
    )


LISTS = {"lines": _lines, "cursors": _lines, "table": _table, "blocks": _blocks}


class WrongError(Exception):
    """A refusal."""


class Memos:
    """The store."""

    def __init__(self, broken: str = "", *, flagged: bool = True, style: str = "lines") -> None:
        """Without the flag failures are told in words alone; a list has lines, a table or blocks for its style."""
        self.broken, self.flagged, self.style = broken, flagged, style
        self.memos: dict[int, Json] = {}
        self.keys: dict[str, tuple[Json, int]] = {}
        self.numbers, self.reads = count(41), count(1)
        self.schemas = {tool["name"]: Draft202012Validator(tool["inputSchema"]) for tool in tools(style)}

    def answer(self, name: str, arguments: Json) -> tuple[str, bool]:
        try:
            if not self.schemas[name].is_valid(arguments):
                raise WrongError("BAD_ARGUMENTS: see inputSchema")
            return getattr(self, name)(**arguments), False
        except WrongError as error:
            return f"Error executing tool {name}: {error}", self.flagged

    def line(self, memo: int) -> str:
        found = self.memos[memo]
        return f'memo #{memo} "{found["title"]}" ({found["stars"]} stars, version {found["version"]})'

    def known(self, memo: int) -> Json:
        if memo not in self.memos:
            code = "BAD_ARGUMENTS" if self.broken == "other-code" else "NOT_FOUND"
            raise WrongError(f"{code}: there is no memo {memo}")
        return self.memos[memo]

    def create_memo(self, title: str, body: str, stars: int, idempotency_key: str | None = None) -> str:
        said = {"title": title, "body": body, "stars": stars}
        if idempotency_key in self.keys and self.broken != "twice":
            first, memo = self.keys[idempotency_key]
            if first != said and self.broken != "any-memo-for-a-key":
                raise WrongError("KEY_USED: for another memo")
            return f"Created {first['title']}, memo #{memo}"
        memo = next(self.numbers)
        if self.broken == "same-number" and memo % 5 == 0:
            memo -= 1
        shown = f"{title}x" if self.broken == "other-title" else title
        body = body[:-1] if self.broken == "other-body" else body
        stars += self.broken == "other-stars"
        self.memos[memo] = {"title": shown, "body": body, "stars": stars, "version": 1}
        if idempotency_key is not None:
            self.keys[idempotency_key] = (said, memo)
        return f"Created {title}, memo #{memo}"

    def get_memo(self, memo_id: int) -> str:
        body = self.known(memo_id)["body"]
        read = f", read {next(self.reads)} times" if self.broken == "counts-its-reads" else ""
        return f"This is {self.line(memo_id)}{read}\n\n{body}"

    def retitle_memo(self, memo_id: int, title: str, expected_version: int) -> str:
        memo = self.known(memo_id)
        if expected_version != memo["version"] and self.broken != "any-version":
            raise WrongError(f"STALE: memo {memo_id} has version {memo['version']}")
        memo["version"] += self.broken != "same-version"
        memo["title"] = memo["title"] if self.broken == "not-retitled" else title
        return f"Now it is {self.line(memo_id)}"

    def delete_memo(self, memo_id: int) -> str:
        self.known(memo_id)
        if self.broken != "kept":
            del self.memos[memo_id]
        return f"Deleted memo #{memo_id}"

    def list_memos(self, limit: int = MOST, offset: int = 0, cursor: str | None = None) -> str:
        known = [each for each in self.memos if self.broken != "leaves-one-out" or each % 5]
        if cursor is not None:
            if not cursor.startswith("from-") or not cursor.removeprefix("from-").isdecimal():
                raise WrongError("BAD_ARGUMENTS: no such cursor")
            offset = int(cursor.removeprefix("from-"))
        page = known[offset : offset + limit + (self.broken == "one-more")]
        shown = LISTS[self.style]([(each, self.memos[each], self.line(each)) for each in page], len(known))
        more = self.style == "cursors" and offset + limit < len(known)
        return f"{shown}\n\nNext cursor: from-{offset + limit}" if more else shown
