"""TH-ENV: failures, request ids, timestamps, isError."""

from typing import Any

import pytest

from conformance.model.events import Http
from tests.laws.histories import Story
from tests.laws.threads.scene import SHOWN, TH, live

ERROR = {"code": "NOT_FOUND", "message": "no such thread", "request_id": "req_1"}


def answered(envelope: Any, *, failed: bool = True) -> Story:
    story = Story()
    story.call("get_thread", TH, envelope, failed=failed)
    return story


@pytest.mark.parametrize(
    ("envelope", "verdict"),
    [
        ({"error": ERROR}, "pass"),
        ({"error": {**ERROR, "details": {}}}, "pass"),
        ({"error": {**ERROR, "message": ""}}, "fail"),
        ({"error": {**ERROR, "request_id": 7}}, "fail"),
        ({"error": {"message": "no", "request_id": "req_1"}}, "fail"),
        ({"error": "NOT_FOUND"}, "fail"),
        ({"error": ERROR, "messages": []}, "fail"),
        (["failed"], "fail"),
        (SHOWN, "not_observed"),
    ],
)
def test_failures(envelope: Any, verdict: str) -> None:
    assert answered(envelope).judged("TH-ENV-01").verdict == verdict


def test_failures_of_the_protocol_and_the_transport() -> None:
    story = Story()
    story.error("tools/call", {"name": "get_thread", "arguments": {}}, -32602)
    story.connect("n", transport="http")
    story.request("tools/call", {"name": "get_thread"}, {"detail": "no token"}, on="n", status=401)
    assert not story.judged("TH-ENV-01").subjects


def test_request_ids() -> None:
    story = Story()
    for number in (1, 2):
        story.refused("get_thread", TH, "NOT_FOUND", details={"request_id": f"req_{number}"})
    assert story.judged("TH-ENV-02").verdict == "pass"
    story.refused("read_messages", TH, "NOT_FOUND", details={"request_id": "req_2"})
    assert story.judged("TH-ENV-02").verdict == "fail"


def test_a_request_id_of_the_callers() -> None:
    story = Story()
    for _ in range(2):
        sent = Http(method="POST", path="/mcp", headers={"x-request-id": "mine"})
        story.refused("get_thread", TH, "NOT_FOUND", details={"request_id": "mine"}, http=sent)
    assert not story.judged("TH-ENV-02").subjects


@pytest.mark.parametrize(
    ("value", "verdict"),
    [
        ("2026-02-17T12:00:00Z", "pass"),
        ("2026-02-17t12:00:00.123456789z", "pass"),
        ("2026-02-17T12:00:00+00:00", "pass"),
        ("2016-12-31T23:59:60Z", "pass"),
        ("2026-02-17T12:00:00", "fail"),
        ("2026-02-17T14:00:00+02:00", "fail"),
        ("2026-02-30T12:00:00Z", "fail"),
        ("2026-02-17 12:00:00Z", "fail"),
        ("2026-02-17T12:00:61Z", "fail"),
        ("2026-02-17T12:00:00Z\n", "fail"),
        (1771329600, "fail"),
        (["x"], "fail"),
        (None, "not_observed"),
    ],
)
def test_timestamps(value: Any, verdict: str) -> None:
    story = Story()
    story.accepted("read_messages", TH, {"messages": [{"created_at": value, "metadata": {"created_at": "noon"}}, 7]})
    assert story.judged("TH-ENV-03").verdict == verdict
    story = Story()
    story.accepted("trigger_participant", TH, {"deferred_until": value})
    assert story.judged("TH-ENV-03").verdict == verdict


def test_is_error() -> None:
    assert answered({"error": ERROR}).judged("TH-ENV-04").verdict == "pass"
    assert answered(SHOWN, failed=False).judged("TH-ENV-04").verdict == "pass"
    assert answered({"error": ERROR}, failed=False).judged("TH-ENV-04").verdict == "warn"
    assert answered(SHOWN).judged("TH-ENV-04").verdict == "warn"


def test_the_reference() -> None:
    found = live(*(f"TH-ENV-0{number}" for number in range(1, 5)))
    assert {result.verdict for result in found.values()} == {"pass"}
    assert all(result.subjects for result in found.values())
