"""TH-SES-*: heartbeats."""

from collections.abc import Mapping

import pytest

from conformance.model.events import Json
from tests.laws.driven import driven
from tests.laws.threads.desk import TARGET, Desk

KIND = ("management_mode", "status", "resumable")
OFFLINE = {
    "agent_id": TARGET,
    "workspace_id": "ws",
    "session_id": f"session-{TARGET}",
    "runtime": "r",
    "management_mode": "managed",
    "status": "offline",
    "resumable": True,
}


@pytest.mark.parametrize(
    ("given", "verdict"),
    [
        ({"ok": True, "recorded_at": "2026-11-21T12:00:00Z"}, "pass"),
        ({"ok": 1, "recorded_at": "2026-11-21T12:00:00Z"}, "fail"),
        ({"ok": True}, "fail"),
    ],
)
def test_what_a_heartbeat_gives(given: Mapping[str, Json], verdict: str) -> None:
    desk = Desk()
    desk.accepted("heartbeat_session", OFFLINE, given, by=TARGET)
    assert desk.judged("TH-SES-01").verdict == verdict


def test_a_kind_of_session_that_is_refused() -> None:
    desk = Desk()
    desk.accepted("heartbeat_session", OFFLINE, {"ok": True}, by=TARGET)
    assert desk.judged("TH-SES-02").verdict == "pass"
    desk.refused("heartbeat_session", {**OFFLINE, "status": "idle"}, "OF_ITS_OWN", by=TARGET)
    assert desk.judged("TH-SES-02").verdict == "fail"


@pytest.mark.parametrize(
    "wrong",
    [{"status": "busy"}, {"resumable": 1}, {"session_id": "session-eve"}, {"runtime": ""}],
    ids=str,
)
def test_a_heartbeat_that_may_be_refused(wrong: Mapping[str, Json]) -> None:
    desk = Desk()
    desk.accepted("heartbeat_session", {**OFFLINE, **wrong, **{k: OFFLINE[k] for k in KIND}}, {"ok": True}, by=TARGET)
    desk.refused("heartbeat_session", {**OFFLINE, **wrong}, "VALIDATION_ERROR", by=TARGET)
    assert desk.judged("TH-SES-02").breaches == 0


@pytest.mark.parametrize(("action", "verdict"), [("resume_session", "pass"), ("trigger_runtime", "fail")])
def test_the_newest_heartbeat(action: str, verdict: str) -> None:
    desk = Desk()
    desk.beat(by="eve", management_mode="unmanaged")
    desk.trigger("resume_session", "resumed", ask={"target_agent_id": "eve"})
    desk.beat()
    desk.trigger()
    desk.beat(management_mode="unmanaged")
    desk.trigger(action, "x")
    assert (desk.judged("TH-SES-03").verdict, desk.judged("TH-SES-03").subjects) == (verdict, 1)


def test_where_all_are_woken_alike_a_change_shows_nothing() -> None:
    desk = Desk()
    desk.beat(by="eve", management_mode="unmanaged")
    desk.trigger(ask={"target_agent_id": "eve"})
    desk.beat()
    desk.trigger()
    desk.beat(management_mode="unmanaged")
    desk.trigger()
    assert desk.judged("TH-SES-03").subjects == 0


def test_the_reference() -> None:
    judged = driven("threads", "sessions")
    for name in ("TH-SES-01", "TH-SES-02", "TH-SES-03"):
        outcome = judged.outcome(name)
        assert outcome is not None
        assert outcome.subjects, name
        assert outcome.verdict == "pass", (name, outcome.findings)
