"""Breaks the hints on when to come back, redaction, and that what is allowed is served."""

import math

from reference_server.application import Json
from reference_server.deviations.invocation.handling import (
    Object,
    change_details,
    change_errors,
    change_snapshot,
    without,
)
from reference_server.deviations.registry import deviation
from reference_server.deviations.rewriting import instead
from reference_server.invocation import Invocations
from reference_server.invocation.course import Course
from reference_server.invocation.definition import Definition
from reference_server.invocation.failure import Failure
from reference_server.invocation.limits.rates import Key
from reference_server.invocation.policies import CLOSED, HALF_OPEN


@deviation("IR-HINT-01")
def the_delay_is_in_seconds(invocations: Invocations) -> None:
    """The retryAfterMs of a RateLimited holds seconds."""

    def change(details: Object) -> Object:
        return {**details, "retryAfterMs": math.ceil(details["retryAfterMs"] / 1000)}

    change_details(invocations, "RateLimited", change)


@deviation("IR-HINT-02")
def the_limiter_is_not_named(invocations: Invocations) -> None:
    """No error has a throttlingScope."""

    def changed(_: Course, error: Object) -> Object:
        return {**error, "details": without(error["details"], "throttlingScope")} if "details" in error else error

    change_errors(invocations, changed)


@deviation("IR-HINT-03")
def a_circuit_that_was_probed_is_called_half_open(invocations: Invocations) -> None:
    """A circuit that was half-open once is shown as half-open for ever; it closes all the same."""
    admission = invocations.pipeline.admission
    original = admission.ask_circuit
    probed: set[Key] = set()

    @instead(admission, "ask_circuit")
    def ask_circuit(course: Course, key: Key) -> None:
        original(course, key)
        if course.circuit_state == HALF_OPEN:
            probed.add(key)
        elif course.circuit_state == CLOSED and key in probed:
            course.circuit_state = HALF_OPEN


@deviation("IR-RED-01")
def records_hold_the_input_as_it_came(invocations: Invocations) -> None:
    """Events and audit records show the whole input."""

    @instead(invocations.pipeline.observing, "recorded_input")
    def recorded_input(course: Course) -> Json:
        return course.given.get("input")

    @instead(invocations.pipeline.observing, "event_data")
    def event_data(_: Course, data: Object) -> Json:
        return data


@deviation("IR-RED-02")
def nobody_is_told_what_was_removed(invocations: Invocations) -> None:
    """The policySnapshot has no redactions."""
    change_snapshot(invocations, lambda snapshot: without(snapshot, "redactions"))


@deviation("IR-RED-02", variant="metadata")
def what_metadata_lost_is_not_listed(invocations: Invocations) -> None:
    """The redactions name nothing of the metadata, of which records mask the secrets all the same."""

    def changed(snapshot: Object) -> Object:
        named = [place for place in snapshot.get("redactions", []) if not place.startswith("/metadata/")]
        return {**without(snapshot, "redactions"), **({"redactions": named} if named else {})}

    change_snapshot(invocations, changed)


@deviation("IR-RED-03")
def outputs_are_not_redacted(invocations: Invocations) -> None:
    """An output reaches the caller whole; the fields that were to be removed are listed all the same."""
    redaction = invocations.pipeline.redaction
    original = redaction.output

    @instead(redaction, "output")
    def output(given: Json, rules: tuple[str, ...]) -> tuple[Json, list[str]]:
        return given, original(given, rules)[1]


@deviation("IR-SRV-01")
def echo_takes_nothing_beside_its_text(invocations: Invocations) -> None:
    """local::kit.echo refuses an invocation that gives extra."""
    validation = invocations.pipeline.validation
    original = validation.check_input

    @instead(validation, "check_input")
    def check_input(tool: Definition, given: Json) -> None:
        original(tool, given)
        if tool.name == "local::kit.echo" and "extra" in given:
            raise Failure("SchemaInvalid", "the input breaks its schema: additionalProperties at its root")
