"""TH-SUM-*: summaries."""

from collections.abc import Mapping, Sequence

import pytest

from conformance.model.events import Json
from tests.laws.driven import driven
from tests.laws.threads.desk import THREAD, Desk

SUMMARY: dict[str, Json] = {"summary": "short", "open_items": [], "last_status": "active"}


def event(desk: Desk, number: int, kind: str, **metadata: Json) -> None:
    asked = {"thread_id": THREAD, "kind": "event", "body": "b", "metadata": {"event_type": kind, **metadata}}
    desk.accepted("post_message", asked, {"message_id": f"msg_{number}", "seq": number}, by="bob")


def summary(desk: Desk, given: Mapping[str, Json] | None = None, **more: Json) -> None:
    desk.accepted("summarize_thread", {"thread_id": THREAD, **more}, {**SUMMARY, **(given or {})}, by="bob")


def status(desk: Desk, shown: str) -> None:
    desk.accepted("get_thread", {"thread_id": THREAD}, {"status": shown}, by="bob")


@pytest.mark.parametrize(
    ("wrong", "verdict"),
    [({}, "pass"), ({"summary": ["a"]}, "fail"), ({"open_items": {}}, "fail"), ({"last_status": "open"}, "fail")],
)
def test_what_a_summary_gives(wrong: Mapping[str, Json], verdict: str) -> None:
    desk = Desk()
    summary(desk, wrong)
    assert desk.judged("TH-SUM-01").verdict == verdict


@pytest.mark.parametrize(
    ("items", "verdict"),
    [
        (["T-2", "msg_3"], "pass"),
        ([{"task": {"id": "T-2"}}, {"id": "msg_3", "severity": "high"}, "a question"], "pass"),
        (["T-2: still wrong", "see msg_3"], "pass"),
        (["T-2"], "fail"),
        (["T-2", "msg_3", "T-1"], "fail"),
        (["T-22", "msg_3"], "fail"),
    ],
)
def test_open_items(items: Sequence[Json], verdict: str) -> None:
    desk = Desk()
    event(desk, 1, "finding_reported", task_id="T-1")
    event(desk, 2, "finding_reported", task_id="T-2")
    event(desk, 3, "finding_reported")
    event(desk, 4, "finding_rejected", task_id="T-1")
    summary(desk, {"open_items": items})
    assert (desk.judged("TH-SUM-02").verdict, desk.judged("TH-SUM-02").subjects) == (verdict, 3)


@pytest.mark.parametrize(
    ("metadata", "more", "judged"),
    [
        ({"message_id": "msg_1"}, {"in_reply_to": "msg_1"}, 1),
        ({"message_id": "msg_1"}, {}, 0),
        ({}, {"in_reply_to": "msg_1"}, 0),
    ],
)
def test_how_a_verdict_names_a_message_is_left_open(
    metadata: Mapping[str, Json], more: Mapping[str, Json], judged: int
) -> None:
    desk = Desk()
    event(desk, 1, "finding_reported")
    about = {"event_type": "finding_rejected", **metadata}
    asked = {"thread_id": THREAD, "kind": "event", "body": "b", "metadata": about, **more}
    desk.accepted("post_message", asked, {"message_id": "msg_2", "seq": 2}, by="bob")
    summary(desk, {"open_items": ["msg_1"]})
    assert desk.judged("TH-SUM-02").breaches == judged
    summary(desk)
    assert desk.judged("TH-SUM-02").subjects == 2 * judged


def test_findings_of_which_nobody_knows() -> None:
    desk = Desk()
    event(desk, 1, "finding_reported", task_id="T-1")
    verdict = {"event_type": "finding_verified", "task_id": "T-1"}
    desk.lost("post_message", {"thread_id": THREAD, "kind": "event", "metadata": verdict}, by="bob")
    event(desk, 2, "finding_reported", task_id="T-2")
    summary(desk, {"open_items": []}, max_messages=1)
    summary(desk, {"open_items": ["T-2"]})
    assert (desk.judged("TH-SUM-02").verdict, desk.judged("TH-SUM-02").subjects) == ("pass", 1)


