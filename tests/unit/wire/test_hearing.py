"""What a connection hears that answers no call, and when it is too much."""

import asyncio

import pytest

from conformance.drive.errors import SilenceError
from conformance.drive.frames import Frame
from conformance.drive.hearing import Hearing, Most
from conformance.drive.patience import Patience
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


class Noted(Patience):
    """Notes that it is given its time anew."""

    anew = False

    def advance(self, now: float) -> None:
        """Notes it."""
        self.anew = True
        super().advance(now)


def test_an_answer_gives_those_that_wait_on_other_connections_their_time_anew() -> None:
    """One server may answer all of them, one after another: what was asked earlier gets none of it."""

    async def story() -> list[int]:
        here = Hearing("c1", "main", Recorder(EnvelopeRule()), lambda _: None, Most())
        waiting = {call: Noted(60.0, lambda: None) for call in (1, 2, 3)}
        here.line, here.waiting[2] = {**waiting}, waiting[2]
        here(Frame({"jsonrpc": "2.0", "id": 2, "result": {}}), 2)
        return [call for call, patience in waiting.items() if patience.anew]

    assert asyncio.run(story()) == [3]
