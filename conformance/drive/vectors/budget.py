"""What may be spent on the arguments of one tool. Whoever made it can take it away while another thread spends it."""

import time

from conformance.contract.reference import Steps

STEPS = 200_000
"""Steps of the second validator, values made and copied: 2 s, at 10 µs each. Ordinary tools take 500 to 20,000."""
SECONDS = 20.0
"""From the first step, where steps take longer than they should."""
LOOKED = 256
"""Steps between two looks at the clock."""
AT_ONCE = 12_000
"""Steps for the judgement of one value."""


class OverspentError(Exception):
    """Nothing is left of it, and why."""


class Budget:
    """Steps and seconds that are left for one tool."""

    def __init__(self, steps: int = STEPS, seconds: float = SECONDS) -> None:
        self._left = steps
        self._look = steps
        self._seconds = seconds
        self._until: float | None = None
        self.stopped = False
        """Whether it was taken away."""

    def stop(self) -> None:
        """Takes it away: whoever spends it ends at its next step."""
        self.stopped = True

    def take(self, steps: int = 1) -> None:
        """Spends so much; OverspentError where it is not there."""
        self._left -= steps
        if self.stopped:
            raise OverspentError("it was given up")
        if self._left < 0:
            raise OverspentError("it takes too many steps to find values that satisfy it")
        if self._left < self._look:
            self._look = self._left - LOOKED
            now = time.monotonic()
            self._until = now + self._seconds if self._until is None else self._until
            if now > self._until:
                raise OverspentError(f"it takes longer than {self._seconds:g} s to find values that satisfy it")

    def steps(self) -> Steps:
        """What one value may be judged with; `spent` gives back what is left of it."""
        self.take()
        return Steps(min(AT_ONCE, self._left))

    def spent(self, steps: Steps) -> None:
        """Takes what was used of those for one value."""
        self.take(steps.used)
