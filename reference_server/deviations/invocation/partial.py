"""Faults that show in part of the calls: those that a relay triggers, that fail, or that bring another field."""

import asyncio
from collections.abc import Mapping
from typing import Any

from reference_server.application import Json
from reference_server.deviations.invocation.handling import Object, change_common, change_details, serve
from reference_server.deviations.registry import deviation
from reference_server.deviations.rewriting import instead
from reference_server.invocation import Invocations
from reference_server.invocation.application import RECORDS_SCOPE
from reference_server.invocation.canonical import canonical
from reference_server.invocation.course import Course
from reference_server.invocation.definition import Definition, Effect
from reference_server.invocation.failure import Failure
from reference_server.invocation.providers.local import Function
from reference_server.invocation.providers.provider import Execution

GRACE_S = 2.0
FIELDS = {"deadline", "versionRange", "idempotencyKey", "headers"}


def triggered(course: Course) -> bool:
    """Whether another invocation triggered this one."""
    return course.caller.parent_span is not None


@deviation("IR-INV-03", variant="fractions")
def numbers_are_cut_off(invocations: Invocations) -> None:
    """Where the inputSchema wants an integer, what follows the point of a number is dropped, and the tool runs."""
    validation = invocations.pipeline.validation
    original = validation.check_input

    @instead(validation, "check_input")
    def check_input(tool: Definition, given: Json) -> None:
        for name, value in given.items():
            if isinstance(value, float):
                given[name] = int(value)
        original(tool, given)


@deviation("IR-INV-03", variant="null")
def null_is_left_out(invocations: Invocations) -> None:
    """Null for a field that may be left out is taken for nothing."""
    validation = invocations.pipeline.validation
    original = validation.check_input

    @instead(validation, "check_input")
    def check_input(tool: Definition, given: Json) -> None:
        free = tool.input_schema["properties"].keys() - set(tool.input_schema.get("required", ()))
        for name in free & given.keys():
            if given[name] is None and tool.input_schema["properties"][name]:
                del given[name]
        original(tool, given)


@deviation("IR-INV-03", variant="triggered")
def what_is_triggered_is_not_validated(invocations: Invocations) -> None:
    """The input of an invocation that another one triggers is not looked at."""
    pipeline = invocations.pipeline
    original = pipeline.validate

    @instead(pipeline, "validate")
    def validate(course: Course) -> None:
        if not triggered(course):
            original(course)


@deviation("IR-SRV-01", variant="triggered-by-nobody")
def what_is_triggered_has_no_credentials(invocations: Invocations) -> None:
    """An invocation that another one triggers comes without the token of whoever began it."""
    pipeline = invocations.pipeline
    original = pipeline.authorise

    @instead(pipeline, "authorise")
    def authorise(course: Course) -> None:
        if triggered(course) and course.tool.required_scopes:
            raise Failure("Unauthenticated", "this tool needs a token")
        original(course)


@deviation("IR-INV-03", variant="with-metadata")
def a_call_with_metadata_is_not_validated(invocations: Invocations) -> None:
    """Further fields of the input are dropped where the invocation has metadata."""
    pipeline = invocations.pipeline
    original = pipeline.validate

    @instead(pipeline, "validate")
    def validate(course: Course) -> None:
        if course.given.get("metadata") and isinstance(course.given.get("input"), dict):
            known = course.tool.input_schema["properties"]
            course.given["input"] = {name: value for name, value in course.input.items() if name in known}
        original(course)


@deviation("IR-INV-05", variant="metadata")
def metadata_is_part_of_the_key(invocations: Invocations) -> None:
    """A write that is repeated with its key and other metadata takes effect again."""
    replays = invocations.pipeline.replays
    original = replays.through

    @instead(replays, "through")
    async def through(course: Course, work: Any) -> Json:
        if course.key is not None and course.tool.effect is Effect.IDEMPOTENT_WRITE:
            course.given["idempotencyKey"] = f"{course.key} {canonical(course.given.get('metadata'))}"
        return await original(course, work)


@deviation("IR-INV-06", variant="short")
def a_short_value_is_no_secret(invocations: Invocations) -> None:
    """A header that is named like a secret is served where its value is short."""
    form = invocations.pipeline.form
    original = form.check_headers

    @instead(form, "check_headers")
    def check_headers(headers: Mapping[str, Json]) -> None:
        original({name: value for name, value in headers.items() if len(str(value)) > len("short")})


@deviation("IR-INV-07", variant="grace")
def a_deadline_has_seconds_of_grace(invocations: Invocations) -> None:
    """A deadline that passed a second ago is not seen to have passed."""
    timing = invocations.pipeline.timing
    original = timing.begin

    @instead(timing, "begin")
    def begin(course: Course) -> None:
        if -GRACE_S < (timing.left_s(course) or 0) < 0:
            course.deadline = None
        original(course)


