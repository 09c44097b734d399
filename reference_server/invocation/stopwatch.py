"""Time as the policies measure it. It is injected: a test's stopwatch runs as fast as the test wants."""

import asyncio
import time
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

Output = TypeVar("Output")


class Stopwatch(Protocol):
    """Measures spans and waits. No calendar moves it."""

    def now(self) -> float:
        """Seconds since some moment; never less than before."""

    async def sleep(self, seconds: float) -> None:
        """Waits."""


@dataclass(frozen=True, slots=True)
class RealStopwatch:
    """The machine's."""

    def now(self) -> float:
        """Seconds of the monotonic clock."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Waits on the event loop."""
        await asyncio.sleep(seconds)


class OutOfTimeError(Exception):
    """Work took longer than it may."""


async def within(stopwatch: Stopwatch, seconds: float, work: Coroutine[Any, Any, Output]) -> Output:
    """The outcome of work that gets so long and no longer: then it is cancelled, and OutOfTimeError is raised.

    Whoever cancels the caller cancels the work; in either case it has ended when this returns.
    """
    working = asyncio.ensure_future(work)
    rung = False

    async def ring() -> None:
        nonlocal rung
        await stopwatch.sleep(max(seconds, 0.0))
        # cancelled at once, in the order of the timers: after a stall of the loop both may be due
        rung = not working.done()
        working.cancel()

    alarm = asyncio.ensure_future(ring())
    try:
        await asyncio.wait((working,))
        if rung:
            raise OutOfTimeError
        return working.result()
    finally:
        alarm.cancel()
        if not working.done():
            working.cancel()
            await asyncio.wait((working,))
        # where the caller was cancelled nobody else asks what the work ended with, and asyncio would complain
        _ = working.cancelled() or working.exception()
