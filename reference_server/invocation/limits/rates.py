"""Rate limits: so many invocations within any span of a length, wherever the span begins."""

from collections import deque

from reference_server.invocation.policies import RateLimit
from reference_server.invocation.stopwatch import Stopwatch

Key = tuple[str, str]
"""Tool and tenant."""


class Rates:
    """Remembers when each admitted invocation came, for as long as it counts."""

    def __init__(self, stopwatch: Stopwatch) -> None:
        self.stopwatch = stopwatch
        self.admitted: dict[Key, deque[float]] = {}

    def wait_s(self, key: Key, limit: RateLimit) -> float:
        """How long until one more is admitted; 0: now."""
        counted = self.counted(key, limit)
        return counted[0] + limit.window_ms / 1000 - self.stopwatch.now() if len(counted) >= limit.calls else 0.0

    def take(self, key: Key, limit: RateLimit) -> None:
        """Counts an invocation that is admitted."""
        self.counted(key, limit).append(self.stopwatch.now())

    def counted(self, key: Key, limit: RateLimit) -> deque[float]:
        """The invocations that still count."""
        counted = self.admitted.setdefault(key, deque())
        since = self.stopwatch.now() - limit.window_ms / 1000
        while counted and counted[0] <= since:
            counted.popleft()
        return counted