@deviation("IR-INV-08", variant="failed")
def metadata_of_failures_is_lost(invocations: Invocations) -> None:
    """The audit record of an invocation that failed has no metadata."""
    observing = invocations.pipeline.observing
    original = observing.failed

    @instead(observing, "failed")
    def failed(course: Course, status: str, failure: Failure) -> None:
        course.given.pop("metadata", None)
        original(course, status, failure)


@deviation("IR-INV-08", variant="obeyed")
def metadata_stands_in_for_fields(invocations: Invocations) -> None:
    """An entry of the metadata that is named like a field of the invocation counts where the field is absent."""
    pipeline = invocations.pipeline
    original = pipeline.resolve

    @instead(pipeline, "resolve")
    def resolve(course: Course) -> None:
        told = course.given.get("metadata")
        if isinstance(told, dict):
            course.given = {**{name: told[name] for name in FIELDS & told.keys()}, **course.given}
        original(course)


@deviation("IR-ERR-RateLimited", variant="disguised")
def metadata_names_the_tenant(invocations: Invocations) -> None:
    """Whose limits count goes by the metadata, where it names a tenant."""
    pipeline = invocations.pipeline
    original = pipeline.validate

    @instead(pipeline, "validate")
    def validate(course: Course) -> None:
        original(course)
        told = course.given.get("metadata", {}).get("tenant")
        if told is not None:
            course.given = {**course.given, "headers": {**course.given.get("headers", {}), "tenant": told}}


@deviation("IR-INV-11", variant="triggered")
def what_is_triggered_is_tried_again(invocations: Invocations) -> None:
    """A Pure tool that fails is tried twice where another invocation triggered it."""
    retrying = invocations.pipeline.retrying
    original = retrying.most

    @instead(retrying, "most")
    def most(course: Course) -> int:
        return 2 if triggered(course) and course.tool.effect is Effect.PURE else original(course)


@deviation("IR-ERR-Forbidden", variant="triggered")
def a_relay_may_do_more_than_its_caller(invocations: Invocations) -> None:
    """A tool that the caller may not invoke is invoked for them by another one."""
    pipeline = invocations.pipeline
    original = pipeline.authorise

    @instead(pipeline, "authorise")
    def authorise(course: Course) -> None:
        try:
            original(course)
        except Failure as failure:
            if failure.code != "Forbidden" or not triggered(course):
                raise


@deviation("IR-ERR-Forbidden", variant="records")
def anyone_with_a_token_reads_the_records(invocations: Invocations) -> None:
    """The records are shown to every caller with a good token."""
    authorisation = invocations.pipeline.authorisation
    original = authorisation.check

    @instead(authorisation, "check")
    def check(authorization: str | None, required: tuple[str, ...]) -> None:
        original(authorization, () if required == (RECORDS_SCOPE,) and authorization is not None else required)


@deviation("IR-ERR-Unauthenticated", variant="records")
def anyone_without_a_token_reads_the_records(invocations: Invocations) -> None:
    """The records are shown to callers without a token."""
    authorisation = invocations.pipeline.authorisation
    original = authorisation.check

    @instead(authorisation, "check")
    def check(authorization: str | None, required: tuple[str, ...]) -> None:
        original(authorization, () if required == (RECORDS_SCOPE,) and authorization is None else required)


@deviation("IR-STR-01", variant="failing")
def a_stream_that_fails_sends_nothing(invocations: Invocations) -> None:
    """A stream that is to fail sends no partials before it does."""
    executing = invocations.pipeline.executing
    original = executing.emit

    @instead(executing, "emit")
    async def emit(course: Course, data: Json) -> None:
        await asyncio.sleep(0)
        if "failAt" not in course.input:
            await original(course, data)


@deviation("IR-RED-01", variant="output")
def the_output_on_record_is_whole(invocations: Invocations) -> None:
    """The audit record has the output as the tool gave it."""
    outputs, observing = invocations.pipeline.outputs, invocations.pipeline.observing
    finished, recorded = outputs.finished, observing.finished
    given: dict[str, Json] = {}

    @instead(outputs, "finished")
    def keep(course: Course, output: object) -> Json:
        if course.tool.redaction_rules:
            given[course.id] = output
        return finished(course, output)

    @instead(observing, "finished")
    def whole(course: Course, status: str, code: str | None, output: Json) -> None:
        recorded(course, status, code, output if output is None else given.pop(course.id, output))


