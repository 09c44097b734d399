"""Breaks what comes before the execution: names, versions, input, keys, headers, deadlines, metadata, order."""

import dataclasses
from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from semantic_version import NpmSpec, Version

from reference_server.application import Json
from reference_server.deviations.registry import deviation
from reference_server.deviations.rewriting import instead
from reference_server.invocation import Invocations
from reference_server.invocation.course import Course
from reference_server.invocation.definition import Definition, Effect
from reference_server.invocation.failure import Failure

PACK: Final = "local::"


@deviation("IR-INV-01")
def short_names_are_understood(invocations: Invocations) -> None:
    """A toolName without its origin is taken for the local tool of that name."""
    form, registry = invocations.pipeline.form, invocations.pipeline.registry
    check_name, find = form.check_name, registry.find

    def whole(name: Json) -> Json:
        return f"{PACK}{name}" if isinstance(name, str) and "::" not in name else name

    @instead(form, "check_name")
    def checked(given: Mapping[str, Json]) -> None:
        check_name({name: whole(value) if name == "toolName" else value for name, value in given.items()})

    @instead(registry, "find")
    def found(name: str) -> Definition:
        return find(whole(name))


@deviation("IR-INV-02")
def a_caret_is_taken_for_at_least(invocations: Invocations) -> None:
    """The range ^1.0.0 takes the highest version from 1.0.0 on, whatever its major number."""
    registry = invocations.pipeline.registry
    original = registry.resolve

    @instead(registry, "resolve")
    def resolve(tool: Definition, wanted: Json) -> str:
        version = original(tool, wanted)
        if not isinstance(wanted, str) or not wanted.startswith("^"):
            return version
        chosen = NpmSpec(f">={wanted[1:]}").select(map(Version, tool.versions))
        return str(chosen)


@deviation("IR-INV-03")
def anything_is_turned_into_a_text(invocations: Invocations) -> None:
    """Whatever the input holds where the inputSchema wants a string is turned into one, and the tool runs."""
    validation = invocations.pipeline.validation
    original = validation.check_input

    @instead(validation, "check_input")
    def check_input(tool: Definition, given: Json) -> None:
        for name, schema in tool.input_schema.get("properties", {}).items():
            if schema.get("type") == "string" and name in given:
                given[name] = str(given[name])
        original(tool, given)


@deviation("IR-INV-04")
def a_write_needs_no_key(invocations: Invocations) -> None:
    """An IdempotentWrite runs without an idempotencyKey."""

    @instead(invocations.pipeline.form, "check_key")
    def check_key(_tool: Definition, _given: Mapping[str, Json]) -> None:
        return None


@deviation("IR-INV-05")
def a_repeated_write_runs_again(invocations: Invocations) -> None:
    """The idempotencyKey is required and then forgotten: each invocation with it takes effect."""

    @instead(invocations.pipeline.replays, "through")
    async def through(_: Course, work: Callable[[], Awaitable[Json]]) -> Json:
        return await work()


@deviation("IR-INV-06")
def headers_may_hold_secrets(invocations: Invocations) -> None:
    """An invocation with a header that is named like a secret is served like any other."""

    @instead(invocations.pipeline.form, "check_headers")
    def check_headers(_: Mapping[str, Json]) -> None:
        return None


@deviation("IR-INV-07")
def a_past_deadline_is_overlooked(invocations: Invocations) -> None:
    """A deadline that has passed already is taken for none."""
    timing = invocations.pipeline.timing
    original = timing.begin

    @instead(timing, "begin")
    def begin(course: Course) -> None:
        if (timing.left_s(course) or 0) <= 0:
            course.deadline = None
        original(course)


@deviation("IR-INV-08")
def metadata_is_not_recorded(invocations: Invocations) -> None:
    """The audit record has no metadata."""
    observing = invocations.pipeline.observing
    original = observing.finished

    @instead(observing, "finished")
    def finished(course: Course, status: str, code: str | None, output: Json) -> None:
        given = {name: value for name, value in course.given.items() if name != "metadata"}
        original(dataclasses.replace(course, given=given), status, code, output)


@deviation("IR-INV-09")
def rights_are_asked_before_the_input(invocations: Invocations) -> None:
    """Authorisation comes before the input schema: a stranger with a bad input is told about the credentials."""
    pipeline = invocations.pipeline
    original = pipeline.validate

    @instead(pipeline, "validate")
    def validate(course: Course) -> None:
        pipeline.authorise(course)
        original(course)


@deviation("IR-INV-10")
def strangers_use_up_the_rate_limit(invocations: Invocations) -> None:
    """An invocation that is not authorised counts against the rate limit of the tool."""
    pipeline = invocations.pipeline
    original = pipeline.authorise

    @instead(pipeline, "authorise")
    def authorise(course: Course) -> None:
        try:
            original(course)
        except Failure:
            limit = course.tool.policies.rate_limit
            if limit is not None:
                pipeline.admission.rates.take(pipeline.admission.key(course), limit)
            raise


@deviation("IR-INV-11")
def appending_is_tried_twice(invocations: Invocations) -> None:
    """A NonIdempotentWrite that fails is tried once more by the runtime."""
    retrying = invocations.pipeline.retrying
    original = retrying.most

    @instead(retrying, "most")
    def most(course: Course) -> int:
        return 2 if course.tool.effect is Effect.NON_IDEMPOTENT_WRITE else original(course)
