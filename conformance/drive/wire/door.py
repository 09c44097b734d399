"""What turns requests away before anybody looks at them: a server that serves nobody for a time, or a limit.

Such a request is sent again. Where too many came, all requests to the place leave further apart from then on.
"""

import asyncio
from dataclasses import dataclass

import httpx2

from conformance.drive.frames import Frame
from conformance.model.events import Http

TRIES = 5
"""How often a request is sent in all that meets HTTP 503."""
PAUSE_S = 0.1
"""What is waited before it is sent again where nothing else is asked for, and each time twice as long."""
DRAINS_S = 2.0
"""The most that is waited where a server says how long it serves nobody."""
WINDOW_S = 70.0
"""How long a request is sent again that meets HTTP 429: most limits count the requests of a minute."""
FIRST_APART_S, MOST_APART_S = 0.02, 2.0
"""How far apart requests leave once there were too many, and at most, where twice as far is too near each time."""
ITS_OWN = 8
"""So often a request is turned away, and others are served meanwhile, where it is refused for itself."""


@dataclass
class Visit:
    """One request, from the first time that it is sent."""

    since: float = 0.0
    """When it was turned away first, by the loop's clock."""
    times: int = 0
    """How often it was turned away."""
    served: int = 0
    """How many requests were served before that."""
    apart_s: float = 0.0
    """How far apart requests left when this one was sent."""


class Door:
    """Of one host and port, whoever sends there."""

    def __init__(self) -> None:
        self._apart_s = 0.0
        self._free = 0.0
        """When the next request may leave, by the loop's clock."""
        self._served = 0
        self._in_vain = False
        """Whether a request was turned away as often as it was sent, and nothing else was answered since."""

    def turn_s(self, visit: Visit) -> float:
        """How long a request waits before it leaves. Its turn is taken by that."""
        if not self._apart_s or self._in_vain:
            return 0.0
        now = asyncio.get_running_loop().time()
        leaves = max(now, self._free)
        self._free = leaves + self._apart_s
        visit.apart_s = self._apart_s
        return leaves - now

    def again_s(self, visit: Visit, side: Http, found: Frame, *, mcp: bool) -> float | None:
        """How long a request waits that was turned away, and is to be sent again; None where it was answered.

        An answer is also an object of whoever was asked, with any status, and what comes each time.
        """
        away = side.status in (httpx2.codes.SERVICE_UNAVAILABLE, httpx2.codes.TOO_MANY_REQUESTS)
        if not away or _spoken(found, side, mcp=mcp):
            self._served += 1
            self._in_vain = False
            return None
        now = asyncio.get_running_loop().time()
        if not visit.times:
            visit.since, visit.served = now, self._served
        visit.times += 1
        crowded = side.status == httpx2.codes.TOO_MANY_REQUESTS
        if self._in_vain or self._for_good(visit, now, crowded=crowded):
            self._in_vain = True
            return None
        asked = side.headers.get("retry-after", "")
        seconds = float(asked) if asked.isascii() and asked.isdigit() else None
        if not crowded:
            return PAUSE_S * 2 ** (visit.times - 1) if seconds is None else min(seconds, DRAINS_S)
        if visit.apart_s >= self._apart_s:
            # else it left when requests left nearer to each other than they do by now
            self._apart_s = min(max(2 * self._apart_s, FIRST_APART_S), MOST_APART_S)
        self._free = max(self._free, now + min(PAUSE_S if seconds is None else seconds, WINDOW_S))
        return self.turn_s(visit)

    def _for_good(self, visit: Visit, now: float, *, crowded: bool) -> bool:
        if not crowded:
            return visit.times >= TRIES
        its_own = visit.times >= ITS_OWN and self._served - visit.served >= ITS_OWN
        return its_own or now - visit.since > WINDOW_S


def _spoken(found: Frame, side: Http, *, mcp: bool) -> bool:
    """Whether the server itself answers. With HTTP 503 any object is its own word.

    With HTTP 429 an error of JSON-RPC is the limit's; an object over a plain binding is the contract's own refusal.
    """
    if not isinstance(found.payload, dict):
        return False
    return not mcp or side.status != httpx2.codes.TOO_MANY_REQUESTS or "result" in found.payload