@deviation("IR-RED-03", variant="triggered")
def what_is_handed_on_is_not_redacted(invocations: Invocations) -> None:
    """The output of an invocation that another one triggers is handed on as the tool gave it."""
    outputs = invocations.pipeline.outputs
    original = outputs.finished

    @instead(outputs, "finished")
    def finished(course: Course, given: object) -> Json:
        whole = triggered(course) and bool(course.tool.redaction_rules)
        return outputs.serialised(given) if whole else original(course, given)


@deviation("IR-COR-02", variant="triggered-behind")
def what_is_triggered_behind_has_no_correlation(invocations: Invocations) -> None:
    """The server behind gets another correlationId with what a relay has invoked."""
    executing = invocations.pipeline.executing
    original = executing.executed

    @instead(executing, "executed")
    async def executed(course: Course, trigger: Any) -> object:
        if triggered(course) and course.tool.origin != "local":
            course.correlation_id, own = course.span_id, course.correlation_id
            try:
                return await original(course, trigger)
            finally:
                course.correlation_id = own
        return await original(course, trigger)


@deviation("IR-INV-10", variant="bad-token")
def bad_tokens_use_up_the_rate_limit(invocations: Invocations) -> None:
    """A call with a token that is not believed counts against the rate limit of the tool."""
    pipeline = invocations.pipeline
    original = pipeline.authorise

    @instead(pipeline, "authorise")
    def authorise(course: Course) -> None:
        limit = course.tool.policies.rate_limit
        try:
            original(course)
        except Failure as failure:
            if limit is not None and failure.code == "Unauthenticated" and course.caller.authorization is not None:
                pipeline.admission.rates.take(pipeline.admission.key(course), limit)
            raise


@deviation("IR-INV-11", variant="keyed")
def a_key_makes_every_tool_repeatable(invocations: Invocations) -> None:
    """Whatever is invoked with a key is tried again when it fails."""
    retrying = invocations.pipeline.retrying
    original = retrying.most

    @instead(retrying, "most")
    def most(course: Course) -> int:
        return max(original(course), 2 if course.key else 1)


@deviation("IR-ERR-Unauthenticated", variant="issuer")
def a_token_of_anybody_is_believed(invocations: Invocations) -> None:
    """Nobody looks who issued a token."""
    invocations.pipeline.authorisation.verifier.options["verify_iss"] = False


@deviation("IR-PAGE-02", variant="never-started")
def an_operation_that_never_was_has_failed(invocations: Invocations) -> None:
    """The status of an operation that nobody started is that it failed."""

    @serve(invocations, "local::kit.job_status")
    def status(original: Function) -> Function:
        async def told(execution: Execution) -> object:
            try:
                return await original(execution)
            except Failure:
                return {"operationId": execution.input["operationId"], "state": "failed"}

        return told


@deviation("IR-HINT-02", variant="another-tool")
def the_scope_names_another_tool(invocations: Invocations) -> None:
    """The throttlingScope of a RateLimited is a tool that was not invoked."""
    change_details(invocations, "RateLimited", lambda details: {**details, "throttlingScope": "local::kit.sum"})


@deviation("IR-RES-05", variant="streams")
def the_duration_of_a_stream_is_that_of_its_beginning(invocations: Invocations) -> None:
    """The durationMs of a streamed call ends with its first partial."""

    def changed(course: Course, common: Object) -> Object:
        return {**common, "durationMs": 1.0} if course.frames else common

    change_common(invocations, changed)


@deviation("IR-PAGE-02", variant="begins-late")
def an_operation_begins_when_it_should_be_over(invocations: Invocations) -> None:
    """The caller of a long operation is held for as long as it takes, and then it begins."""

    @serve(invocations, "local::kit.start_job")
    def started(original: Function) -> Function:
        async def late(execution: Execution) -> object:
            await asyncio.sleep(execution.input["ms"] / 1000)
            return await original(execution)

        return late


@deviation("IR-RES-11", variant="triggered")
def what_is_handed_on_is_not_validated(invocations: Invocations) -> None:
    """The output of an invocation that another one triggers is not judged by its outputSchema."""
    outputs = invocations.pipeline.outputs
    original = outputs.finished

    @instead(outputs, "finished")
    def finished(course: Course, given: object) -> Json:
        bad = triggered(course) and course.tool.name == "local::kit.bad_output"
        return outputs.serialised(given) if bad else original(course, given)


@deviation("IR-INV-04", variant="runs")
def a_write_without_its_key_runs_first(invocations: Invocations) -> None:
    """That the key is missing is seen when the write is done."""
    pipeline = invocations.pipeline
    form, staged = pipeline.form, pipeline.staged
    check_key = form.check_key

    @instead(form, "check_key")
    def later(_tool: Definition, _given: Mapping[str, Json]) -> None:
        return None

    @instead(pipeline, "staged")
    async def run(course: Course) -> Json:
        output = await staged(course)
        check_key(course.tool, course.given)
        return output
