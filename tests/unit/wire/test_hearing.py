"""What a connection hears that answers no call, and when it is too much."""

import asyncio

import pytest

from conformance.drive.errors import SilenceError
from conformance.drive.frames import Frame
from conformance.drive.hearing import Hearing, Most
from conformance.drive.recorder import Recorder
from conformance.model.envelope import EnvelopeRule

LARGE = 1_000


def heard(calls: list[int], owed: set[int]) -> Hearing:
    """A large answer to each of these calls, heard by a connection that bears two of them from nobody."""

    async def story() -> Hearing:
        hearing = Hearing("c1", "main", Recorder(EnvelopeRule()), lambda _: None, Most(octets=2 * LARGE))
        hearing.owed |= owed
        for call in calls:
            hearing(Frame({"jsonrpc": "2.0", "id": call, "result": {}}, octets=LARGE), call)
        return hearing

    return asyncio.run(story())


def test_late_answers_flood_nobody() -> None:
    hearing = heard([1, 2, 3, 4, 5], {1, 2, 3, 4, 5})
    assert not hearing.excess
    assert not hearing.owed


def test_answers_to_what_was_answered_are_too_much_in_the_end() -> None:
    with pytest.raises(SilenceError):
        heard([1, 1, 1, 1, 1], {1})
