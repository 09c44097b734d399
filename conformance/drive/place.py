"""Where a server listens: whether it accepts connections, and waiting until it does."""

import asyncio
import errno
import os
import time
from collections.abc import Callable
from datetime import UTC
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

from conformance.drive.process import Process
from conformance.drive.wire.crowd import Crowd
from conformance.drive.wire.pace import Pace

CONNECT_S = 5.0
POLL_S = 0.1
NEAR_S = 5
"""Clocks that differ by less are taken for equal: a Date is of a second, and was written before it came."""
FAR_S = 86_400
"""A Date that is further away tells of no clock."""
AWAY_S = 0.3
"""How long nobody has to listen where another process is taken to listen afterwards: who has too many at once may turn
some away as well."""


class Place:
    """One host and port, shared by all connections to it, so that they wait for it together."""

    def __init__(self, url: str, back_s: float = 0.0) -> None:
        parts = urlsplit(url)
        self.secure = parts.scheme == "https"
        self.host = parts.hostname or ""
        self.port = parts.port or (443 if self.secure else 80)
        self.reached = False
        """Whether it accepted a connection before: then it is waited for where it does not."""
        self._back_s = back_s
        self.process: Process | None = None
        """What the suite started there."""
        self.crowd = Crowd()
        self.pace = Pace()
        self.in_vain = False
        """Whether a request met HTTP 503 as often as it was sent, and nothing else was answered since."""
        self._date: str | None = None
        self.skew_s = 0
        """How far its clock seems to be ahead of this machine's, in seconds; 0 where it is near enough, or unknown."""
        self._waiting: asyncio.Task[str] | None = None
        self._away: tuple[float, float] | None = None
        """When it took no connection for the first time and the last, since it took one; None: it does."""

    @property
    def back_s(self) -> float:
        """How long it is waited for: a server that never was there is not."""
        return self._back_s if self.reached else 0.0

    @property
    def over(self) -> bool:
        """Whether the process that the suite started there has ended, so that nothing comes back."""
        return self.process is not None and self.process.status is not None

    def tells(self, date: str | None) -> None:
        """Takes a response, with its Date as HTTP writes it."""
        self._serves()
        if date is None or date == self._date:
            return
        self._date = date
        try:
            there = parsedate_to_datetime(date).replace(tzinfo=UTC).timestamp()
        except (ValueError, OverflowError):
            return
        ahead_s = round(there - time.time())
        if abs(ahead_s - self.skew_s) >= NEAR_S:
            self.skew_s = ahead_s if NEAR_S <= abs(ahead_s) <= FAR_S else 0

    def begins(self, process: Process) -> None:
        """Takes the process that the suite started there: it has a number of its own."""
        if self.process is not process:
            self.process, self.pace.number, self._away = process, 1, None

    def _serves(self) -> None:
        """Somebody is there: another one than before, where nobody was for long enough."""
        if self._away is not None and self._away[1] - self._away[0] >= AWAY_S:
            self.pace.number += 1
        self._away = None

    async def accepts(self) -> str:
        """Empty where it accepts a connection; else why not."""
        if not self.host:
            return "the URL names no host"
        try:
            async with asyncio.timeout(CONNECT_S):
                _, writer = await asyncio.open_connection(self.host, self.port)
        except TimeoutError:
            return "the connection timed out"
        except OSError as error:
            # where a name has several addresses, and none takes a connection, there is no number
            if self.reached and error.errno in (errno.ECONNREFUSED, None):
                now = time.monotonic()
                self._away = (self._away[0] if self._away is not None else now, now)
            return os.strerror(error.errno) if error.errno and error.errno > 0 else str(error)
        except UnicodeError:
            return f"{self.host!r} is no name of a host"
        writer.close()
        self.reached = True
        self._serves()
        return ""

    async def back(self) -> str:
        """Waits until it accepts again, or long enough; empty where it does, else why not."""
        if self._waiting is None or self._waiting.done():
            self._waiting = asyncio.create_task(self.within(self.back_s, lambda: self.over))
        return await asyncio.shield(self._waiting)

    async def within(self, seconds: float, over: Callable[[], bool]) -> str:
        """Looks again and again until it accepts, the time is over or there is no use in it any more."""
        until = asyncio.get_running_loop().time() + seconds
        # nothing here tells when another program begins to listen
        while (why := await self.accepts()) and not over() and asyncio.get_running_loop().time() < until:  # noqa: ASYNC110
            await asyncio.sleep(POLL_S)
        return why
