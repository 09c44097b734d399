"""A refusal is evidence only beside an accepted like: where every call is refused, nothing about refusals is seen.

A run of each edition is judged once for each of some codes, spread over its catalogue. CODES=all: for each of them all.
"""

import os
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import msgspec
import pytest

from conformance.contract.catalogue import load
from conformance.judge.judge import judge
from conformance.judge.library import import_laws
from conformance.model.events import Event, Json, Message
from conformance.model.transcript import read
from conformance.model.verdict import Verdict
from tests.recordings import Recorded

EDITIONS = (
    ("threads", None),
    ("tuitbot", "session-05"),
    ("tuitbot", "convergence"),
    ("tasks", None),
    ("invocation", None),
)
FEW = 2
"""Codes of an edition, about: judging a run of the later edition of tuitbot once takes ten seconds."""


def chosen(name: str, edition: str | None) -> list[str]:
    # the later edition has every code and every law of the first but those on its profiles: one code shows these
    codes = list(load(name, edition).errors) if edition != "session-05" else ["db_error"]
    return codes if os.environ.get("CODES") == "all" else codes[:: max(1, len(codes) // FEW)]


CODES = [(name, edition, code) for name, edition in EDITIONS for code in chosen(name, edition)]
LATEST = {"tuitbot": "convergence"}
"""The edition that has all codes of a contract."""
OF_ANSWERS = {
    "TH-ENV-02": "each refusal has a request_id of its own",
    "TB-RETRY-01": "each refusal carries retryable",
    "TB-RETRY-03": "as TB-RETRY-01",
    "TB-MAN-03": "the lists of tools show it, no call does",
    "TB-MAN-05": "each refusal has a code that the manifest lists",
    "TB-MAN-12": "as TB-MAN-03",
    "TB-PROF-01": "as TB-MAN-03",
    "TB-PROF-03": "as TB-MAN-03",
    "TB-PROF-06": "as TB-MAN-03",
    "TK-ENV-06": "each refusal tells the time",
    "IR-COR-01": "each Result has a correlationId, that of a refusal too",
}
"""Requirements that are no exchange's alone and that refusals show by themselves, each with why."""


@lru_cache(maxsize=1)  # a run holds up to 350 MB, and the codes of an edition follow one another
def events_of(path: Path) -> list[Event]:
    return list(read(path))


def refusal(contract: str, code: str, number: int) -> dict[str, Json]:
    error: dict[str, Json] = {"code": code, "message": "this call is refused"}
    match contract:
        case "threads":
            return {"error": {**error, "request_id": f"refused-{number}"}}
        case "tasks":
            return {
                "success": False, "intent": "refuse", "result": {}, "warnings": [], "suggestions": [],
                "context": {}, "error": error, "timestamp": "2026-01-01T00:00:00Z",
            }  # fmt: skip
        case "invocation":
            kind = load(contract).errors[code].category
            return {
                "status": "Error", "durationMs": 1, "attempts": 1, "resolvedVersion": "1.0.0", "origin": "local",
                "correlationId": f"refused-{number}",
                "policySnapshot": {"timeoutMs": 5000, "retry": {"maxAttempts": 1}, "rateLimitIds": [],
                                   "circuitState": "closed"},
                "error": {**error, "class": kind, "isRetryable": False, "origin": "local"},
            }  # fmt: skip
        case _:
            retryable = load(contract, LATEST.get(contract)).errors[code].retryable
            return {"success": False, "data": None, "error": {**error, "retryable": retryable}}


def all_refused(contract: str, code: str, events: list[Event]) -> Iterator[Event]:
    """The same run at a server that refuses every call of a tool with one code."""
    called: set[int] = set()
    for event in events:
        payload = event.payload if isinstance(event, Message) else None
        if not isinstance(event, Message) or not isinstance(payload, dict):
            yield event
        elif event.direction == "out":
            if payload.get("method") == "tools/call" and event.call is not None:
                called.add(event.call)
            yield event
        elif event.call in called:
            envelope = refusal(contract, code, event.call or 0)
            text = [{"type": "text", "text": msgspec.json.encode(envelope).decode()}]
            result = {"resultType": "complete", "content": text, "structuredContent": envelope, "isError": True}
            answer = {"jsonrpc": "2.0", "id": payload.get("id"), "result": result}
            yield msgspec.structs.replace(event, payload=answer)
        else:
            yield event


@pytest.mark.parametrize(("contract", "edition", "code"), CODES)
def test_nothing_passes_where_every_call_is_refused(
    contract: str, edition: str | None, code: str, recorded: Recorded
) -> None:
    about = load(contract, edition)
    import_laws(about)
    outcomes = judge(all_refused(contract, code, events_of(recorded(contract, edition))), about).outcomes
    passed = {o.id for o in outcomes if o.verdict is Verdict.PASS}
    of_answers = {r.id for r in about.requirements.values() if r.seen in ("exchange", "static")}
    assert passed - of_answers - OF_ANSWERS.keys() == set(), f"passed although {code} was every call's answer"
