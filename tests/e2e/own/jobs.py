"""Jobs with states: an envelope that says `status: "ok"`, nested payloads, optional keys, what ends cannot end again.

It is correct, and may be broken in ways that ordinary calls do not show.
"""

import json
import uuid
from itertools import count
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "jobs_contract"
BREAKS = {
    "capped": "JOB-SUBMITTED",
    "kept-first-kind": "JOB-SUBMITTED",
    "twin": "JOB-KEY",
    "newest-state": "JOB-KEY",
    "late-page": "JOB-PAGES",
    "usual-page": "JOB-PAGES",
    "purges-the-next": "JOB-SERVED",
}
"""By what is broken, the requirement that shows it."""
Json = dict[str, Any]
USUAL, FIRST = 10, 5


def tools() -> list[Json]:
    found: list[Json] = json.loads((FOLDER / "tools.json").read_text("utf-8"))
    return found


class WrongError(Exception):
    """A refusal, by its code."""


class Jobs:
    """The store."""

    def __init__(self, broken: str = "") -> None:
        self.broken = broken
        self.jobs: dict[str, Json] = {}
        self.keys: dict[str, tuple[str, str, Json]] = {}
        self.numbers = count(1)

    def answer(self, name: str, arguments: Json) -> tuple[Json, bool]:
        try:
            return {"status": "ok", "data": getattr(self, name)(**self.checked(name, arguments))}, False
        except WrongError as error:
            problem = {"reason": {"code": str(error)}, "again": str(error) == "E_STALE"}
            return {"status": "error", "problem": problem}, True

    def checked(self, name: str, arguments: Json) -> Json:
        schema = next(tool for tool in tools() if tool["name"] == name)["inputSchema"]
        if set(schema["required"]) - set(arguments):
            raise WrongError("E_ARGUMENT")
        for key, value in arguments.items():
            about = schema["properties"].get(key)
            kind = {"string": str, "integer": int, "object": dict}[about["type"]] if about else object
            if about is None or not isinstance(value, kind) or isinstance(value, bool):
                raise WrongError("E_ARGUMENT")
            least, most = about.get("minimum", value), about.get("maximum", value)
            if value not in about.get("enum", [value]) or (isinstance(value, int) and not least <= value <= most):
                raise WrongError("E_ARGUMENT")
        return arguments

    def submit(self, kind: str, payload: Json, priority: int = FIRST, idempotency_key: str = "") -> Json:
        said = json.dumps([kind, payload, priority], sort_keys=True)
        if idempotency_key in self.keys:
            first, job, shown = self.keys[idempotency_key]
            if first != said:
                raise WrongError("E_KEY")
            if self.broken == "twin":
                self.made(kind, payload, priority)
            return dict(self.jobs[job]) if self.broken == "newest-state" and job in self.jobs else shown
        made = dict(self.made(kind, payload, priority))
        if idempotency_key:
            self.keys[idempotency_key] = (said, made["job"], made)
        return made

    def made(self, kind: str, payload: Json, priority: int) -> Json:
        priority = min(priority, FIRST) if self.broken == "capped" else priority
        kind = "mail" if self.broken == "kept-first-kind" else kind
        job = {"job": str(uuid.uuid4()), "number": next(self.numbers), "kind": kind, "payload": payload}
        self.jobs[job["job"]] = {**job, "priority": priority, "state": "queued", "seq": 0}
        return self.jobs[job["job"]]

    def found(self, job: str) -> Json:
        if job not in self.jobs:
            raise WrongError("E_NO_JOB")
        return self.jobs[job]

    def status(self, job: str) -> Json:
        return dict(self.found(job))

    def reprioritise(self, job: str, priority: int, seq: int) -> Json:
        found = self.found(job)
        if seq != found["seq"]:
            raise WrongError("E_STALE")
        found.update(priority=priority, seq=seq + 1)
        return dict(found)

    def cancel(self, job: str) -> Json:
        found = self.found(job)
        if found["state"] == "ended":
            raise WrongError("E_STATE")
        found.update(state="ended", seq=found["seq"] + 1)
        return dict(found)

    def purge(self, job: str) -> Json:
        number = self.found(job)["number"]
        del self.jobs[job]
        following = [one for one, about in self.jobs.items() if about["number"] == number + 1]
        if self.broken == "purges-the-next":
            for one in following:
                del self.jobs[one]
        return {"purged": job}

    def jobs_listed(self, after: int = 0, count: int = 0) -> Json:
        rows = sorted((job for job in self.jobs.values() if job["number"] > after), key=lambda job: job["number"])
        shown = rows[: count or USUAL]
        more = len(rows) > len(shown)
        if (self.broken == "late-page" and len(self.jobs) - len(rows) >= 3 * count > 0) or (
            self.broken == "usual-page" and not count
        ):
            more = False
        return {"jobs": list(map(dict, shown)), "page": {"after": shown[-1]["number"]} if more else {}}
