"""Calls that are made to overlap: each is made ready, all but its last bytes, before the first of them leaves.

Whether they did overlap is seen where the bytes leave: two calls are on their way together if no byte of an answer to
the first has arrived when the last bytes of the second leave. A quick server may have answered the first of many by the
time that the last one leaves: then those that were on their way together are fewer. A machine that is too busy to send
them so shows no race.
"""

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from contextvars import ContextVar

LONGEST_S = 0.5
"""What a call that is ready waits for the others: one of them may never get so far."""

Arrived = Callable[[], bool]
"""Whether anything can be read where a call's answer will come."""
Told = Callable[[tuple[int, ...], tuple[int, ...]], object]
"""Takes the calls of a volley, once it is over, and those of them, the most, that were on their way together."""

_CURRENT: ContextVar["Volley | None"] = ContextVar("volley", default=None)


class Volley:
    """So many calls that are to be on the wire together."""

    def __init__(self, number: int, told: Told) -> None:
        self._missing = self._number = number
        self._told = told
        self._go = asyncio.Event()
        self._gone: dict[int, Arrived] = {}
        self._answered: set[int] = set()
        self._together: tuple[int, ...] = ()
        self._apart: set[int] = set()

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
        under_way = tuple(each for each, look in self._gone.items() if each not in self._answered and not look())
        if call in under_way and len(under_way) > max(1, len(self._together)):
            self._together = under_way

    def over(self) -> None:
        """It is told which were on their way together, where all had left."""
        together = tuple(each for each in self._together if each not in self._apart)
        if len(self._gone) == self._number:
            self._told(tuple(self._gone), together if len(together) > 1 else ())

    def apart(self, call: int) -> None:
        """A call was turned away, and leaves again when the others may be over."""
        self._apart.add(call)

    def answered(self, call: int) -> None:
        """An answer was read, or none will come."""
        if call in self._gone:
            self._answered.add(call)


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
        if current is not None:
            current.over()


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


def apart(call: int) -> None:
    """This call was turned away, and leaves again."""
    current = _CURRENT.get()
    if current is not None:
        current.apart(call)


def answered(call: int) -> None:
    """This call is over."""
    current = _CURRENT.get()
    if current is not None:
        current.answered(call)
