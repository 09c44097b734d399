"""Room for a connection that waits: what is kept is closed, as long as the server may serve one at a time."""

import asyncio
from dataclasses import dataclass

import pytest

from conformance.drive.wire import crowd
from conformance.drive.wire.crowd import Crowd


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
    monkeypatch.setattr(crowd, "AGAIN_S", 0.001)
    monkeypatch.setattr(crowd, "ROOM_S", 0.005)


def test_what_is_kept_is_closed_for_who_waits_but_not_for_ever() -> None:
    """A stream that a GET opened may say nothing for long."""

    async def story() -> None:
        place, keeper = Crowd(), Keeper()
        place.keepers.add(keeper)
        room = asyncio.create_task(place.make_room())
        for _ in range(3):
            await asyncio.sleep(0)
        assert keeper.dropped == 1
        assert place.waiting == 1
        place.answered()
        assert not place.several
        await room
        assert keeper.dropped == 5
        assert place.waiting == 0

    asyncio.run(story())


def test_who_is_answered_waits_no_more() -> None:
    async def story() -> None:
        place = Crowd()
        room = asyncio.create_task(place.make_room())
        for _ in range(3):
            await asyncio.sleep(0)
        assert place.waiting == 1
        room.cancel()
        await asyncio.wait([room])
        assert place.waiting == 0

    asyncio.run(story())


def test_one_that_is_answered_beside_a_kept_one_shows_that_several_are_served() -> None:
    async def story() -> None:
        place, keeper = Crowd(), Keeper()
        place.keepers.add(keeper)
        place.answered()
        assert place.several
        await place.make_room()
        assert not keeper.dropped

    asyncio.run(story())
