"""Counters in fixed windows: a window begins with the first count and ends after its period."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Window:
    """Count so far, since `start` (seconds since the epoch)."""

    start: float
    count: int


@dataclass(slots=True)
class Counters:
    """Windows by key."""

    windows: dict[str, Window] = field(default_factory=dict)

    def current(self, key: str, period_s: float, now: float) -> Window:
        """The window that holds now; an empty one starting now where none does."""
        window = self.windows.get(key)
        if window is None or now >= window.start + period_s:
            return Window(now, 0)
        return window

    def add(self, key: str, period_s: float, now: float) -> None:
        """Counts one."""
        window = self.current(key, period_s, now)
        self.windows[key] = Window(window.start, window.count + 1)
