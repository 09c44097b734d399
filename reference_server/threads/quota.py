"""How many messages an agent may post a minute."""

from collections import deque
from typing import Final

from reference_server.threads.refusal import Refusal

WINDOW_S: Final = 60.0


class Quota:
    """A sliding window of one minute per agent and workspace, on the calendar."""

    def __init__(self, per_minute: int) -> None:
        self.per_minute = per_minute
        self.spent: dict[tuple[str, str], deque[float]] = {}

    def check(self, agent: tuple[str, str], now: float) -> None:
        """Raises RATE_LIMITED where the window is full."""
        spent = self.spent.setdefault(agent, deque())
        while spent and spent[0] <= now - WINDOW_S:
            spent.popleft()
        if len(spent) >= self.per_minute:
            raise Refusal("RATE_LIMITED", f"the quota of {self.per_minute} messages a minute is used up")

    def spend(self, agent: tuple[str, str], now: float) -> None:
        """Counts one message that was accepted."""
        self.spent[agent].append(now)
