"""The way of an invocation: resolve, validate, authorise, policies, execution, output; then it is told and recorded."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from uuid import uuid4

from reference_server.application import Json
from reference_server.conditions import Clock
from reference_server.invocation.authorisation import Authorisation
from reference_server.invocation.caching import Cache
from reference_server.invocation.course import Caller, Course
from reference_server.invocation.definition import Effect
from reference_server.invocation.executing import CANCELLED, Executing
from reference_server.invocation.failure import Failure
from reference_server.invocation.form import Form
from reference_server.invocation.limits.admission import Admission
from reference_server.invocation.observing import Observing
from reference_server.invocation.outputs import Outputs
from reference_server.invocation.redaction import Redaction
from reference_server.invocation.registry import Registry
from reference_server.invocation.replaying import Replays
from reference_server.invocation.results import Results
from reference_server.invocation.retrying import Retrying
from reference_server.invocation.stopwatch import Stopwatch
from reference_server.invocation.timing import Timing
from reference_server.invocation.validation import Validation

SPAN_ID_LENGTH = 16
SERVICE_FAILURES = frozenset({"Timeout", "DownstreamFailed", "Unhandled"})
"""What says of the service behind a tool that it is not well."""


class Pipeline:
    """Its parts are the stages. Each may be replaced on one instance: that is where deviations act."""

    def __init__(  # noqa: PLR0913 -- a part for each stage
        self,
        *,
        stopwatch: Stopwatch,
        clock: Clock,
        form: Form,
        registry: Registry,
        validation: Validation,
        authorisation: Authorisation,
        timing: Timing,
        admission: Admission,
        replays: Replays,
        cache: Cache,
        retrying: Retrying,
        executing: Executing,
        outputs: Outputs,
        redaction: Redaction,
        observing: Observing,
        results: Results,
    ) -> None:
        self.stopwatch = stopwatch
        self.clock = clock
        self.form = form
        self.registry = registry
        self.validation = validation
        self.authorisation = authorisation
        self.timing = timing
        self.admission = admission
        self.replays = replays
        self.cache = cache
        self.retrying = retrying
        self.executing = executing
        self.outputs = outputs
        self.redaction = redaction
        self.observing = observing
        self.results = results

    async def invoke(self, given: Mapping[str, Json], caller: Caller) -> dict[str, Json]:
        """The Result of an invocation."""
        course = self.opened(dict(given), caller)
        try:
            output = await self.staged(course)
        except Failure as failure:
            self.redact(course)
            result = self.results.failure(course, failure)
            self.observing.failed(course, result["status"], failure)
            return result
        except asyncio.CancelledError:
            self.observing.finished(course, "Error", CANCELLED, None)
            raise
        self.redact(course)
        result = self.results.success(course, output)
        self.observing.succeeded(course, result)
        return result

    def opened(self, given: dict[str, Json], caller: Caller) -> Course:
        """The invocation, with the ids that it is followed by."""
        name = given.get("toolName")
        return Course(
            id=uuid4().hex,
            given=given,
            caller=caller,
            tool_name=name if isinstance(name, str) else "",
            correlation_id=self.correlation_id(given),
            causation_id=_text(given.get("causationId")),
            span_id=uuid4().hex[:SPAN_ID_LENGTH],
            started=self.stopwatch.now(),
            at=self.clock.now(),
        )

    def correlation_id(self, given: Mapping[str, Json]) -> str:
        """The invocation's, or a new one."""
        return _text(given.get("correlationId")) or uuid4().hex

    def redact(self, course: Course) -> None:
        """Notes what records leave out of what came in, beside what the output lost."""
        rules = () if course.definition is None else course.definition.redaction_rules
        removed = self.redaction.recorded_input(course.given.get("input"), rules)[1]
        removed += self.redaction.recorded("metadata", course.given.get("metadata"))[1]
        course.redactions[:0] = removed

    async def staged(self, course: Course) -> Json:
        """The output, stage by stage. Raises the failure of the first stage that fails."""
        self.resolve(course)
        self.validate(course)
        self.authorise(course)
        self.observing.invoked(course)
        self.timing.begin(course)
        return await self.replays.through(course, lambda: self.policed(course))

    def resolve(self, course: Course) -> None:
        """Raises SchemaInvalid, MissingField, ToolNotFound or UnsupportedVersion."""
        self.form.check_name(course.given)
        course.definition = self.registry.find(course.given["toolName"])
        course.version = self.registry.resolve(course.definition, course.given.get("versionRange"))

    def validate(self, course: Course) -> None:
        """Raises MissingField or SchemaInvalid."""
        self.form.check(course.given)
        course.deadline = self.form.deadline(course.given)
        self.validation.check_input(course.tool, course.input)
        self.form.check_key(course.tool, course.given)

    def authorise(self, course: Course) -> None:
        """Raises Unauthenticated or Forbidden."""
        self.authorisation.check(course.caller.authorization, course.tool.required_scopes)

    async def policed(self, course: Course) -> Json:
        """The output, under the policies of the tool."""
        self.admission.enter(course)
        failure: Failure | None = None
        judged = False
        try:
            output = await self.cache.through(course, lambda: self.executed(course))
            judged = True
        except Failure as failed:
            failure, judged = failed, failed.code in SERVICE_FAILURES
            raise
        finally:
            self.admission.leave(course, failure, judged=judged)
        return output

    async def executed(self, course: Course) -> Json:
        """The output of the tool, tried as often as its policy says, finished for the caller."""
        given = await self.retrying.run(course, lambda: self.executing.attempt(course, self.trigger))
        return self.outputs.finished(course, given)

    async def trigger(self, cause: Course, tool: str, given: dict[str, Json]) -> dict[str, Json]:
        """The Result of an invocation that another one triggers."""
        invocation: dict[str, Json] = {"toolName": tool, "input": given, **self.inherited(cause)}
        definition = self.registry.definitions.get(tool)
        if definition is not None and definition.effect is Effect.IDEMPOTENT_WRITE:
            invocation["idempotencyKey"] = uuid4().hex
        return await self.invoke(invocation, replace(cause.caller, stream=None, parent_span=cause.span_id))

    def inherited(self, cause: Course) -> dict[str, Json]:
        """What an invocation passes on to those that it triggers."""
        passed: dict[str, Json] = {name: cause.given[name] for name in ("headers", "deadline") if name in cause.given}
        return {**passed, "correlationId": cause.correlation_id, "causationId": cause.id}


def _text(value: Json) -> str | None:
    return value if isinstance(value, str) and value else None
