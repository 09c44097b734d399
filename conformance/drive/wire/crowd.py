"""Connections to one place that are there at once: a server that accepts few at a time breaks the rest of them."""

import asyncio

FEW = 3
"""New connections at once to a place that broke one among many."""


class Crowd:
    """Those of one host and port, whoever makes them.

    A listener keeps so many connections waiting as it chose, some no more than five; what more come are broken by its
    system, and the server never hears of them.
    """

    def __init__(self) -> None:
        self.under_way = 0
        """Requests that were begun and whose responses are not over."""
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
