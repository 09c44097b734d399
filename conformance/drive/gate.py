"""How many calls may be in flight at once, and how some of them are made to overlap."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextvars import ContextVar

_INSIDE: ContextVar[bool] = ContextVar("inside", default=False)
"""Set in tasks whose place was reserved for them."""


class Gate:
    """Lets so many calls through at once."""

    def __init__(self, width: int) -> None:
        self._width = width
        self._free = asyncio.Semaphore(width)
        self._reserving = asyncio.Lock()

    @contextlib.asynccontextmanager
    async def one(self) -> AsyncIterator[None]:
        """A call's place; none is taken where it was reserved before."""
        if _INSIDE.get():
            yield
            return
        async with self._free:
            yield

    @contextlib.asynccontextmanager
    async def several(self, number: int) -> AsyncIterator[None]:
        """Places for calls that are to be made at once: all of them free before the first is made.

        More than the gate is wide pass as well: what they show is their overlap.
        """
        places = min(number, self._width)
        # one at a time, or two that want many would each hold half of what the other waits for
        async with self._reserving:
            for _ in range(places):
                await self._free.acquire()
        token = _INSIDE.set(True)
        try:
            yield
        finally:
            _INSIDE.reset(token)
            for _ in range(places):
                self._free.release()
