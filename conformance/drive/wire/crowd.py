"""Connections to one place that are there at once: some servers break those beyond a few, or serve one at a time."""

import asyncio
from typing import Protocol

FEW = 3
"""New connections at once to a place that broke one among many."""
LONG_S = 0.5
"""What a new connection may wait for its first byte before it makes room for itself."""
AGAIN_S = 0.1
"""After so long it does so again."""
ROOM_S = 10.0
"""How long it does so: a stream that a GET opens may say nothing for long, and then nothing would be kept."""


class Keeper(Protocol):
    """Who keeps connections for the next request."""

    @property
    def keeps(self) -> bool:
        """Whether it has one whose other end is there as well."""

    async def drop(self) -> None:
        """Closes them."""


class Crowd:
    """Those of one host and port, whoever makes them.

    A listener keeps so many connections waiting as it chose, some no more than five; what more come are broken by its
    system, and the server never hears of them.
    """

    def __init__(self) -> None:
        self.under_way = 0
        """Requests that were begun and whose responses are not over."""
        self.keepers: set[Keeper] = set()
        self.several = False
        """Whether one was answered while another was kept: the server serves several at once."""
        self.waiting = 0
        """How many make room: the server may serve the next only after the last is closed."""
        self._broke = False
        self._few = asyncio.Semaphore(FEW)

    async def begin(self) -> bool:
        """Before a new connection: waits where the place broke some. Whether `began` has to be told."""
        if self._broke:
            await self._few.acquire()
        return self._broke

    def began(self) -> None:
        """It is answered, or lost."""
        self._few.release()

    def broke(self) -> None:
        """A new connection was broken while others were there: from now on few are made at once."""
        self._broke = True

    def answered(self) -> None:
        """A response has begun."""
        self.several = self.several or any(keeper.keeps for keeper in self.keepers)

    async def make_room(self) -> None:
        """Beside a new connection, until its first byte: closes those that are kept, unless several are served."""
        await asyncio.sleep(LONG_S)
        self.waiting += 1
        try:
            for _ in range(round(ROOM_S / AGAIN_S)):
                if self.several:
                    return
                for keeper in tuple(self.keepers):
                    await keeper.drop()
                await asyncio.sleep(AGAIN_S)
        finally:
            self.waiting -= 1
