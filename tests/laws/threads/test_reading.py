"""TH-READ and TH-RET: pages of a thread, now and later."""

from typing import Any

import pytest

from tests.laws.driven import driven
from tests.laws.threads.talk import Talk, message

IDS = [*(f"TH-READ-0{number}" for number in range(1, 6)), "TH-RET-01"]
YEAR_S = 365 * 86_400


@pytest.mark.parametrize(
    ("seqs", "since", "verdict"),
    [
        ((1, 2, 5), 0, "pass"),
        ((3, 4), ..., "pass"),
        ((2, 1), 0, "fail"),
        ((2, 3), 2, "fail"),
        ((), 0, "not_observed"),
    ],
)
def test_order(seqs: tuple[int, ...], since: Any, verdict: str) -> None:
    story = Talk()
    story.read(*map(message, seqs), since=since)
    assert story.judged("TH-READ-01").verdict == verdict


def test_a_read_gives_a_list() -> None:
    story = Talk()
    story.read(given={"messages": {"1": message(1)}})
    assert story.judged("TH-READ-01").verdict == "fail"


@pytest.mark.parametrize(
    ("seqs", "more", "verdict"),
    [
        ((1, 2), True, "pass"),
        ((1,), True, "pass"),
        ((1, 2), False, "fail"),
        ((1, 2), ..., "fail"),
        ((1, 2, 3), False, "fail"),
    ],
)
def test_limit_and_what_follows(seqs: tuple[int, ...], more: Any, verdict: str) -> None:
    story = Talk()
    for seq in (1, 2, 3):
        story.post(seq)
    story.read(*map(message, seqs), limit=2, given={"has_more": more})
    assert story.judged("TH-READ-02").verdict == verdict


@pytest.mark.parametrize(("limit", "breaches"), [(1, 1), (0, 0), (-1, 0)])
def test_a_limit_below_one_is_none_that_the_contract_has(limit: int, breaches: int) -> None:
    story = Talk()
    for seq in (1, 2):
        story.post(seq)
    story.read(message(1), message(2), limit=limit, given={"has_more": False})
    assert story.judged("TH-READ-02").breaches == breaches


@pytest.mark.parametrize(("more", "verdict"), [(False, "pass"), (True, "fail"), ("false", "fail")])
def test_where_nothing_follows(more: Any, verdict: str) -> None:
    story = Talk()
    story.read(message(1), message(2), limit=2, given={"has_more": more})
    story.read(since=2)
    assert story.judged("TH-READ-02").verdict == verdict


@pytest.mark.parametrize(
    ("pages", "verdict"),
    [
        ([(0, (1, 2), 2), (2, (3, 4), 4), (4, (), 4)], "pass"),
        ([(0, (1,), 1), (1, (2, 3), 3)], "pass"),
        ([(0, (1, 2), 3), (3, (4,), 4)], "fail"),
        ([(0, (1, 2), 1), (1, (2, 3), 3)], "fail"),
        ([(0, (1, 2), 2), (2, (2, 3, 4), 4)], "blocked"),
        ([(0, (1, 2), 2)], "not_observed"),
        ([(0, (1, 2), 2), (3, (4,), 4)], "not_observed"),
    ],
)
def test_reading_on(pages: list[tuple[int, tuple[int, ...], int]], verdict: str) -> None:
    story = Talk()
    for seq in (1, 2, 3, 4):
        story.post(seq)
    for since, seqs, onward in pages:
        story.read(*map(message, seqs), since=since, given={"next_seq": onward})
    assert story.judged("TH-READ-03").verdict == verdict


def test_a_message_that_appears_behind_the_reader_is_missed() -> None:
    """Its seq was given before that of one which was shown earlier."""
    story = Talk()
    story.post(1)
    story.read(message(1))
    story.post(3)
    story.read(message(3), since=1)
    assert story.judged("TH-READ-03").verdict == "pass"
    story.post(2)
    assert story.judged("TH-READ-03").verdict == "fail"


def test_a_page_that_promises_more_says_where() -> None:
    story = Talk()
    story.read(message(1), given={"has_more": True, "next_seq": ...})
    assert story.judged("TH-READ-03").verdict == "fail"


@pytest.mark.parametrize(
    ("given", "verdict"),
    [({}, "pass"), ({"next_seq": 0}, "fail"), ({"next_seq": ...}, "fail"), ({"has_more": True}, "fail")],
)
def test_an_empty_page(given: dict[str, Any], verdict: str) -> None:
    story = Talk()
    story.read(since=5, given=given)
    assert story.judged("TH-READ-04").verdict == verdict


def test_reading_changes_nothing() -> None:
    story = Talk()
    story.get()
    story.read()
    story.get()
    assert story.judged("TH-READ-05").verdict == "pass"
    story.read()
    story.get("blocked")
    assert story.judged("TH-READ-05").verdict == "fail"


@pytest.mark.parametrize(("code", "verdict"), [(None, "pass"), ("CONFLICT", "fail"), ("OF_ITS_OWN", "fail")])
def test_what_was_read_is_not_acknowledged(code: str | None, verdict: str) -> None:
    story = Talk()
    story.post(1)
    story.post(2)
    story.read(message(1), message(2), by="a")
    story.ack(0, by="b")
    story.ack(1, code=code)
    assert story.judged("TH-READ-05").verdict == verdict


def test_a_closed_thread_may_refuse_acks() -> None:
    story = Talk()
    story.post(1)
    story.post(2)
    story.read(message(1), message(2), by="a")
    story.ack(0, by="b")
    story.move("closed")
    story.ack(1, code="CONFLICT")
    assert story.judged("TH-READ-05").breaches == 0


@pytest.mark.parametrize(
    ("clock", "shown", "verdict"),
    [(YEAR_S, [message(1)], "pass"), (YEAR_S, [], "fail"), (YEAR_S, [message(2)], "fail"), (0, [], "not_observed")],
)
def test_a_year_later(clock: int, shown: list[dict[str, Any]], verdict: str) -> None:
    story = Talk()
    story.post(1)
    story.read(*shown, conditions={"clock": clock})
    assert story.judged("TH-RET-01").verdict == verdict


@pytest.mark.parametrize("identifier", IDS)
def test_the_reference(identifier: str) -> None:
    outcome = driven("threads", "reading", "retention").outcome(identifier)
    assert outcome is not None
    assert (outcome.verdict, outcome.subjects > 0) == ("pass", True)
    broken = driven("threads", "reading", "retention", deviation=identifier).outcome(identifier)
    assert broken is not None
    assert broken.verdict == "fail", broken
