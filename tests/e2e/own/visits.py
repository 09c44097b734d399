"""Visits of halls: refusals are texts with a code, and what a visit is made with stands in objects that may be null.

It is correct, and may be broken in what such objects hold.
"""

import json
from itertools import count
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "visits_contract"
BREAKS = {
    "later": ["VI-BEGIN"],
    "short-day": ["VI-BEGIN", "VI-END"],
    "short-note": ["VI-NOTE"],
    "twice": ["VI-KEY", "VI-KEY-USED"],
    "any-content": ["VI-KEY-USED"],
    "all-halls": ["VI-HALL"],
    "other-code": ["VI-NONE"],
}
"""By what is broken, the requirements that show it."""
Json = dict[str, Any]
LAST, LONGEST = 100, 20


def tools() -> list[Json]:
    found: list[Json] = json.loads((FOLDER / "tools.json").read_text("utf-8"))
    return found


class WrongError(Exception):
    """A refusal."""


class Visits:
    """The store."""

    def __init__(self, broken: str = "") -> None:
        self.broken = broken
        self.visits: dict[str, Json] = {}
        self.keys: dict[str, tuple[str, str]] = {}
        self.numbers = count(1)

    def answer(self, name: str, arguments: Json) -> tuple[Any, bool]:
        try:
            return getattr(self, name)(**arguments), False
        except WrongError as error:
            return f"Error in {name}: {error}", True

    def plan(self, hall: str, time: Json | None = None, more: Json | None = None) -> Json:
        more = more or {}
        self.looked_at(time, more)
        key, said = more.get("request_key"), json.dumps([hall, time, more], sort_keys=True)
        if key in self.keys and self.broken != "twice":
            first, visit = self.keys[key]
            if first != said and self.broken != "any-content":
                raise WrongError("KEY_USED: for another visit")
            return dict(self.visits[visit])
        visit = f"v-{next(self.numbers)}"
        self.visits[visit] = {"visit": visit, "hall": hall, "time": time, "note": more.get("note")}
        if key is not None:
            self.keys.setdefault(key, (said, visit))
        return dict(self.visits[visit])

    def looked_at(self, time: Json | None, more: Json) -> None:
        last = LAST + 1 if self.broken == "later" else LAST
        if time is not None:
            if not {"begin", "end"} <= time.keys():
                raise WrongError("a time has a begin and an end")
            begin, end = time["begin"], time["end"]
            if not all(type(each) is int for each in (begin, end)) or not 0 <= begin <= last or not 0 <= end <= LAST:
                raise WrongError(f"OUT_OF_BOUNDS: within 0 and {LAST}")
            if end < begin or (self.broken == "short-day" and end == LAST):
                raise WrongError("BAD_TIME: it ends before it begins")
        most = LONGEST - 1 if self.broken == "short-note" else LONGEST
        if len(more.get("note") or "") > most:
            raise WrongError("OUT_OF_BOUNDS: the note is too long")

    def show(self, visit: str) -> Json:
        if visit not in self.visits:
            raise WrongError(f"{'OUT_OF_BOUNDS' if self.broken == 'other-code' else 'NO_VISIT'}: there is no {visit}")
        return dict(self.visits[visit])

    def visits_listed(self, hall: str | None = None) -> Json:
        every = hall is None or self.broken == "all-halls"
        return {"visits": [dict(each) for each in self.visits.values() if every or each["hall"] == hall]}
