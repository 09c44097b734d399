"""Rooms that are opened and closed by one tool, deleted only when closed, with posts that may be over by themselves.

It is correct, and may be broken in its states. Closing gives a room a new revision. How long a post lasts is counted in
calls, so that a test needs no clock.
"""

import json
from itertools import count
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "rooms_contract"
BREAKS = {
    "posts-in-closed": "RO-CLOSED-POST",
    "renames-closed": "RO-CLOSED-RENAME",
    "wrong-code": "RO-CLOSED-RENAME",
    "deletes-open": "RO-OPEN-DELETE",
    "never-opens-again": "RO-CLOSED-POST",
    "keeps-closed": "RO-SERVED",
    "takes-all": "RO-ARGUMENTS",
    "refuses-longest": "RO-ARGUMENTS",
    "drifts": "RO-STEADY",
}
"""By what is broken, the requirement that shows it."""


def tools() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((FOLDER / "tools.json").read_text("utf-8"))
    return found


class WrongError(Exception):
    """A refusal, by its code."""


class Rooms:
    """The store."""

    def __init__(self, broken: str = "") -> None:
        self.broken = broken
        self.rooms: dict[str, dict[str, Any]] = {}
        self.posts: dict[int, dict[str, Any]] = {}
        self.ends: dict[int, int] = {}
        self.closed = set[str]()
        self.ids, self.calls = count(1), 0

    def answer(self, name: str, arguments: dict[str, Any]) -> tuple[dict[str, Any], bool]:
        self.calls += 1
        self.posts = {key: post for key, post in self.posts.items() if self.ends[key] >= self.calls}
        try:
            self.check(name, arguments)
            return getattr(self, name)(**arguments), False
        except WrongError as error:
            return {"error": {"code": str(error), "message": "no"}}, True

    def check(self, name: str, arguments: dict[str, Any]) -> None:
        schema = next(tool for tool in tools() if tool["name"] == name)["inputSchema"]
        if set(schema.get("required", ())) - set(arguments) or set(arguments) - set(schema["properties"]):
            raise WrongError("BAD")
        for key, value in arguments.items():
            about = schema["properties"][key]
            kind = {"string": str, "integer": int}[about["type"]]
            if not isinstance(value, kind) or isinstance(value, bool):
                raise WrongError("BAD")
            size = len(value) if isinstance(value, str) else value
            most = about.get("maxLength", about.get("maximum", size)) - (
                self.broken == "refuses-longest" and key == "text"
            )
            lax = self.broken == "takes-all" and key == "lasts"
            if not lax and not about.get("minLength", about.get("minimum", size)) <= size <= most:
                raise WrongError("BAD")
            if value not in about.get("enum", [value]):
                raise WrongError("BAD")

    def open_room(self, name: str) -> dict[str, Any]:
        room = {"id": f"room-{next(self.ids)}", "name": name, "status": "open", "rev": 1}
        self.rooms[room["id"]] = room
        return {"room": dict(room)}

    def room(self, room: str) -> dict[str, Any]:
        found = self.found(room)
        if self.broken == "drifts":
            found["rev"] += 1
        return {"room": dict(found)}

    def found(self, room: str) -> dict[str, Any]:
        if room not in self.rooms:
            raise WrongError("NO_ROOM")
        return self.rooms[room]

    def set_status(self, room: str, status: str) -> dict[str, Any]:
        found = self.found(room)
        if self.broken == "keeps-closed" and status == "open" and found["status"] == "closed":
            raise WrongError("NO_ROOM")
        if found["status"] != status:
            self.closed.add(room)
            found.update(status=status, rev=found["rev"] + 1)
        return {"room": dict(found)}

    def rename(self, room: str, name: str, rev: int) -> dict[str, Any]:
        found = self.found(room)
        if found["status"] == "closed" and self.broken != "renames-closed":
            raise WrongError("STALE" if self.broken == "wrong-code" else "CLOSED")
        if rev != found["rev"]:
            raise WrongError("STALE")
        found.update(name=name, rev=rev + 1)
        return {"room": dict(found)}

    def delete_room(self, room: str) -> dict[str, Any]:
        if self.found(room)["status"] != "closed" and self.broken != "deletes-open":
            raise WrongError("OPEN")
        del self.rooms[room]
        return {}

    def all_rooms(self) -> dict[str, Any]:
        return {"rooms": [dict(each) for each in self.rooms.values()]}

    def post(self, room: str, text: str, lasts: int) -> dict[str, Any]:
        barred = self.found(room)["status"] == "closed" and self.broken != "posts-in-closed"
        if barred or (self.broken == "never-opens-again" and room in self.closed):
            raise WrongError("CLOSED")
        number = next(self.ids)
        self.posts[number] = {"post": number, "room": room, "text": text}
        self.ends[number] = self.calls + lasts
        return dict(self.posts[number])

    def a_post(self, post: int) -> dict[str, Any]:
        if post not in self.posts:
            raise WrongError("NO_POST")
        return dict(self.posts[post])

    def all_posts(self) -> dict[str, Any]:
        return {"posts": [dict(each) for each in self.posts.values()]}
