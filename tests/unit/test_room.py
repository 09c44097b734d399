"""Room for a connection that waits: what is kept is closed, as long as the server may serve one at a time."""

import asyncio
from dataclasses import dataclass

import pytest

from conformance.drive.wire import crowd
from conformance.drive.wire.crowd import APART_S, Crowd


@dataclass(eq=False)
class Made:
    """A connection that was made at a time."""

    since: float | None


@dataclass(eq=False)
class Keeper:
    """Keeps a connection until it is dropped."""

    keeps: bool = True
    dropped: int = 0

    async def drop(self) -> None:
        """Counts."""
        self.dropped, self.keeps = self.dropped + 1, False


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crowd, "LONG_S", 0.0)
    monkeypatch.setattr(crowd, "AGAIN_S", 0.0)


async def some_turns() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


def test_what_is_kept_is_closed_for_who_waits() -> None:
    async def story() -> None:
        place, keeper = Crowd(), Keeper()
        place.keepers.add(keeper)
        room = asyncio.create_task(place.make_room(Made(1.0)))
        await some_turns()
        assert keeper.dropped
        assert place.waiting
        place.answered(Made(1.0))
        assert not place.several
        room.cancel()
        await some_turns()
        assert not place.waiting

    asyncio.run(story())


@pytest.mark.parametrize(("later_s", "several"), [(2 * APART_S, True), (APART_S / 2, False), (-2 * APART_S, False)])
def test_one_that_is_answered_before_an_earlier_one_shows_that_several_are_served(
    later_s: float, several: bool
) -> None:
    """A stream that a GET opened may say nothing for long: nothing is closed for it then."""

    async def story() -> None:
        place = Crowd()
        room = asyncio.create_task(place.make_room(Made(1.0)))
        await some_turns()
        place.answered(Made(1.0 + later_s))
        await some_turns()
        assert place.several == room.done() == several
        room.cancel()

    asyncio.run(story())


def test_one_that_is_not_made_yet_shows_nothing() -> None:
    async def story() -> None:
        place = Crowd()
        room = asyncio.create_task(place.make_room(Made(None)))
        await some_turns()
        place.answered(Made(9.0))
        assert not place.several
        room.cancel()

    asyncio.run(story())


def test_one_that_is_answered_beside_a_kept_one_shows_it() -> None:
    async def story() -> None:
        place, keeper = Crowd(), Keeper()
        place.keepers.add(keeper)
        place.answered(Made(1.0))
        assert place.several

    asyncio.run(story())
