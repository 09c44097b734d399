"""What a server started for testing may be told: a clock that a caller moves, and settings of a fresh instance.

A request carries the conditions that hold for it as one JSON object. None of them is honoured unless the server was
started with --test-conditions: the binding then drops them before a domain sees them.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta


@dataclass(slots=True)
class Clock:
    """The calendar of one instance. It moves forward only, and never moves a stopwatch."""

    source: Callable[[], float] = time.time
    ahead: float = field(default=0.0)
    """Seconds that the calendar is ahead of the source."""

    def advance(self, ahead: float) -> None:
        """Takes the calendar to `ahead` seconds before the source's time, unless it is there already."""
        self.ahead = max(self.ahead, ahead)

    def now(self) -> float:
        """Seconds since the epoch."""
        return self.source() + self.ahead

    def instant(self, at: float | None = None) -> str:
        """RFC 3339, UTC, milliseconds: 2026-07-28T12:00:00.000Z."""
        moment = datetime.fromtimestamp(0, UTC) + timedelta(seconds=self.now() if at is None else at)
        return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
