"""Starts of one server's processes: at once, until one did not live beside another, and from then on in turn.

That several processes of a server may begin at once is promised nowhere: they may lock what they share.
"""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass

ATTEMPTS = 3
LATELY_S = 5.0
"""So long a process may take to start that nobody waits for."""


@dataclass
class Turn:
    """One process that starts."""

    crowded: bool
    """Whether another one was starting meanwhile."""


class Turns:
    """Those of one endpoint."""

    def __init__(self) -> None:
        self._one_by_one = False
        self._lock = asyncio.Lock()
        self._starting: list[Turn] = []
        self._met = -LATELY_S

    @contextlib.asynccontextmanager
    async def turn(self) -> AsyncIterator[Turn]:
        """A start, from before the process is there until it was spoken with."""
        async with self._lock if self._one_by_one else contextlib.nullcontext():
            mine = Turn(crowded=bool(self._starting) or time.monotonic() - self._met < LATELY_S)
            self._crowd()
            self._starting.append(mine)
            try:
                yield mine
            finally:
                self._starting.remove(mine)

    def unmet(self) -> None:
        """A process starts with which nobody agrees on anything: when it is there is not known."""
        self._met = time.monotonic()
        self._crowd()

    def after(self, lost: Turn) -> None:
        """One ended before it was spoken with: where others were starting meanwhile, from now on they do so in turn."""
        self._one_by_one = self._one_by_one or lost.crowded

    def _crowd(self) -> None:
        for other in self._starting:
            other.crowded = True
