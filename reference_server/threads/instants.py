"""Instants as text, for a calendar that never goes back."""

from reference_server.conditions import Clock


class Instants:
    """Reads the instance's clock so that no later call gets an earlier time."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.latest = 0.0

    def now(self) -> float:
        """Seconds since the epoch; holds still where the machine's clock is set back."""
        self.latest = max(self.latest, self.clock.now())
        return self.latest

    def text(self, at: float) -> str:
        """RFC 3339, UTC, milliseconds."""
        return self.clock.instant(at)
