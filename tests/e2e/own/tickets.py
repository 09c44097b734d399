"""Tickets: numbers for ids, etags, an envelope with ok and data, opaque cursors, optional keys, unique titles.

It is correct, and unlike the notes in everything that a contract may shape. It keeps no key of a refused call, changes
no etag where nothing changes, looks at the etag before the arguments, and tells the time in each read.
"""

import base64
import hashlib
import json
from itertools import count
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "tickets_contract"


def tools() -> list[dict[str, Any]]:
    found: Any = json.loads((FOLDER / "tools.json").read_text("utf-8"))
    return found["tools"] if isinstance(found, dict) else found


class WrongError(Exception):
    """A refusal, by its code."""


class Tickets:
    """The store."""

    def __init__(self) -> None:
        self.rows: dict[int, dict[str, Any]] = {}
        self.keys: dict[str, tuple[str, dict[str, Any]]] = {}
        self.ids = count(4711, 3)
        self.ticks = count()

    def answer(self, name: str, arguments: dict[str, Any]) -> tuple[dict[str, Any], bool]:
        try:
            return {"ok": True, "data": getattr(self, name.replace(".", "_"))(arguments)}, False
        except WrongError as error:
            kind = str(error)
            return {"ok": False, "fault": {"kind": kind, "again": kind == "stale"}}, True

    def ticket_open(self, given: dict[str, Any]) -> dict[str, Any]:
        fields = given.get("ticket")
        if not isinstance(fields, dict) or not isinstance(fields.get("subject"), str) or not fields["subject"]:
            raise WrongError("malformed")
        if len(fields["subject"].encode()) > 300 or not isinstance(fields.get("labels", []), list):
            raise WrongError("malformed")
        if len(fields.get("labels", [])) > 5 or not all(isinstance(each, str) for each in fields.get("labels", [])):
            raise WrongError("malformed")
        key, said = given.get("idem"), json.dumps(fields, sort_keys=True)
        if key is not None and key in self.keys:
            if self.keys[key][0] != said:
                raise WrongError("key_taken")
            return self.keys[key][1]
        if any(row["subject"] == fields["subject"] for row in self.rows.values()):
            raise WrongError("duplicate")
        number = next(self.ids)
        self.rows[number] = {"number": number, "subject": fields["subject"], "labels": fields.get("labels", [])}
        made = {"ticket": self.shown(number)}
        if key is not None:
            self.keys[key] = (said, made)
        return made

    def shown(self, number: int) -> dict[str, Any]:
        row = self.rows[number]
        etag = hashlib.sha256(json.dumps(row, sort_keys=True).encode()).hexdigest()[:12]
        return {**row, "meta": {"etag": f'W/"{etag}"'}}

    def found(self, given: dict[str, Any]) -> int:
        number = given.get("number")
        if not isinstance(number, int) or isinstance(number, bool):
            raise WrongError("malformed")
        if number not in self.rows:
            raise WrongError("no_ticket")
        return number

    def ticket_show(self, given: dict[str, Any]) -> dict[str, Any]:
        return {"ticket": self.shown(self.found(given)), "served": next(self.ticks)}

    def ticket_rename(self, given: dict[str, Any]) -> dict[str, Any]:
        number = self.found(given)
        if given.get("if_match") is not None and given["if_match"] != self.shown(number)["meta"]["etag"]:
            raise WrongError("stale")
        subject = given.get("subject")
        if not isinstance(subject, str) or not subject or len(subject.encode()) > 300:
            raise WrongError("malformed")
        if any(row["subject"] == subject for row in self.rows.values() if row["number"] != number):
            raise WrongError("duplicate")
        self.rows[number]["subject"] = subject
        return {"etag": self.shown(number)["meta"]["etag"], "number": number}

    def ticket_drop(self, given: dict[str, Any]) -> dict[str, Any]:
        del self.rows[self.found(given)]
        return {}

    def tickets(self, given: dict[str, Any]) -> dict[str, Any]:
        page = given.get("page", {})
        size = page.get("size", 10) if isinstance(page, dict) else None
        if not isinstance(size, int) or isinstance(size, bool) or not 1 <= size <= 30:
            raise WrongError("malformed")
        try:
            after = int(base64.b64decode(page["after"]).decode()) if page.get("after") else 1 << 60
        except (ValueError, TypeError):
            raise WrongError("malformed") from None
        # the newest first, and subjects cut short
        numbers = sorted((number for number in self.rows if number < after), reverse=True)
        items = [{"number": n, "subject": self.rows[n]["subject"][:12] + "…"} for n in numbers[:size]]
        more = len(numbers) > size
        onward = {"after": base64.b64encode(str(numbers[size - 1]).encode()).decode()} if more else {}
        return {"items": items, "more": more, **onward}
