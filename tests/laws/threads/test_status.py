"""TH-STAT: a thread's status, moved by one or by many."""

from typing import Any

import pytest

from tests.laws.driven import driven
from tests.laws.threads.scene import CREATED, TH
from tests.laws.threads.talk import STATED, Talk

IDS = [f"TH-STAT-0{number}" for number in range(1, 7)]


@pytest.mark.parametrize(
    ("answer", "shown", "verdict"),
    [
        ({}, "resolved", "pass"),
        ({}, None, "not_observed"),
        ({"status": "active"}, None, "fail"),
        ({"thread_id": "th_2"}, None, "fail"),
        ({"updated_at": None}, None, "fail"),
        ({}, "active", "fail"),
    ],
)
def test_an_update(answer: dict[str, Any], shown: str | None, verdict: str) -> None:
    story = Talk()
    whole = {**TH, "status": "resolved", "updated_at": CREATED, **answer}
    story.accepted("update_thread_status", {**TH, "status": "resolved", "reason": "done"}, whole, by="lead")
    if shown is not None:
        story.get(shown)
    assert story.judged("TH-STAT-01").verdict == verdict


def test_an_update_to_what_is_no_status_breaks_the_rule_of_payloads_alone() -> None:
    story = Talk()
    story.move("blocked")
    story.accepted(
        "update_thread_status",
        {**TH, "status": "BLOCKED", "reason": "as planned"},
        {**TH, "status": "blocked", "updated_at": CREATED},
        by="lead",
    )
    assert story.judged("TH-STAT-01").subjects == 0
    assert story.judged("TH-THR-08").breaches == 1


@pytest.mark.parametrize("between", ["update", "lost", "escalation"])
def test_what_another_may_have_moved_is_not_compared(between: str) -> None:
    story = Talk()
    story.move("resolved")
    match between:
        case "update":
            story.move("closed")
        case "lost":
            story.lost("update_thread_status", {**TH, "status": "closed", "reason": "x"}, by="lead")
        case _:
            story.post(1, kind="event", metadata={"event_type": "thread_escalated"})
    story.get("closed")
    assert story.judged("TH-STAT-01").breaches == 0


@pytest.mark.parametrize(("code", "verdict"), [("VALIDATION_ERROR", "pass"), (None, "fail")])
def test_a_reason(code: str | None, verdict: str) -> None:
    story = Talk()
    story.move("resolved", reason=..., code=code)
    story.move("resolved")
    assert story.judged("TH-STAT-02").verdict == verdict


@pytest.mark.parametrize(
    ("status", "code", "verdict"),
    [
        ("blocked", "INSUFFICIENT_AUTHORITY", "pass"),
        ("blocked", "FORBIDDEN", "pass"),
        ("blocked", None, "fail"),
        ("resolved", None, "not_observed"),
    ],
)
def test_a_worker_closes(status: str, code: str | None, verdict: str) -> None:
    story = Talk()
    story.move(status)
    story.move("closed", by="a", code=code)
    assert story.judged("TH-STAT-03").subjects == (verdict == "fail")
    story.move("closed")
    assert story.judged("TH-STAT-03").verdict == verdict


@pytest.mark.parametrize("by", ["lead", "operator"])
@pytest.mark.parametrize(
    ("code", "verdict"),
    [(None, "pass"), ("INSUFFICIENT_AUTHORITY", "fail"), ("CONFLICT", "fail"), ("OF_ITS_OWN", "fail")],
)
def test_an_override(by: str, code: str | None, verdict: str) -> None:
    story = Talk()
    story.move("blocked", by=by)
    story.move("closed", by=by, code=code)
    assert story.judged("TH-STAT-04").verdict == verdict


@pytest.mark.parametrize(
    ("reason", "code"),
    [("long " * 200, "VALIDATION_ERROR"), ("as\x00planned", "VALIDATION_ERROR"), ("as planned", "RATE_LIMITED")],
)
def test_a_move_may_be_refused_for_its_reason_or_for_too_many_calls(reason: str, code: str) -> None:
    """Neither an override nor a move that there is not is judged by that."""
    for start, wanted, row in (("blocked", "closed", "TH-STAT-04"), ("closed", "active", "TH-STAT-05")):
        story = Talk()
        story.move(start)
        story.move(wanted, code=code, reason=reason)
        assert story.judged(row).subjects == 0


@pytest.mark.parametrize(
    ("start", "wanted", "code", "verdict"),
    [
        ("closed", "active", "CONFLICT", "pass"),
        ("closed", "active", None, "fail"),
        ("blocked", "resolved", None, "fail"),
        ("resolved", "blocked", None, "fail"),
        ("closed", "closed", None, "not_observed"),
    ],
)
def test_moves_that_are_lacking(start: str, wanted: str, code: str | None, verdict: str) -> None:
    story = Talk(statement=STATED)
    story.move(start)
    story.move(wanted, code=code)
    assert story.judged("TH-STAT-05").verdict == verdict


