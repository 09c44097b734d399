"""The time that an invocation has: the policy's for each attempt, the deadline's for all of them."""

from collections.abc import Coroutine
from typing import Any, TypeVar

from reference_server.conditions import Clock
from reference_server.invocation.course import Course
from reference_server.invocation.failure import Failure
from reference_server.invocation.stopwatch import OutOfTimeError, Stopwatch, within

Output = TypeVar("Output")


class Timing:
    """The deadline is an instant of the calendar; what is left of it is measured by the stopwatch."""

    def __init__(self, stopwatch: Stopwatch, clock: Clock) -> None:
        self.stopwatch = stopwatch
        self.clock = clock

    def begin(self, course: Course) -> None:
        """Looks at the deadline before anything else. Raises Timeout where it has passed."""
        left = self.left_s(course)
        if left is None:
            return
        if left * 1000 < course.tool.policies.timeout_ms:
            course.timeout_ms = max(round(left * 1000, 3), 0)
        if left <= 0:
            raise Failure("Timeout", "the deadline has passed", details={"timeoutMs": 0})

    def left_s(self, course: Course) -> float | None:
        """What is left until the deadline; None: there is none."""
        if course.deadline is None:
            return None
        return course.deadline - course.at - (self.stopwatch.now() - course.started)

    def limit_s(self, course: Course) -> float:
        """How long the next attempt may take."""
        left, policy = self.left_s(course), course.tool.policies.timeout_ms / 1000
        return policy if left is None else min(policy, left)

    async def bounded(self, course: Course, work: Coroutine[Any, Any, Output]) -> Output:
        """The outcome of one attempt, or of a wait. Raises Timeout, with the work stopped."""
        limit_s = self.limit_s(course)
        try:
            return await within(self.stopwatch, limit_s, work)
        except OutOfTimeError:
            raise Failure(
                "Timeout",
                "the invocation took longer than its timeout or deadline allows",
                details={"timeoutMs": max(round(limit_s * 1000, 3), 0)},
            ) from None
