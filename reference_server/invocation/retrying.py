"""Retries: only an IdempotentWrite with its key is tried again, as often as its policy says."""

from collections.abc import Awaitable, Callable
from typing import Final

from reference_server.application import Json
from reference_server.invocation.course import Course
from reference_server.invocation.definition import Effect
from reference_server.invocation.failure import Failure
from reference_server.invocation.policies import Retry
from reference_server.invocation.stopwatch import Stopwatch
from reference_server.invocation.timing import Timing

REPEATED: Final = frozenset({"Timeout", "DownstreamFailed"})
"""Failures that may be over at the next attempt."""


class Retrying:
    """Waits between attempts, longer each time where the policy says so, and never past the deadline."""

    def __init__(self, stopwatch: Stopwatch, timing: Timing) -> None:
        self.stopwatch = stopwatch
        self.timing = timing

    def most(self, course: Course) -> int:
        """How often the tool may be tried."""
        repeats = course.tool.effect is Effect.IDEMPOTENT_WRITE and course.key is not None
        return course.tool.policies.retry.max_attempts if repeats else 1

    def pause_s(self, retry: Retry, attempt: int) -> float:
        """How long to wait after an attempt, counted from 1."""
        return float(retry.delay_ms * retry.factor ** (attempt - 1)) / 1000

    async def run(self, course: Course, attempt: Callable[[], Awaitable[Json]]) -> Json:
        """The output of the first attempt that succeeds. Raises the failure of the last one."""
        while True:
            try:
                return await attempt()
            except Failure as failure:
                if failure.code not in REPEATED or course.attempts >= self.most(course):
                    raise
                pause_s, left_s = self.pause_s(course.tool.policies.retry, course.attempts), self.timing.left_s(course)
                if left_s is not None and left_s <= pause_s:
                    raise
            await self.stopwatch.sleep(pause_s)
