"""The Result: the one envelope of every invocation."""

import math
from typing import Final

from reference_server.application import Json
from reference_server.invocation.course import UNRESOLVED, Course
from reference_server.invocation.failure import Failure
from reference_server.invocation.policies import DEFAULTS
from reference_server.invocation.stopwatch import Stopwatch
from reference_server.invocation.taxonomy import retryable

DEEPEST_CAUSE: Final = 5
BACK_OFF_MS: Final = 100
"""When to come back after a failure that says nothing about when."""


class Results:
    """Makes the envelope of a success or a failure."""

    def __init__(self, stopwatch: Stopwatch) -> None:
        self.stopwatch = stopwatch

    def success(self, course: Course, output: Json) -> dict[str, Json]:
        """Ok, with the output."""
        return {"status": "Ok", "output": output, **self.common(course)}

    def failure(self, course: Course, failure: Failure) -> dict[str, Json]:
        """Error or Retryable, with the error."""
        error = self.error(course, failure)
        return {"status": self.status(error), "error": error, **self.common(course)}

    def status(self, error: dict[str, Json]) -> str:
        """The status that an error has."""
        return "Retryable" if error["isRetryable"] else "Error"

    def common(self, course: Course) -> dict[str, Json]:
        """What both have."""
        return {
            "durationMs": self.duration_ms(course),
            "attempts": max(course.attempts, 1),
            "resolvedVersion": course.version,
            "policySnapshot": self.policy_snapshot(course),
            "correlationId": course.correlation_id,
            "origin": course.origin,
        }

    def duration_ms(self, course: Course) -> float:
        """Since the invocation came, in whole microseconds and rounded down: never more than the caller measures."""
        return math.floor((self.stopwatch.now() - course.started) * 1_000_000) / 1000

    def policy_snapshot(self, course: Course) -> dict[str, Json]:
        """The policies in effect, and what was removed."""
        resolved = course.definition is not None and course.version != UNRESOLVED
        policies = course.tool.policies if resolved else DEFAULTS
        snapshot = policies.snapshot(course.circuit_state, course.timeout_ms)
        if course.redactions:
            snapshot["redactions"] = list(dict.fromkeys(course.redactions))
        return snapshot

    def error(self, course: Course, failure: Failure) -> dict[str, Json]:
        """The structured error."""
        effect = None if course.definition is None else course.definition.effect
        repeat = retryable(failure.code, effect, ran=course.attempts > 0)
        details = dict(failure.details)
        if repeat:
            details.setdefault("retryAfterMs", BACK_OFF_MS)
        error: dict[str, Json] = {
            "class": failure.error_class,
            "code": failure.code,
            "message": failure.message,
            "isRetryable": repeat,
            "origin": course.origin,
        }
        if details:
            error["details"] = details
        if failure.caused_by is not None:
            error["causedBy"] = cut(failure.caused_by, DEEPEST_CAUSE)
        return error


def cut(error: dict[str, Json], depth: int) -> dict[str, Json]:
    """An error with at most so many causes, itself counted."""
    below = error.get("causedBy")
    if below is None:
        return error
    kept = {name: value for name, value in error.items() if name != "causedBy"}
    return kept if depth <= 1 else {**kept, "causedBy": cut(below, depth - 1)}
