"""Concurrency limits: how many invocations of a tool run at once. Nobody waits for a place."""

from collections import Counter

from reference_server.invocation.limits.rates import Key


class Places:
    """How many invocations run, by tool and tenant."""

    def __init__(self) -> None:
        self.taken: Counter[Key] = Counter()

    def free(self, key: Key, limit: int) -> bool:
        """Whether one more may run."""
        return self.taken[key] < limit

    def take(self, key: Key) -> None:
        """One more runs."""
        self.taken[key] += 1

    def leave(self, key: Key) -> None:
        """One of them has ended."""
        self.taken[key] -= 1
