"""TH-IDEM: what a key makes of a post."""

from typing import Any

import pytest

from tests.laws.driven import driven
from tests.laws.threads.scene import CREATED, POST
from tests.laws.threads.talk import Talk, message

IDS = [f"TH-IDEM-0{number}" for number in range(1, 9)]
DAY_S = 86_400


@pytest.mark.parametrize(
    ("given", "verdict"),
    [
        ({}, "pass"),
        ({"thread_status": "closed"}, "pass"),
        ({"message_id": "msg_2"}, "fail"),
        ({"seq": 2}, "fail"),
        ({"created_at": "2026-11-21T12:00:01Z"}, "fail"),
    ],
)
def test_a_replay(given: dict[str, Any], verdict: str) -> None:
    story = Talk()
    story.post(1, idempotency_key="k")
    story.post(1, idempotency_key="k", given=given)
    assert story.judged("TH-IDEM-01").verdict == verdict


@pytest.mark.parametrize(
    ("code", "verdict"),
    [("CONFLICT", "fail"), ("IDEMPOTENCY_CONFLICT", "fail"), ("RATE_LIMITED", "not_observed")],
)
def test_a_replay_that_is_refused(code: str, verdict: str) -> None:
    story = Talk()
    story.post(1, idempotency_key="k")
    story.denied(code, idempotency_key="k")
    assert story.judged("TH-IDEM-01").verdict == verdict


def test_one_and_one_point_nought_are_neither_equal_nor_different() -> None:
    story = Talk()
    story.post(1, idempotency_key="k", metadata={"n": 1})
    story.post(2, idempotency_key="k", metadata={"n": 1.0})
    assert all(story.judged(identifier).subjects == 0 for identifier in ("TH-IDEM-01", "TH-IDEM-03", "TH-IDEM-08"))


@pytest.mark.parametrize(("copies", "verdict"), [(1, "pass"), (2, "fail")])
def test_a_replay_adds_no_message(copies: int, verdict: str) -> None:
    story = Talk()
    story.post(1, idempotency_key="k")
    story.read(message(1))
    story.post(1, idempotency_key="k")
    story.read(*(message(seq + 1) for seq in range(copies)))
    assert story.judged("TH-IDEM-02").verdict == verdict


@pytest.mark.parametrize(
    "change",
    [{"body": "other"}, {"kind": "event"}, {"metadata": {"x": 1}}, {"metadata": {"x": True}}, {"in_reply_to": "msg_0"}],
)
def test_another_payload(change: dict[str, Any]) -> None:
    story = Talk()
    story.post(1, idempotency_key="k")
    story.denied("IDEMPOTENCY_CONFLICT", idempotency_key="k", **change)
    assert story.judged("TH-IDEM-03").verdict == "pass"
    story.post(1, idempotency_key="k", **change)
    assert story.judged("TH-IDEM-03").verdict == "fail"


def test_a_refused_payload_adds_nothing() -> None:
    story = Talk()
    story.post(1, idempotency_key="k")
    story.read(message(1))
    story.denied("IDEMPOTENCY_CONFLICT", idempotency_key="k", body="other")
    story.read(message(1), message(2, body="other"))
    assert story.judged("TH-IDEM-03").verdict == "fail"


@pytest.mark.parametrize(("second", "verdict"), [(2, "pass"), (1, "fail")])
def test_the_key_of_another_sender(second: int, verdict: str) -> None:
    story = Talk()
    story.post(1, idempotency_key="k")
    story.post(second, idempotency_key="k", by="b")
    assert story.judged("TH-IDEM-04").verdict == verdict


def test_a_conflict_with_another_sender() -> None:
    story = Talk()
    story.post(1, idempotency_key="k")
    story.denied("IDEMPOTENCY_CONFLICT", idempotency_key="k", body="other", by="b")
    assert story.judged("TH-IDEM-04").verdict == "fail"


@pytest.mark.parametrize(("shown", "verdict"), [([message(1)], "pass"), ([], "fail")])
def test_the_key_of_another_thread(shown: list[dict[str, Any]], verdict: str) -> None:
    """Ids that repeat over threads break another requirement, where the thread holds its message."""
    story = Talk()
    story.post(1, idempotency_key="k")
    story.post(1, idempotency_key="k", thread_id="th_2")
    story.read(*shown, thread_id="th_2")
    assert story.judged("TH-IDEM-04").verdict == verdict