@pytest.mark.parametrize(("shown", "verdict"), [("active", "pass"), ("blocked", "fail")])
def test_last_status(shown: str, verdict: str) -> None:
    desk = Desk()
    status(desk, shown)
    summary(desk)
    status(desk, shown)
    assert desk.judged("TH-SUM-02").verdict == verdict


def test_a_status_that_may_have_changed() -> None:
    desk = Desk()
    status(desk, "blocked")
    summary(desk)
    desk.lost("update_thread_status", {"thread_id": THREAD, "status": "active"}, by="olga")
    status(desk, "blocked")
    assert desk.judged("TH-SUM-02").subjects == 0


@pytest.mark.parametrize(("length", "verdict"), [(500, "pass"), (9_000, "warn")])
def test_compact(length: int, verdict: str) -> None:
    desk = Desk()
    summary(desk, {"summary": "s" * 9_000})
    for number in range(10):
        asked = {"thread_id": THREAD, "kind": "chat", "body": "b" * 600}
        desk.accepted("post_message", asked, {"message_id": f"msg_{number}"}, by="bob")
    summary(desk, {"summary": "s" * length})
    assert (desk.judged("TH-SUM-03").verdict, desk.judged("TH-SUM-03").subjects) == (verdict, 1)


@pytest.mark.parametrize(
    ("narrow", "verdict"),
    [
        ({"summary": "the last", "open_items": ["T-2"]}, "pass"),
        ({"summary": "of the last", "open_items": ["T-0", "T-1", "T-2"]}, "pass"),
        ({"summary": "all", "open_items": ["T-0", "T-1", "T-2"]}, "fail"),
        ({"summary": "T-0, T-1 and so on", "open_items": ["T-0", "T-1", "T-2"]}, "fail"),
        ({"summary": "all", "open_items": [{"id": "T-0", "body": "as T-1 and T-2"}]}, "pass"),
    ],
)
def test_bounded(narrow: Mapping[str, Json], verdict: str) -> None:
    desk = Desk()
    for number in range(3):
        event(desk, number, "finding_reported", task_id=f"T-{number}")
    summary(desk, {"summary": "all", "open_items": ["T-0", "T-1", "T-2"]})
    summary(desk, narrow, max_messages=1)
    assert (desk.judged("TH-SUM-04").verdict, desk.judged("TH-SUM-04").subjects) == (verdict, 1)


@pytest.mark.parametrize(
    ("named", "verdict"), [(["T-2"], "pass"), (["T-1", "T-2"], "pass"), (["T-0", "T-1", "T-2"], "fail")]
)
def test_items_that_are_bounded_are_bounded_by_the_messages(named: Sequence[Json], verdict: str) -> None:
    """Of four findings, where at most two messages are summed up: three of them are one too many."""
    desk = Desk()
    whole: list[Json] = [f"T-{number}" for number in range(4)]
    for number in range(4):
        event(desk, number, "finding_reported", task_id=f"T-{number}")
    summary(desk, {"summary": "all", "open_items": whole})
    summary(desk, {"summary": "the last", "open_items": named}, max_messages=2)
    assert (desk.judged("TH-SUM-04").verdict, desk.judged("TH-SUM-04").subjects) == (verdict, 1)


def test_items_that_nest_without_end() -> None:
    desk = Desk()
    event(desk, 1, "finding_reported", task_id="T-1")
    deep: Json = "T-1"
    for _ in range(500):
        deep = [deep]
    summary(desk, {"open_items": [deep]})
    assert desk.judged("TH-SUM-02").verdict == "fail"


def test_the_reference() -> None:
    judged = driven("threads", "summary")
    for name in ("TH-SUM-01", "TH-SUM-02", "TH-SUM-03", "TH-SUM-04"):
        outcome = judged.outcome(name)
        assert outcome is not None
        assert outcome.subjects, name
        assert outcome.verdict == "pass", (name, outcome.findings)
