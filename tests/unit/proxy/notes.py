"""A small server of notes behind a breakage, and the calls through it."""

import json
from pathlib import Path
from typing import Any

import msgspec

from conformance.contract.catalogue import load
from conformance.contract.registry import named
from conformance.prove.proxy.breakage import Breakage, Proxy, Sampler, World

CONTRACT = load(named(str(Path(__file__).parents[3] / "fixtures" / "notes" / "contract")))

MAKE = CONTRACT.makes["note"]

Message = dict[str, Any]


class Notes:
    """A small server of notes, and the calls that reached it."""

    def __init__(self) -> None:
        self.notes: dict[str, Message] = {}
        self.keys: dict[str, tuple[Message, Message]] = {}
        self.archived: set[str] = set()
        self.reached: list[str] = []

    def answer(self, message: Message) -> Message:
        tool, given = message["params"]["name"], message["params"]["arguments"]
        self.reached.append(tool)
        found = getattr(self, tool)(**given)
        failed = isinstance(found, str)
        if failed:
            again = CONTRACT.errors[found].retryable
            found = {"error": {"code": found, "message": "no", "retryable": again}}
        result = {"content": [{"type": "text", "text": json.dumps(found)}], "structuredContent": found}
        return {"jsonrpc": "2.0", "id": message["id"], "result": {**result, "isError": failed}}

    def save_note(self, title: str, body: str, request_key: str) -> Message | str:
        asked = {"title": title, "body": body}
        before, note = self.keys.get(request_key, (asked, None))
        if before != asked:
            return "KEY_REUSED"
        if note is None:
            note = {"id": f"n-{len(self.notes) + 1}", **asked, "revision": 1}
            self.notes[note["id"]] = note
            self.keys[request_key] = asked, dict(note)
        return {"note": dict(note), "request_key": request_key}

    def get_note(self, note_id: str) -> Message | str:
        return {"note": dict(self.notes[note_id])} if note_id in self.notes else "NOT_FOUND"

    def update_note(self, note_id: str, body: str, expected_revision: int) -> Message | str:
        note = self.notes[note_id]
        if note_id in self.archived:
            return "ARCHIVED"
        if note["revision"] != expected_revision:
            return "REVISION_MISMATCH"
        note |= {"body": body, "revision": note["revision"] + 1}
        return {"note": dict(note)}

    def archive_note(self, note_id: str) -> Message:
        self.archived.add(note_id)
        return {"note": dict(self.notes[note_id])}

    def restore_note(self, note_id: str) -> Message:
        self.archived.discard(note_id)
        return {"note": dict(self.notes[note_id])}

    def delete_note(self, note_id: str) -> Message | str:
        return {"deleted": note_id} if self.notes.pop(note_id, None) else "NOT_FOUND"

    def list_notes(self, limit: int = 20, cursor: str = "") -> Message:
        rows, start = list(self.notes.values()), int(cursor or 0)
        shown = [{"id": row["id"], "title": row["title"]} for row in rows[start : start + limit]]
        return {"notes": shown, "next_cursor": str(start + limit) if start + limit < len(rows) else None}


class Client:
    """Calls a server through a breakage."""

    def __init__(self, breakage: Breakage | None = None) -> None:
        self.server, self.count = Notes(), 0
        self.breakage = breakage
        self.between: Proxy | Sampler
        sampler = self.between = Sampler(CONTRACT)
        if breakage is not None:
            sample(self)
            self.server = Notes()
            self.between = Proxy(breakage, World(CONTRACT, sampler.samples))

    def call(self, tool: str, **arguments: Any) -> Message:
        self.count += 1
        params = {"name": tool, "arguments": arguments}
        request = {"jsonrpc": "2.0", "id": self.count, "method": "tools/call", "params": params}
        before = msgspec.json.encode(request)
        passed = self.between.asked(self.count, request, "main")
        if passed.before is not None:
            self.server.answer(passed.before)
        answer = passed.answer or self.server.answer(passed.message)
        answer = self.between.answered(self.count, answer)
        assert msgspec.json.encode(request) == before, "what the suite said stays as it is"
        assert answer["id"] == self.count
        result = answer["result"]
        assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
        found: Message = result["structuredContent"]
        return {**found, "isError": result["isError"]}

    def save(self, title: str = "one", key: str = "key-of-a-note-0001") -> Message:
        return self.call("save_note", title=title, body=f"body of {title}", request_key=key)


def sample(client: Client) -> None:
    """Calls of every kind, so that their answers are known."""
    note = client.save()["note"]
    client.save("other")
    client.call("get_note", note_id=note["id"])
    client.call("update_note", note_id=note["id"], body="b", expected_revision=1)
    client.call("update_note", note_id=note["id"], body="b", expected_revision=1)
    client.call("list_notes", limit=1)
    client.call("archive_note", note_id=note["id"])
    client.call("update_note", note_id=note["id"], body="b", expected_revision=2)
    client.call("restore_note", note_id=note["id"])
    client.call("delete_note", note_id=note["id"])
    client.call("get_note", note_id=note["id"])