@pytest.mark.parametrize("key", ["K\u00e9", "k\u00e9 ", "ke\u0301", "k\u00e8"])
def test_a_key_that_is_nearly_another(key: str) -> None:
    """It makes a message of its own, or is refused: what keys a server takes is not said."""
    story = Talk()
    story.post(1, idempotency_key="k\u00e9")
    story.post(1, idempotency_key="k\u00e9")
    story.denied("VALIDATION_ERROR", idempotency_key=key)
    story.post(2, idempotency_key=key)
    assert story.judged("TH-IDEM-04").subjects == 0
    story.post(3, idempotency_key="k\u00e9", by="b")
    assert story.judged("TH-IDEM-04").verdict == "pass"
    story.post(1, idempotency_key=key)
    assert story.judged("TH-IDEM-04").verdict == "fail"


@pytest.mark.parametrize("given", [{"message_id": "msg_2"}, {"seq": 2}, {"created_at": "2026-11-21T12:00:01Z"}])
def test_under_another_key_a_part_of_an_answer_may_repeat(given: dict[str, Any]) -> None:
    story = Talk()
    story.post(1, idempotency_key="k")
    story.post(1, idempotency_key="K", given=given)
    assert story.judged("TH-IDEM-04").subjects == 0


@pytest.mark.parametrize(("key", "served"), [("k ", 0), ("k", 1)])
def test_a_key_with_white_space_at_its_end_may_be_refused(key: str, served: int) -> None:
    story = Talk()
    story.post(1)
    story.denied("VALIDATION_ERROR", idempotency_key=key)
    assert story.judged("TH-SRV-01").breaches == served


@pytest.mark.parametrize(("second", "verdict"), [(2, "pass"), (1, "fail")])
def test_no_key(second: int, verdict: str) -> None:
    story = Talk()
    story.post(1)
    story.post(second)
    assert story.judged("TH-IDEM-05").verdict == verdict


@pytest.mark.parametrize(("seqs", "stored", "verdict"), [((1, 1), 1, "pass"), ((1, 2), 2, "fail"), ((1, 1), 2, "fail")])
def test_posts_at_once(seqs: tuple[int, int], stored: int, verdict: str) -> None:
    story = Talk()
    story.together()
    for seq in seqs:
        story.post(seq, idempotency_key="k")
    story.settle()
    story.read(*(message(seq + 1) for seq in range(stored)))
    assert story.judged("TH-IDEM-06").verdict == verdict


@pytest.mark.parametrize(
    ("ends", "verdict"),
    [
        ((None, "IDEMPOTENCY_CONFLICT"), "pass"),
        (("IDEMPOTENCY_CONFLICT", None), "pass"),
        ((None, None), "fail"),
        ((None, "IDEMPOTENCY_CONFLICT", None), "fail"),
        (("RATE_LIMITED", "RATE_LIMITED"), "not_observed"),
    ],
)
def test_different_posts_at_once(ends: tuple[str | None, ...], verdict: str) -> None:
    """Whichever comes first: all others under its key are refused."""
    story = Talk()
    story.together()
    for number, code in enumerate(ends):
        if code is None:
            story.post(1, idempotency_key="k", body=f"body {number}")
        else:
            story.denied(code, idempotency_key="k", body=f"body {number}")
    story.settle()
    assert story.judged("TH-IDEM-03").verdict == verdict


def test_posts_one_after_another_are_not_at_once() -> None:
    story = Talk()
    story.post(1, idempotency_key="k")
    story.post(2, idempotency_key="k")
    assert story.judged("TH-IDEM-06").verdict == "not_observed"


@pytest.mark.parametrize(
    ("clock", "seq", "verdict"),
    [
        (DAY_S / 2, 1, "pass"),
        (DAY_S / 2, 2, "fail"),
        (DAY_S * 2, 2, "pass"),
        (DAY_S * 2, 1, "fail"),
        (DAY_S, 1, "not_observed"),
        (0, 1, "not_observed"),
    ],
)
def test_retention(clock: float, seq: int, verdict: str) -> None:
    story = Talk(retention_s=DAY_S + 0.0015)
    story.post(1, idempotency_key="k")
    story.post(seq, idempotency_key="k", conditions={"clock": clock})
    assert story.judged("TH-IDEM-07").verdict == verdict


