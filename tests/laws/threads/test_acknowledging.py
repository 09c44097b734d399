"""TH-ACK: cursors, which no method shows."""

from typing import Any

import pytest

from tests.laws.driven import driven
from tests.laws.threads.scene import CREATED, TH
from tests.laws.threads.talk import Talk, message

IDS = [f"TH-ACK-0{number}" for number in range(1, 6)]
OTHER = {"thread_id": "th_2"}


def three() -> Talk:
    """Three messages in each of two threads."""
    story = Talk()
    for thread_id in ("th_1", "th_2"):
        for seq in (1, 2, 3):
            story.post(seq, thread_id=thread_id, given={"message_id": f"{thread_id}-{seq}"})
    return story


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ({"ok": True, "updated_at": CREATED}, "pass"),
        ({"ok": True}, "fail"),
        ({"ok": 1, "updated_at": CREATED}, "fail"),
        ({"ok": True, "updated_at": 7}, "fail"),
        ([], "fail"),
    ],
)
def test_the_answer(answer: Any, verdict: str) -> None:
    story = Talk()
    story.accepted("ack_read", {**TH, "last_read_seq": 0}, answer, by="a")
    assert story.judged("TH-ACK-01").verdict == verdict


@pytest.mark.parametrize(("code", "verdict"), [("CONFLICT", "pass"), ("VALIDATION_ERROR", "pass"), (None, "fail")])
def test_going_back(code: str | None, verdict: str) -> None:
    story = three()
    story.ack(3)
    story.ack(1, code=code)
    assert story.judged("TH-ACK-02").verdict == verdict


def test_a_refused_step_back_leaves_the_cursor() -> None:
    story = three()
    story.ack(3)
    story.ack(1, code="CONFLICT")
    story.ack(2)
    outcome = story.judged("TH-ACK-02")
    assert (outcome.subjects, outcome.breaches) == (2, 1)


def test_going_back_elsewhere_is_no_step_back() -> None:
    story = three()
    story.ack(3)
    story.ack(1, by="b")
    story.ack(1, thread=OTHER)
    assert story.judged("TH-ACK-02").verdict == "not_observed"
    assert story.judged("TH-ACK-04").verdict == "pass"


@pytest.mark.parametrize(("code", "verdict"), [("VALIDATION_ERROR", "pass"), (None, "fail")])
def test_beyond_the_end(code: str | None, verdict: str) -> None:
    story = three()
    story.ack(3)
    story.ack(4, code=code)
    story.read(since=3)
    assert story.judged("TH-ACK-03").verdict == verdict


def test_a_thread_that_grew_meanwhile_may_have_had_the_message() -> None:
    story = three()
    story.read(since=3)
    story.ack(4)
    story.read(message(4), since=3)
    assert story.judged("TH-ACK-03").verdict == "not_observed"


@pytest.mark.parametrize(
    ("by", "thread", "code", "verdict"),
    [
        ("b", TH, "CONFLICT", "fail"),
        ("a", OTHER, "CONFLICT", "fail"),
        ("b", TH, "OF_ITS_OWN", "fail"),
        ("b", TH, None, "pass"),
    ],
)
def test_other_cursors(by: str, thread: dict[str, str], code: str | None, verdict: str) -> None:
    story = three()
    story.ack(3)
    story.ack(1, by=by, thread=thread, code=code)
    assert story.judged("TH-ACK-04").verdict == verdict


@pytest.mark.parametrize(("code", "verdict"), [(None, "pass"), ("CONFLICT", "fail"), ("VALIDATION_ERROR", "fail")])
def test_the_same_again(code: str | None, verdict: str) -> None:
    story = three()
    story.ack(2)
    story.ack(2, code=code)
    assert story.judged("TH-ACK-05").verdict == verdict


def test_after_a_lost_ack_nobody_knows_the_cursor() -> None:
    story = three()
    story.ack(1)
    story.lost("ack_read", {**TH, "last_read_seq": 3}, by="a")
    story.ack(1, code="CONFLICT")
    story.ack(2, code="CONFLICT")
    assert all(story.judged(identifier).breaches == 0 for identifier in IDS)


@pytest.mark.parametrize(("code", "verdict"), [("CONFLICT", "pass"), (None, "fail")])
def test_the_further_of_two_acks_at_once_counts(code: str | None, verdict: str) -> None:
    """Both are accepted, in whichever order; from then on the cursor is at the further one."""
    story = Talk()
    for seq in (1, 2, 3):
        story.post(seq)
    story.together()
    story.ack(3)
    story.ack(1)
    story.settle()
    story.ack(2, code=code)
    assert story.judged("TH-ACK-02").verdict == verdict


@pytest.mark.parametrize("identifier", IDS)
def test_the_reference(identifier: str) -> None:
    outcome = driven("threads", "acknowledging").outcome(identifier)
    assert outcome is not None
    assert (outcome.verdict, outcome.subjects > 0) == ("pass", True)
    broken = driven("threads", "acknowledging", deviation=identifier).outcome(identifier)
    assert broken is not None
    assert broken.verdict == "fail", broken
