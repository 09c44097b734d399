"""An instance larger than memory is divided: calls about one entity stay together, and nothing is made up."""

import pytest

from conformance.contract.catalogue import load
from conformance.model.events import Agreed, Event, Flight, Http, Json, Message
from conformance.report.build import build
from conformance.report.model import Report, RequirementResult

from .events import answered, asked, called, header, opening, worker
from .test_parts import judged, keep_no_more_than, run

KEPT = 30_000
TIME = "2026-01-01T00:00:00Z"
MADE = {"workspace_id": "w", "title": "t", "type": "conversation", "participants": ["w"]}
THREADS = 60
LATE = THREADS - 5
"""A thread of which nothing is in what is kept."""


class Session:
    """Calls of one client at one server."""

    def __init__(self) -> None:
        self.events: list[Event] = [*opening(), worker()]
        self.call = 0

    def say(self, tool: str, arguments: Json, envelope: Json, **step: object) -> int:
        self.call += 1
        self.events += called(self.call, tool, arguments, envelope, self.call * 100, **step)
        return self.call

    def thread(self, name: str) -> None:
        self.say("create_thread", MADE, {"thread_id": name, "status": "active", "created_at": TIME})

    def post(self, thread: str, key: str, seq: int, message: str) -> int:
        given = {"thread_id": thread, "schema_version": 1, "kind": "chat", "body": "b", "idempotency_key": key}
        told = {"message_id": message, "seq": seq, "thread_status": "active", "created_at": TIME}
        return self.say("post_message", given, told)

    def report(self, monkeypatch: pytest.MonkeyPatch) -> Report:
        keep_no_more_than(KEPT, monkeypatch)
        _, *events = run(iter(self.events))
        return build(judged([header("threads"), *events]), load("threads"))


def busy(*, broken: int | None = None, ids: str = "m") -> Session:
    """Threads in which all is posted first and repeated at the end; one of them gives a repetition a new message."""
    session = Session()
    for number in range(THREADS):
        session.thread(f"th{number}")
        session.post(f"th{number}", "k", 1, f"{ids}{number}")
    for number in range(THREADS):
        message = f"{ids}{number}" if number != broken else "another"
        session.post(f"th{number}", "k", 1, message)
    return session


def result(report: Report, identifier: str) -> RequirementResult:
    return next(each for each in (*report.requirements, *report.foundation) if each.id == identifier)


def test_all_calls_about_an_entity_are_judged_together(monkeypatch: pytest.MonkeyPatch) -> None:
    found = result(busy().report(monkeypatch), "TH-IDEM-01")
    assert (found.verdict, found.subjects, found.reason) == ("pass", THREADS, "")


def test_a_breach_far_beyond_what_is_kept_is_found_with_its_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    session = busy(broken=LATE)
    report = session.report(monkeypatch)
    found = result(report, "TH-IDEM-01")
    original, again = 2 * LATE + 2, 2 * THREADS + LATE + 1
    assert found.verdict == "fail"
    assert [finding.calls for finding in found.findings] == [(original, again)]
    assert {original, again} <= {call.call for call in report.evidence}
    assert report.calls == session.call


def test_what_compares_more_is_said_to_be_judged_in_part(monkeypatch: pytest.MonkeyPatch) -> None:
    session = busy(ids="m")
    session.thread("last")
    session.post("last", "k", 1, "m0")
    report = session.report(monkeypatch)
    found = result(report, "TH-MSG-03")
    assert found.verdict == "pass"
    assert "judged on the first" in found.reason
    assert f"of {session.call} calls" in found.reason
    assert not report.complete
    assert "the calls of each thread_id together" in report.reason


@pytest.mark.parametrize(
    ("odd", "why"),
    [
        (
            {"tool": "post_message", "arguments": {"kind": "chat"}, "envelope": {"message_id": "x", "seq": 9}},
            "any of them",
        ),
        (
            {"tool": "get_thread", "arguments": {"thread_id": "th1"}, "envelope": {}, "conditions": {"clock": 5}},
            "clock",
        ),
    ],
)
def test_what_concerns_all_entities_keeps_them_together(odd, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    session = busy(broken=LATE)
    session.say(odd.pop("tool"), odd.pop("arguments"), odd.pop("envelope"), **odd)
    report = session.report(monkeypatch)
    found = result(report, "TH-IDEM-01")
    assert found.verdict in {"not_observed", "blocked"}
    assert any("TH-IDEM-01" in note for note in report.notes)
    assert why in report.reason
    assert not report.complete


def test_a_call_that_only_makes_an_entity_keeps_nothing_together(monkeypatch: pytest.MonkeyPatch) -> None:
    session = busy()
    session.call += 1
    session.events += asked(session.call, "create_thread", MADE, session.call * 100)
    assert result(session.report(monkeypatch), "TH-IDEM-01").subjects == THREADS


def test_calls_that_are_under_way_at_the_cut_are_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was asked for when no more could be kept is answered a little later."""
    session = Session()
    for number in range(THREADS):
        session.thread(f"th{number}")
    late: list[Event] = []
    for number in range(THREADS):
        session.call += 1
        session.events += asked(session.call, "get_thread", {"thread_id": f"th{number}"}, session.call * 100)
        late.append(answered(session.call, {"thread_id": f"th{number}"}, session.call * 100 + 50_000))
    session.events += late
    report = session.report(monkeypatch)
    assert result(report, "MC-RPC-01").verdict == "pass"
    assert result(report, "TH-THR-03").subjects == 2 * THREADS


def test_who_cancels_a_call_and_which_calls_overlapped_goes_with_them(monkeypatch: pytest.MonkeyPatch) -> None:
    session = busy()
    first = session.call + 1
    for call in (first, first + 1):
        given = {"thread_id": "th1", "status": "blocked", "reason": "r"}
        session.events += asked(call, "update_thread_status", given, first * 100)
    session.events.append(Flight(calls=(first, first + 1), together=True, t=first * 100 + 1))
    cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": first}}
    session.events.append(Message(connection="c1", direction="out", aside=1, payload=cancel, t=first * 100 + 2))
    for call in (first, first + 1):
        told = {"thread_id": "th1", "status": "blocked", "updated_at": TIME}
        session.events.append(answered(call, told, first * 100 + 10))
    session.call += 2
    assert result(session.report(monkeypatch), "TH-STAT-06").subjects == 1


def test_what_comes_beside_all_calls_is_judged_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    session = busy()
    session.events[:3] = [*opening("http")[:2], Agreed(connection="c1", revision="2025-11-25", t=0)]
    get = Http(method="GET", path="/mcp", headers={"accept": "text/event-stream"})
    page = Http(status=200, headers={"content-type": "text/html"})
    session.events += [
        Message(connection="c1", direction="out", aside=1, http=get, t=90_000),
        Message(connection="c1", direction="in", aside=1, raw="<html>", http=page, t=90_001),
    ]
    found = result(session.report(monkeypatch), "MC-RPC-16")
    assert (found.verdict, found.breaches) == ("fail", 1)
