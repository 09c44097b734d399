"""Breaks the Result envelope."""

from uuid import uuid4

from reference_server.application import Json
from reference_server.deviations.invocation.handling import Object, change_common, change_snapshot, without
from reference_server.deviations.registry import deviation
from reference_server.deviations.rewriting import instead
from reference_server.invocation import Invocations
from reference_server.invocation.course import Course
from reference_server.invocation.definition import LOCAL, Definition
from reference_server.invocation.failure import Failure


@deviation("IR-RES-01")
def retryable_is_written_in_capitals(invocations: Invocations) -> None:
    """The status of a failure that may be repeated is RETRYABLE."""
    results = invocations.pipeline.results
    original = results.status

    @instead(results, "status")
    def status(error: Object) -> str:
        found = original(error)
        return "RETRYABLE" if found == "Retryable" else found


@deviation("IR-RES-02")
def a_success_has_an_empty_error(invocations: Invocations) -> None:
    """A Result with status Ok has the error null beside its output."""
    results = invocations.pipeline.results
    original = results.success

    @instead(results, "success")
    def success(course: Course, output: Json) -> Object:
        return {**original(course, output), "error": None}


@deviation("IR-RES-03")
def a_failure_has_an_empty_output(invocations: Invocations) -> None:
    """A Result that is a failure has an empty output beside its error."""
    results = invocations.pipeline.results
    original = results.failure

    @instead(results, "failure")
    def failure(course: Course, failed: Failure) -> Object:
        return {**original(course, failed), "output": {}}


@deviation("IR-RES-04")
def a_timeout_is_an_error_that_is_retryable(invocations: Invocations) -> None:
    """A Timeout has the status Error, also where its isRetryable is true."""
    results = invocations.pipeline.results
    original = results.status

    @instead(results, "status")
    def status(error: Object) -> str:
        return "Error" if error["code"] == "Timeout" else original(error)


@deviation("IR-RES-05")
def the_duration_is_in_seconds(invocations: Invocations) -> None:
    """The durationMs of a Result holds seconds."""
    results = invocations.pipeline.results
    original = results.duration_ms

    @instead(results, "duration_ms")
    def duration_ms(course: Course) -> float:
        return original(course) / 1000


@deviation("IR-RES-06")
def a_refused_invocation_has_no_attempts(invocations: Invocations) -> None:
    """The field attempts counts executions: it is 0 where the tool did not run."""
    change_common(invocations, lambda course, common: {**common, "attempts": course.attempts})


@deviation("IR-RES-07")
def the_range_is_echoed(invocations: Invocations) -> None:
    """The resolvedVersion is the versionRange of the invocation, where it has one and it was resolved."""

    def changed(course: Course, common: Object) -> Object:
        if course.definition is None or course.version not in course.definition.versions:
            return common
        return {**common, "resolvedVersion": course.given.get("versionRange") or course.version}

    change_common(invocations, changed)


@deviation("IR-RES-08")
def the_snapshot_says_nothing_of_retries(invocations: Invocations) -> None:
    """The policySnapshot has no retry."""
    change_snapshot(invocations, lambda snapshot: without(snapshot, "retry"))


@deviation("IR-RES-09")
def the_result_has_a_correlation_of_its_own(invocations: Invocations) -> None:
    """The Result carries a new correlationId."""
    change_common(invocations, lambda _, common: {**common, "correlationId": uuid4().hex})


@deviation("IR-RES-10")
def everything_is_local(invocations: Invocations) -> None:
    """The origin of every Result is local."""
    change_common(invocations, lambda _, common: {**common, "origin": LOCAL})


@deviation("IR-RES-11")
def outputs_are_not_validated(invocations: Invocations) -> None:
    """An output that breaks the tool's outputSchema is given as it is."""

    @instead(invocations.pipeline.validation, "check_output")
    def check_output(_tool: Definition, _output: Json) -> None:
        return None
