"""Calls that were sent at once and not seen to be under way together: what they break counts, what they keep not."""

import pytest

from tests.laws.histories import Story
from tests.laws.tasks.room import Room
from tests.laws.threads.talk import Talk


def keyed(*seqs: int) -> Talk:
    story = Talk()
    story.together()
    for seq in seqs:
        story.post(seq, idempotency_key="k")
    story.settle()
    return story


def differing(*codes: str | None) -> Talk:
    story = Talk()
    story.together()
    for number, code in enumerate(codes):
        if code is None:
            story.post(1, idempotency_key="k", body=f"body {number}")
        else:
            story.denied(code, idempotency_key="k", body=f"body {number}")
    story.settle()
    return story


def plain(*seqs: int) -> Talk:
    story = Talk()
    story.together()
    for number, seq in enumerate(seqs):
        story.post(seq, given={"message_id": f"m{number}"})
    story.settle()
    return story


def moved(*statuses: str) -> Talk:
    story = Talk()
    story.get()
    story.together()
    for status in statuses:
        story.move(status)
    story.settle()
    story.get("closed")
    return story


def guarded(*codes: str | None) -> Room:
    room = Room()
    room.radar(3)
    room.together()
    for number, code in enumerate(codes):
        if code is None:
            room.edit(4 + number, f"title {number}", expected_revision=3)
        else:
            room.no("tasks_edit", code, task="TASK-001", title=f"title {number}", expected_revision=3)
    room.settle()
    room.radar(5)
    return room


RACES = [
    ("TH-IDEM-06", lambda: keyed(1, 1), lambda: keyed(1, 2)),
    ("TH-IDEM-03", lambda: differing(None, "IDEMPOTENCY_CONFLICT"), lambda: differing(None, None)),
    ("TH-MSG-02", lambda: plain(1, 2), lambda: plain(1, 1)),
    ("TH-STAT-06", lambda: moved("resolved", "closed"), lambda: moved("resolved", "blocked")),
    ("TK-REV-07", lambda: guarded(None, "REVISION_MISMATCH"), lambda: guarded(None, None)),
]


def raced(story: Story, *, together: bool | None) -> Story:
    """The last calls but for the look at the end, which may be one of them."""
    if together is not None:
        story.flight(*range(1, story.calls + 1), together=together)
    return story


@pytest.mark.parametrize(("requirement", "sound", "broken"), RACES, ids=[race[0] for race in RACES])
def test_a_race_that_was_none(requirement, sound, broken) -> None:
    for together, verdict in ((None, "pass"), (True, "pass"), (False, "not_observed")):
        assert raced(sound(), together=together).judged(requirement).verdict == verdict
        assert raced(broken(), together=together).judged(requirement).verdict == "fail"


def test_a_flight_of_other_calls_proves_nothing() -> None:
    story = keyed(1, 1)
    story.flight(1, 2)
    assert story.judged("TH-IDEM-06").verdict == "not_observed"