def test_a_replay_in_somebody_elses_name_says_nothing_of_the_window() -> None:
    story = Talk(retention_s=DAY_S)
    story.post(1, idempotency_key="k")
    given = {**POST, "idempotency_key": "k", "sender_agent_id": "agent-b"}
    for clock in (DAY_S / 2, DAY_S * 3):
        story.refused("post_message", given, "CLAIM_MISMATCH", by="a", conditions={"clock": clock})
    assert story.judged("TH-IDEM-07").verdict == "not_observed"


def test_a_window_that_slides_with_each_use_is_a_window() -> None:
    story = Talk(retention_s=DAY_S)
    story.post(1, idempotency_key="k")
    for half_days in (1, 2.5, 5):
        seq = 1 if half_days < 3 else 2
        story.post(seq, idempotency_key="k", conditions={"clock": half_days * DAY_S / 2})
    outcome = story.judged("TH-IDEM-07")
    assert (outcome.verdict, outcome.subjects) == ("pass", 2)


def test_without_a_claim_there_is_no_window() -> None:
    story = Talk()
    story.post(1, idempotency_key="k")
    story.post(1, idempotency_key="k", conditions={"clock": DAY_S * 400})
    assert story.judged("TH-IDEM-07").verdict == "not_observed"


def test_order_of_keys() -> None:
    story = Talk()
    story.post(1, idempotency_key="k", metadata={"a": 1, "b": {"c": 2, "d": 3}})
    turned = {"b": {"d": 3, "c": 2}, "a": 1}
    story.post(1, idempotency_key="k", metadata=turned)
    assert story.judged("TH-IDEM-08").verdict == "pass"
    story.denied("IDEMPOTENCY_CONFLICT", idempotency_key="k", metadata=turned)
    assert story.judged("TH-IDEM-08").verdict == "fail"
    assert story.judged("TH-IDEM-01").subjects == 0


@pytest.mark.parametrize(("real_s", "seq", "requirement", "verdict"), [
    (1, 1, "TH-IDEM-01", "pass"), (5, 2, "TH-IDEM-01", None),
    (5, 2, "TH-IDEM-07", "pass"), (5, 1, "TH-IDEM-07", "fail"),
])  # fmt: skip
def test_a_retention_that_is_waited_for(real_s: int, seq: int, requirement: str, verdict: str | None) -> None:
    """What passes on the run's own clock counts as what a moved clock does, and no replay is due after it."""
    story = Talk(retention_s=2)
    story.post(1, idempotency_key="k")
    story.t += real_s * 1_000_000
    story.post(seq, idempotency_key="k")
    outcome = story.judged(requirement)
    assert outcome.verdict == verdict if verdict is not None else outcome.subjects == 0


def test_a_lost_post_makes_no_repeat() -> None:
    story = Talk()
    story.lost("post_message", {**POST, "idempotency_key": "k"}, by="a")
    story.accepted(
        "post_message",
        {**POST, "idempotency_key": "k"},
        {"message_id": "msg_1", "seq": 1, "thread_status": "active", "created_at": CREATED},
        by="a",
    )
    assert story.judged("TH-IDEM-01").subjects == 0


@pytest.mark.parametrize("identifier", IDS)
def test_the_reference(identifier: str) -> None:
    outcome = driven("threads", "idempotency").outcome(identifier)
    assert outcome is not None
    assert (outcome.verdict, outcome.subjects > 0) == ("pass", True)
    broken = driven("threads", "idempotency", deviation=identifier).outcome(identifier)
    assert broken is not None
    assert broken.verdict == "fail", broken


@pytest.mark.parametrize(("code", "breaches"), [("RATE_LIMITED", 0), ("CONFLICT", 1)])
def test_a_used_up_quota_is_no_word_on_keys(code: str, breaches: int) -> None:
    story = Talk(quota_per_minute=9)
    story.post(1)
    story.denied(code)
    assert story.judged("TH-IDEM-05").breaches == breaches
    story.post(2, idempotency_key="k")
    story.denied(code, idempotency_key="k", by="b")
    assert story.judged("TH-IDEM-04").breaches == breaches
