"""Policies that look at more than they should, or read otherwise; what is left of calls that came to none."""

import re
from collections.abc import Mapping

from reference_server.application import Json
from reference_server.deviations.registry import deviation
from reference_server.deviations.rewriting import instead
from reference_server.invocation import Invocations
from reference_server.invocation.course import Course
from reference_server.invocation.failure import Failure
from reference_server.invocation.limits.circuits import Circuit
from reference_server.invocation.limits.rates import Key

OFFSET = re.compile(r"[+-]\d\d:\d\d\Z")


@deviation("IR-SRV-01", variant="bad-input-counts")
def bad_input_opens_the_circuit(invocations: Invocations) -> None:
    """A call whose input breaks the schema counts as a failure of the service behind the tool."""
    pipeline = invocations.pipeline
    original, circuits = pipeline.validate, pipeline.admission.circuits

    @instead(pipeline, "validate")
    def validate(course: Course) -> None:
        try:
            original(course)
        except Failure:
            key, breaker = pipeline.admission.key(course), course.tool.policies.circuit
            if breaker is not None:
                circuits.known.setdefault(key, Circuit())
                circuits.failed(key, breaker)
            raise


@deviation("IR-HINT-01", variant="refusals-count")
def refusals_count(invocations: Invocations) -> None:
    """A call that was refused for the rate limit counts in it, and the delay that is told does not say so."""
    admission = invocations.pipeline.admission
    original = admission.ask_rate

    @instead(admission, "ask_rate")
    def ask_rate(course: Course, key: Key) -> None:
        try:
            original(course, key)
        except Failure:
            limit = course.tool.policies.rate_limit
            if limit is not None:
                admission.rates.take(key, limit)
            raise


@deviation("IR-INV-07", variant="offset")
def the_offset_of_a_deadline_is_not_read(invocations: Invocations) -> None:
    """The hours of a deadline are taken for those of UTC."""
    form = invocations.pipeline.form
    original = form.deadline

    @instead(form, "deadline")
    def deadline(given: Mapping[str, Json]) -> float | None:
        text = given.get("deadline")
        return original({**given, "deadline": OFFSET.sub("Z", text)} if isinstance(text, str) else given)


@deviation("IR-RED-01", variant="refused")
def what_never_ran_is_written_as_it_came(invocations: Invocations) -> None:
    """The records of a call that was refused before its tool ran show the whole input."""
    observing = invocations.pipeline.observing
    original = observing.recorded_input

    @instead(observing, "recorded_input")
    def recorded_input(course: Course) -> Json:
        return original(course) if course.attempts else course.given.get("input")
