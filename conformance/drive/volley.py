"""Calls that are made to overlap: each is made ready, all but its last bytes, before the first of them leaves."""

import asyncio
import contextlib
from collections.abc import Iterator
from contextvars import ContextVar

LONGEST_S = 0.5
"""What a call that is ready waits for the others: one of them may never get so far."""

_CURRENT: ContextVar["Volley | None"] = ContextVar("volley", default=None)


class Volley:
    """So many calls that are to be on the wire together."""

    def __init__(self, number: int) -> None:
        self._missing = number
        self._go = asyncio.Event()

    async def ready(self) -> None:
        """Waits until the others are ready as well."""
        self._missing -= 1
        if self._missing > 0:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LONGEST_S):
                    await self._go.wait()
        self._go.set()


def volley(number: int) -> contextlib.AbstractContextManager[None]:
    """The calls that are begun inside leave together."""
    return _within(Volley(number))


def alone() -> contextlib.AbstractContextManager[None]:
    """What is sent inside waits for nobody: a connection has to begin before a call can be made ready on it."""
    return _within(None)


@contextlib.contextmanager
def _within(current: Volley | None) -> Iterator[None]:
    token = _CURRENT.set(current)
    try:
        yield
    finally:
        _CURRENT.reset(token)


async def ready() -> None:
    """Waits for the others of this call's volley, if it is one of several."""
    current = _CURRENT.get()
    if current is not None:
        await current.ready()
