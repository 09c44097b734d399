"""TH-SRV-05: what was accepted is there, once, after the server was killed and started again."""

from collections.abc import Callable
from typing import Any

import pytest

from conformance.model.events import Json
from conformance.model.verdict import Outcome
from tests.laws.driven import driven
from tests.laws.stored import KEPT, Stored
from tests.laws.threads.scene import TH
from tests.laws.threads.talk import Talk, message

KEY = {"idempotency_key": "k"}


def told(seq: int, **more: Any) -> Json:
    """A message as it is read."""
    body = {1: "one", 2: "two"}.get(seq, "three")
    return message(seq, **TH, schema_version=1, body=body, **(KEY if seq == 1 else {}), **more)


class Kept(Stored, Talk):
    """A story of th_1 on a store that is kept."""

    def __init__(self, **statement: Any) -> None:
        super().__init__(statement=statement or KEPT)

    def begun(self) -> "Kept":
        """A message was posted and read, and posted again under its key; another payload was refused, and an ack."""
        self.post(1, body="one", **KEY)
        self.post(1, body="one", **KEY)
        self.denied("IDEMPOTENCY_CONFLICT", body="two", **KEY)
        self.post(2, body="two")
        self.ack(2)
        self.ack(1, code="CONFLICT")
        self.ack(2)
        self.shown(1, 2)
        return self

    def shown(self, *seqs: int) -> int:
        """A read that gives these messages; of those from 3 on each says `three`."""
        return self.read(*map(told, seqs))

    def verdict(self) -> Outcome:
        return self.judged("TH-SRV-05")


def fails(story: Kept, *words: str) -> None:
    outcome = story.verdict()
    assert outcome.verdict == "fail"
    said = " ".join(finding.saw for finding in outcome.findings)
    assert said.startswith("after the server was killed and started again: ")
    assert all(word in said for word in words), said


def test_what_was_accepted_is_there() -> None:
    story = Kept().begun()
    story.post(3, body="three")
    story.end()
    before = story.verdict().subjects
    assert before == 0
    story.shown(1, 2, 3)
    story.get()
    outcome = story.verdict()
    assert (outcome.verdict, outcome.subjects > 3) == ("pass", True)


@pytest.mark.parametrize("last", [1, 2])
def test_a_message_is_lost(last: int) -> None:
    story = Kept().begun()
    story.post(3, body="three")
    story.end()
    story.shown(*range(1, last + 1))
    fails(story, "a message that was accepted once is there 0 times")


def test_a_message_is_there_twice() -> None:
    story = Kept().begun()
    story.end()
    story.read(told(1), told(2), {**told(3), "body": "two"})
    fails(story, "a message that was accepted once is there 2 times")


def test_a_thread_is_gone() -> None:
    story = Kept().begun()
    story.end()
    story.refused("read_messages", {**TH, "since_seq": 0}, "NOT_FOUND", by="b")
    fails(story, "NOT_FOUND")


@pytest.mark.parametrize(("times", "verdict"), [(0, "pass"), (1, "pass"), (2, "fail")])
def test_a_message_in_flight_may_be_there_once(times: int, verdict: str) -> None:
    story = Kept().begun()
    story.lost("post_message", {**TH, "schema_version": 1, "kind": "chat", "body": "three"}, "killed", by="a")
    story.end()
    story.shown(1, 2)
    assert story.verdict().verdict == "pass"
    story.shown(*range(1, 3 + times))
    assert story.verdict().verdict == verdict


@pytest.mark.parametrize(("times", "verdict"), [(1, "pass"), (2, "fail")])
def test_what_was_in_flight_is_posted_again(times: int, verdict: str) -> None:
    story = Kept().begun()
    asked = {**TH, "schema_version": 1, "kind": "chat", "body": "three", "idempotency_key": "f"}
    story.lost("post_message", asked, "killed", by="a")
    story.end()
    story.post(2 + times, body="three", idempotency_key="f")
    story.shown(*range(1, 3 + times))
    assert story.verdict().verdict == verdict


def test_a_key_is_forgotten() -> None:
    story = Kept().begun()
    story.end()
    story.post(3, body="one", **KEY)
    fails(story, "message_id is 'msg_3', the first answer had 'msg_1'")
    story = Kept().begun()
    story.end()
    story.post(3, body="other", **KEY)
    fails(story, "a post that reuses a key with another body was accepted")


def test_a_cursor_is_forgotten() -> None:
    story = Kept().begun()
    story.end()
    story.ack(1)
    fails(story, "an ack at 1 was accepted after one at 2")


def test_a_seq_is_given_again() -> None:
    story = Kept().begun()
    story.end()
    story.post(2, body="three", given={"message_id": "msg_new"})
    fails(story, "seq 2 was given twice")


def test_a_status_is_as_it_was_before_the_last_move() -> None:
    story = Kept().begun()
    story.get()
    story.move("blocked")
    story.end()
    story.get("active")
    fails(story, "get_thread shows status otherwise than update_thread_status wrote it")


def without_control(story: Kept) -> None:
    story.post(1, body="one", **KEY)
    story.end()
    story.post(3, body="one", **KEY)


def with_broken_control(story: Kept) -> None:
    story.post(1, body="one", **KEY)
    story.post(2, body="one", **KEY)
    story.end()
    story.post(3, body="one", **KEY)


def with_cursors_that_go_back(story: Kept) -> None:
    story.post(1, body="one")
    story.post(2, body="two")
    story.ack(2)
    story.ack(1)
    story.end()
    story.ack(1)


def with_reads_that_lose_anyway(story: Kept) -> None:
    story.post(1, body="one")
    story.read()
    story.end()
    story.read()


@pytest.mark.parametrize(
    "told", [without_control, with_broken_control, with_cursors_that_go_back, with_reads_that_lose_anyway]
)
def test_what_was_not_seen_before_or_broken_then_is_not_the_ends_doing(told: Callable[[Kept], None]) -> None:
    story = Kept()
    told(story)
    assert story.verdict().verdict != "fail"


def test_a_server_is_killed_more_than_once() -> None:
    story = Kept().begun()
    story.end()
    story.shown(1, 2)
    story.post(3, body="three")
    story.end()
    story.shown(1, 2, 3)
    assert story.verdict().verdict == "pass"
    story.end()
    story.shown(1, 2)
    fails(story, "a message that was accepted once is there 0 times")
    (finding,) = story.verdict().findings
    assert len(finding.calls) == 2


def test_what_a_store_has_lost_is_this_requirements_matter_alone() -> None:
    story = Kept().begun()
    story.end()
    story.post(3, body="one", **KEY)
    story.shown(1)
    story.ack(1)
    for other in ("TH-IDEM-01", "TH-ACK-02", "TH-READ-03", "TH-SRV-01", "TH-SRV-02"):
        assert story.judged(other).verdict != "fail"


def test_without_an_end_nothing_is_seen() -> None:
    assert Kept().begun().verdict().verdict == "not_observed"
    story = Kept().begun()
    story.end()
    assert story.verdict().verdict == "not_observed"


def test_who_does_not_say_that_it_keeps_its_store_need_not() -> None:
    outcome = Kept(store={"kept": False}).begun().verdict()
    assert outcome.verdict == "not_applicable"
    assert "does not say that it keeps its store" in outcome.reason


def test_what_the_stimuli_show_of_the_reference() -> None:
    held = driven("threads", "surviving").outcome("TH-SRV-05")
    broken = driven("threads", "surviving", deviation="TH-SRV-05").outcome("TH-SRV-05")
    assert held is not None
    assert broken is not None
    assert (held.verdict, broken.verdict) == ("pass", "fail")
