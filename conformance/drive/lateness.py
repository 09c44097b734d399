"""How long the suite itself was kept from looking at what had come: an answer may have been there meanwhile."""

import asyncio
from weakref import WeakKeyDictionary

EVERY = 0.1
"""Seconds between two looks at the clock."""
USUAL = 0.02
"""Seconds by which a look may be late."""

_KNOWN: "WeakKeyDictionary[asyncio.AbstractEventLoop, Lateness]" = WeakKeyDictionary()


class Lateness:
    """The time that an event loop lost while something was waited for, to its own work or to other processes."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._lost = 0.0
        self._due = 0.0
        self._waiting = 0
        self._next: asyncio.TimerHandle | None = None

    @classmethod
    def here(cls) -> "Lateness":
        """That of the running loop."""
        loop = asyncio.get_running_loop()
        if loop not in _KNOWN:
            _KNOWN[loop] = cls(loop)
        return _KNOWN[loop]

    @property
    def lost_s(self) -> float:
        """Seconds in all, up to now. They count while somebody waits."""
        return self._lost + self._late()

    def wait(self) -> None:
        """Somebody begins to wait."""
        self._waiting += 1
        if self._next is None:
            self._plan()

    def leave(self) -> None:
        """Somebody waits no more."""
        self._waiting -= 1
        if not self._waiting and self._next is not None:
            self._lost += self._late()
            self._next.cancel()
            self._next = None

    def _late(self) -> float:
        late = self._loop.time() - self._due if self._next is not None else 0.0
        return late if late > USUAL else 0.0

    def _plan(self) -> None:
        self._due = self._loop.time() + EVERY
        self._next = self._loop.call_at(self._due, self._look)

    def _look(self) -> None:
        self._lost += self._late()
        self._plan()
