"""How long an answer is waited for."""

import asyncio
from collections.abc import Callable
from math import ceil
from types import TracebackType
from typing import Self

from conformance.drive.lateness import Lateness

LONGEST = 6
"""Times the limit that a call is waited for in all, from its turn on, while the server says that it makes progress."""


class Patience:
    """The time of one call: it runs from when the request leaves or its turn comes, and anew from each progress.

    Progress extends it up to a bound. So does the time in which the suite itself was kept from looking at what came.

    `async with patience:` raises TimeoutError once it is over.
    """

    def __init__(self, limit_s: float, sent: Callable[[], None]) -> None:
        self._limit_s = limit_s
        self._sent = sent
        self._left: float | None = None
        self._turn = 0.0
        """When the request left, or when the last of those before it was answered."""
        self._waited = False
        self._early = 0.0
        """Until when a renewal moves nothing: each answer renews whatever waits behind it."""
        self._clock = asyncio.timeout(None)
        self._loop = asyncio.get_running_loop()
        self._lateness = Lateness.here()
        self._lost = 0.0
        """What the loop had lost, in all, when the end was planned: the call has no part in it."""
        self._put_off = 0.0
        """Seconds from when the request left first until it left last."""
        self._granted = 0.0
        """Seconds by which the end was put off for what the loop lost since."""
        self._end: asyncio.TimerHandle | None = None

    async def __aenter__(self) -> Self:
        await self._clock.__aenter__()
        self._waited = True
        self._lateness.wait()
        self._plan(self._loop.time() + self._limit_s)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._waited = False
        if self._end is not None:
            self._end.cancel()
        self._lateness.leave()
        await self._clock.__aexit__(kind, error, trace)

    @property
    def on_its_way(self) -> bool:
        """Whether the request has left."""
        return self._left is not None

    @property
    def late_ms(self) -> int:
        """Of the time until now, what the suite itself was late by, which is 0 within the limit, or let pass by."""
        late_s = self._put_off
        if self._left is not None and self._loop.time() - self._turn > self._limit_s:
            late_s += self._granted + self._lateness.lost_s - self._lost
        return ceil(late_s * 1000)

    def left(self) -> None:
        """The request leaves now: it is written down as sent, and the limit begins."""
        if self._left is None:
            self._left = self._turn = self._loop.time()
            self._sent()
            self._move(self._left + self._limit_s)

    def renew(self) -> None:
        """The server makes progress with this request: the limit begins anew."""
        now = self._loop.time()
        if self._left is not None and now > self._early:
            self._move(min(now + self._limit_s, self._turn + LONGEST * self._limit_s))

    def advance(self, now: float) -> None:
        """An earlier request was answered, by the loop's clock: what this one waited until now was the others' time."""
        if self._left is not None:
            self._turn = now
            if now > self._early:
                self._move(now + self._limit_s)

    def put_off(self, seconds: float) -> None:
        """The request was turned away, and is sent again so much later: the limit begins anew then."""
        again = self._loop.time() + seconds
        self._put_off += again - self._turn
        self._turn = again
        self._move(again + self._limit_s)

    def grant(self, seconds: float) -> None:
        """The request has not left, and may take so much longer to: the server has to come back first."""
        if self._left is None:
            self._move(self._loop.time() + seconds + self._limit_s)

    def _move(self, when: float) -> None:
        planned = self._end.when() if self._end is not None else None
        # not for every little while: a quick server gives thousands of answers a second
        if self._waited and not self._clock.expired() and (planned is None or abs(when - planned) > self._limit_s / 10):
            self._plan(when)
            planned = when
        self._early = (planned or 0.0) - self._limit_s * 9 / 10

    def _plan(self, when: float) -> None:
        if self._end is not None:
            self._end.cancel()
        self._lost = self._lateness.lost_s
        self._end = self._loop.call_at(when, self._over)

    def _over(self) -> None:
        """The time is over, unless the loop lost some of it: what came meanwhile was not looked at yet."""
        lost = min(self._lateness.lost_s - self._lost, LONGEST * self._limit_s - self._granted)
        if lost > 0:
            self._granted += lost
            self._plan(self._loop.time() + lost)
        else:
            self._clock.reschedule(self._loop.time())
