"""What turns requests away before anybody looks at them: a server that serves nobody for a time, or a limit.

Such a request is sent again. Where too many came, all requests to the place leave further apart from then on.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

import httpx2

from conformance.drive.frames import Frame
from conformance.model.events import Http

TRIES = 5
"""How often a request is sent in all that is turned away since nobody is served."""
PAUSE_S = 0.1
"""What is waited before it is sent again where nothing else is asked for, and each time twice as long."""
DRAINS_S = 2.0
"""The most that is waited where a server says how long it serves nobody."""
WINDOW_S = 70.0
"""How long a request is sent again that a limit turns away: most limits count the requests of a minute."""
FIRST_APART_S, MOST_APART_S = 0.02, 2.0
"""How far apart requests leave once there were too many, and at most, where twice as far is too near each time."""
ITS_OWN = 8
"""So often a request is turned away, and others are served meanwhile, where it is refused for itself."""

TURNED_AWAY = (httpx2.codes.TOO_MANY_REQUESTS, httpx2.codes.SERVICE_UNAVAILABLE)

Waits = Callable[[float], object]
"""Told how many seconds a request waits."""


@dataclass(frozen=True, slots=True)
class TurnedAway:
    """How a request was: by a limit, or since nobody is served; and what was asked for, in seconds."""

    limit: bool = True
    after_s: float | None = None


LIMIT = TurnedAway()


@dataclass(slots=True)
class Visit:
    """One request, from the first time that it is sent."""

    apart_s: float
    """How far apart requests left when it was sent last."""
    before_s: float
    """The same when it was sent first."""
    times: int = 0
    """How often it was turned away."""
    since: float = 0.0
    """When it was for the first time, by the loop's clock."""
    served: int = 0
    """How many requests were served before that."""


class Door:
    """Of one server, whoever sends there."""

    def __init__(self) -> None:
        self._apart_s = 0.0
        self._free = 0.0
        """When the next request may leave, by the loop's clock."""
        self._served = 0
        self._in_vain = False
        """Whether a request was turned away as often as it was sent, and nothing else was served since."""
        self.barred = ""
        """Why the server cannot be tested whole: a limit did not end. Empty where that never was."""

    def visit(self) -> Visit:
        """Of a request that has had its turn, and is sent now."""
        return Visit(apart_s=self._apart_s, before_s=self._apart_s)

    def served(self) -> None:
        """A request was let in, and answered."""
        self._served += 1
        self._in_vain = False

    async def turn(self, waits: Waits = lambda _: None) -> None:
        """Waits until a request may leave."""
        while self._apart_s and not self._in_vain:
            apart_s, now = self._apart_s, asyncio.get_running_loop().time()
            leaves = max(now, self._free)
            self._free = leaves + apart_s
            waits(leaves - now)
            await asyncio.sleep(leaves - now)
            if self._apart_s == apart_s:
                return

    async def again(self, visit: Visit, away: TurnedAway, waits: Waits = lambda _: None) -> bool:
        """Waits until a request that was turned away may be sent again; False where it is refused for good."""
        now = asyncio.get_running_loop().time()
        if not visit.times:
            visit.since, visit.served = now, self._served
        visit.times += 1
        if self._in_vain or self._for_good(visit, away, now):
            return False
        if away.limit:
            if visit.apart_s >= self._apart_s:
                # else it was sent when requests left nearer to each other than they do by now
                self._apart_s = min(max(2 * self._apart_s, FIRST_APART_S), MOST_APART_S)
            self._free = max(self._free, now + min(PAUSE_S if away.after_s is None else away.after_s, WINDOW_S))
            await self.turn(waits)
            visit.apart_s = self._apart_s
        else:
            pause_s = PAUSE_S * 2 ** (visit.times - 1) if away.after_s is None else min(away.after_s, DRAINS_S)
            waits(pause_s)
            await asyncio.sleep(pause_s)
        return True

    def _for_good(self, visit: Visit, away: TurnedAway, now: float) -> bool:
        if not away.limit:
            self._in_vain = visit.times >= TRIES
            return self._in_vain
        self._in_vain = now - visit.since > WINDOW_S
        if self._in_vain:
            self.barred = f"the server turned requests away for {WINDOW_S:g} s, as too many came"
        its_own = visit.times >= ITS_OWN and self._served - visit.served >= ITS_OWN
        if its_own:
            # it was no limit on all requests that turned it away
            self._apart_s = visit.before_s
        return self._in_vain or its_own


def turned_away(side: Http, found: Frame, *, mcp: bool) -> TurnedAway | None:
    """How an HTTP response turns a request away; None where the server itself answers.

    With HTTP 503 any object is its own word. With HTTP 429 an error of JSON-RPC is the limit's; an object over a plain
    binding is the contract's own refusal.
    """
    limit = side.status == httpx2.codes.TOO_MANY_REQUESTS
    if side.status not in TURNED_AWAY:
        return None
    if isinstance(found.payload, dict) and not (mcp and limit and "result" not in found.payload):
        return None
    asked = side.headers.get("retry-after", "")
    return TurnedAway(limit, float(asked) if asked.isascii() and asked.isdigit() else None)
