"""Calls that are made to overlap: each is made ready, all but its last bytes, before the first of them leaves.

Whether they did overlap is seen where the bytes leave: when the last call is on its way, no byte of an answer to any of
them may have arrived. A machine that is too busy to send them so shows no race.
"""

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from contextvars import ContextVar

LONGEST_S = 0.5
"""What a call that is ready waits for the others: one of them may never get so far."""

Arrived = Callable[[], bool]
"""Whether anything can be read where a call's answer will come."""
Told = Callable[[tuple[int, ...], bool], object]
"""Takes the calls of a volley, once all have left, and whether they were on their way together."""

_CURRENT: ContextVar["Volley | None"] = ContextVar("volley", default=None)


class Volley:
    """So many calls that are to be on the wire together."""

    def __init__(self, number: int, told: Told) -> None:
        self._missing = self._number = number
        self._told = told
        self._go = asyncio.Event()
        self._gone: dict[int, Arrived] = {}
        self._answered = False

    async def ready(self) -> None:
        """Waits until the others are ready as well."""
        self._missing -= 1
        if self._missing > 0:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LONGEST_S):
                    await self._go.wait()
            self._go.set()
        else:
            self._go.set()
            # behind those that it has woken: else it leaves 10 to 30 ms before them, where much else is to be done
            await asyncio.sleep(0)

    def gone(self, call: int, arrived: Arrived) -> None:
        """The last bytes of a call leave now."""
        if call in self._gone or len(self._gone) == self._number:
            return
        self._gone[call] = arrived
        if len(self._gone) == self._number:
            together = not self._answered and not any(look() for look in self._gone.values())
            self._told(tuple(self._gone), together)

    def answered(self, call: int) -> None:
        """An answer was read, or none will come."""
        self._answered = self._answered or call in self._gone


def volley(number: int, told: Told = lambda *_: None) -> contextlib.AbstractContextManager[None]:
    """The calls that are begun inside leave together."""
    return _within(Volley(number, told))


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


async def ready() -> bool:
    """Waits for the others of this call's volley, and tells whether it is one of several."""
    current = _CURRENT.get()
    if current is not None:
        await current.ready()
    return current is not None


def gone(call: int, arrived: Arrived) -> None:
    """The last bytes of this call leave now."""
    current = _CURRENT.get()
    if current is not None:
        current.gone(call, arrived)


def answered(call: int) -> None:
    """This call is over."""
    current = _CURRENT.get()
    if current is not None:
        current.answered(call)