@pytest.mark.parametrize(
    ("start", "wanted", "lacked", "served"),
    [
        ("blocked", "resolved", "not_observed", "pass"),
        ("resolved", "blocked", "not_observed", "pass"),
        ("resolved", "active", "not_observed", "pass"),
        ("active", "blocked", "not_observed", "fail"),
        ("active", "resolved", "not_observed", "fail"),
        ("closed", "active", "fail", "pass"),
    ],
)
def test_no_transition_is_promised_that_nobody_states(start: str, wanted: str, lacked: str, served: str) -> None:
    """The document has no state machine: what it says is that a thread begins as active, and that closed is final."""
    story = Talk()
    story.move(start)
    story.move(wanted)
    assert story.judged("TH-STAT-05").verdict == lacked
    story = Talk()
    if start != "active":
        story.move(start)
    story.move(wanted, code="CONFLICT")
    assert story.judged("TH-SRV-01").verdict == served


def test_a_state_machine_of_the_targets_own() -> None:
    """What the document leaves open is the target's to state; that closed is final is not."""
    stated = {
        "choices": {"transitions": {"active": ["resolved", "closed"], "resolved": ["closed"], "closed": ["active"]}}
    }
    story = Talk(statement=stated)
    story.move("resolved")
    story.move("active", code="CONFLICT")
    assert (story.judged("TH-STAT-05").verdict, story.judged("TH-SRV-01").verdict) == ("pass", "pass")
    story.move("closed")
    story.move("active")
    assert story.judged("TH-STAT-05").verdict == "fail"


def test_a_refused_move_changes_nothing() -> None:
    story = Talk()
    story.move("closed")
    story.get("closed")
    story.move("active", code="CONFLICT")
    story.get("active")
    assert story.judged("TH-STAT-05").verdict == "fail"


@pytest.mark.parametrize(
    ("moves", "shown", "verdict"),
    [
        (("closed", "CONFLICT"), "closed", "pass"),
        (("resolved", "closed"), "closed", "pass"),
        (("closed", "resolved"), "closed", "pass"),
        (("closed", "resolved"), "resolved", "fail"),
        (("resolved", "blocked"), "blocked", "fail"),
        (("blocked", "active"), "active", "pass"),
        (("blocked", "active"), "blocked", "pass"),
        (("closed", "closed"), "closed", "pass"),
    ],
)
def test_concurrent_moves(moves: tuple[str, ...], shown: str, verdict: str) -> None:
    story = Talk(statement=STATED)
    story.get()
    story.together()
    for move in moves:
        story.move("blocked" if move == "CONFLICT" else move, code=move if move == "CONFLICT" else None)
    story.settle()
    story.get(shown)
    assert story.judged("TH-STAT-06").verdict == verdict


@pytest.mark.parametrize(
    ("told", "verdict"),
    [
        (("active", "resolved", "closed"), "pass"),
        (("active", "active"), "pass"),
        (("closed", "resolved"), "fail"),
        (("resolved", "active"), "fail"),
    ],
)
def test_what_is_shown_while_moves_are_under_way(told: tuple[str, ...], verdict: str) -> None:
    """Both moves are answered after the last look: each look shows a status of one order of them."""
    story = Talk(statement=STATED)
    story.get()
    story.together()
    story.move("resolved")
    story.move("closed")
    late, story._late = story._late, None
    for status in told:
        story.get(status)
    story._late = late
    story.settle()
    story.get("closed")
    assert story.judged("TH-STAT-06").verdict == verdict


def test_concurrent_moves_that_are_all_refused_show_nothing() -> None:
    story = Talk(statement=STATED)
    story.get()
    story.together()
    for _ in range(2):
        story.move("blocked", code="CONFLICT")
    story.settle()
    assert story.judged("TH-STAT-06").subjects == 0


def test_moves_one_after_another_are_not_concurrent() -> None:
    story = Talk()
    story.move("closed")
    story.move("active")
    assert story.judged("TH-STAT-06").verdict == "not_observed"


@pytest.mark.parametrize("identifier", IDS)
def test_the_reference(identifier: str) -> None:
    outcome = driven("threads", "status").outcome(identifier)
    assert outcome is not None
    assert (outcome.verdict, outcome.subjects > 0) == ("pass", True)
    broken = driven("threads", "status", deviation=identifier).outcome(identifier)
    assert broken is not None
    assert broken.verdict == "fail", broken
