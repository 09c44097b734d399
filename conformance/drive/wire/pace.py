"""How quickly requests leave to one server: as they come, until a limit on requests turns one away.

Such a request is made again, and all leave further apart from then on.
"""

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from conformance.drive.patience import Patience
from conformance.model.events import Http, Json

PAUSE_S = 0.1
"""What is waited before a request is made again where the limit asks for nothing else."""
WINDOW_S = 70.0
"""How long one is made again: most limits count the requests of a minute."""
BRIEF_S = 3.0
"""The same where a limit did not end before, or something was brought about, which may be the very limit: a contract's
quota is of a minute."""
FIRST_APART_S, MOST_APART_S = 0.02, 2.0
"""How far apart requests leave once there were too many, and at most, where twice as far is too near each time."""
ITS_OWN = 8
"""So often a request is turned away, and others are served meanwhile, where it is refused for itself."""
_UNITS = {"ms": 0.001, "milli": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
_ASKED = re.compile(
    r"\b(?:retry|try again|wait)(?: again)?(?: in| after| for|:)?:? (?:about |at least )?(\d{1,9}(?:\.\d{1,9})?) ?"
    r"(?:(ms|milli)(?:seconds?)?|(s)(?:ec(?:ond)?s?)?|(m)(?:in(?:ute)?s?)?|(h)(?:(?:ou)?rs?)?)\b",
    re.IGNORECASE,
)
_ASKED_WITHIN = 10_000
"""Characters of a message that are looked through for that."""


def after_s(side: Http | None, error: Mapping[str, Json] | None = None) -> float | None:
    """The seconds after which a response, or the message of its error, asks to be asked again.

    None where it asks for nothing, or for an instant, or names no unit.
    """
    asked = side.headers.get("retry-after", "") if side is not None else ""
    if asked.isascii() and asked.isdigit():
        return float(asked)
    message = error.get("message") if error is not None else None
    found = _ASKED.search(message, 0, _ASKED_WITHIN) if isinstance(message, str) else None
    if found is None:
        return None
    number, *units = found.groups()
    return float(number) * next(_UNITS[unit.lower()] for unit in units if unit)


class Session(NamedTuple):
    """What a handshake agreed on."""

    revision: str
    number: str | None
    server: Json
    capabilities: Json


@dataclass(slots=True)
class Visit:
    """One request, from the first time that it is made."""

    apart_s: float
    """How far apart requests left when it was made last."""
    before_s: float
    """The same when it was made first."""
    times: int = 0
    """How often it was turned away."""
    since: float = 0.0
    """When it was for the first time, by the loop's clock."""
    served: int = 0
    """How many requests were served before that."""


class Pace:
    """Of one server, whoever sends there: how far apart requests leave, and who waits and speaks there."""

    def __init__(self) -> None:
        self.waiting: dict[int, Patience] = {}
        """The calls that are waited for there, of all connections: a server may do one thing after another."""
        self.sessions: dict[str, Session] = {}
        """Those that handshakes began there, by connection: a server may have one for all."""
        self.number = 1
        """Of the server that listens there: another one does, it is taken, where nothing did for a while."""
        self._apart_s = 0.0
        self._free = 0.0
        """When the next request may leave, by the loop's clock."""
        self._served = 0
        self._in_vain = False
        """Whether a request was turned away for as long as it was made, and nothing else was served since."""
        self.barred = ""
        """Why the server cannot be tested whole: a limit did not end. Empty where that never was."""

    def visit(self) -> Visit:
        """Of a request that has had its turn, and is made now."""
        return Visit(apart_s=self._apart_s, before_s=self._apart_s)

    def served(self) -> None:
        """A request was let in, and answered."""
        self._served += 1
        self._in_vain = False

    async def turn(self) -> None:
        """Waits until a request may leave."""
        while self._apart_s and not self._in_vain:
            apart_s, now = self._apart_s, asyncio.get_running_loop().time()
            leaves = max(now, self._free)
            self._free = leaves + apart_s
            await asyncio.sleep(leaves - now)
            if self._apart_s == apart_s:
                return

    def again(self, visit: Visit, after_s: float | None = None, *, as_found: bool = True) -> bool:
        """Whether a request that a limit turned away is to be made again, when its turn comes.

        `after_s` is what the limit asks to wait, if it does: then all wait. `as_found`: nothing was brought about for
        the request.
        """
        now = asyncio.get_running_loop().time()
        if not visit.times:
            visit.since, visit.served = now, self._served
        visit.times += 1
        asked_s = PAUSE_S if after_s is None else after_s
        over = max(now - visit.since, asked_s) > (WINDOW_S if as_found and not self.barred else BRIEF_S)
        if over and as_found:
            told = f"asks to wait for {asked_s:g} s" if asked_s > WINDOW_S else f"did not end in {WINDOW_S:g} s"
            self._in_vain, self.barred = True, f"a limit on requests {told}: raise it for the run"
        if self._in_vain:
            return False
        if over or (visit.times >= ITS_OWN and self._served - visit.served >= ITS_OWN):
            # no limit on all requests turned it away
            self._apart_s = visit.before_s
            return False
        if visit.apart_s >= self._apart_s:
            # else it was made when requests left nearer to each other than they do by now
            self._apart_s = min(max(2 * self._apart_s, FIRST_APART_S), MOST_APART_S)
        self._free = max(self._free, now + asked_s)
        visit.apart_s = self._apart_s
        return True
