"""Lets a provider execute a tool: one attempt, in the time that it has."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping

from reference_server.application import Json
from reference_server.invocation.course import Course
from reference_server.invocation.failure import Failure
from reference_server.invocation.observing import Observing
from reference_server.invocation.providers.provider import Execution, Provider
from reference_server.invocation.redaction import Redaction
from reference_server.invocation.timing import Timing

Trigger = Callable[[Course, str, dict[str, Json]], Awaitable[dict[str, Json]]]
"""Invokes another tool on behalf of an invocation: its name, its input; gives the Result."""

OK = "Ok"
CANCELLED = "Cancelled"


class Executing:
    """Knows the providers by their origin."""

    def __init__(
        self, providers: Mapping[str, Provider], timing: Timing, observing: Observing, redaction: Redaction
    ) -> None:
        self.providers = dict(providers)
        self.timing = timing
        self.observing = observing
        self.redaction = redaction

    async def attempt(self, course: Course, trigger: Trigger) -> object:
        """What the tool gave. Raises the failure that it ended with: Timeout, one of the provider's, or Unhandled."""
        course.attempts += 1
        execution = self.observing.began(course)
        outcome = CANCELLED
        try:
            given = await self.timing.bounded(course, self.executed(course, trigger))
            outcome = OK
        except Failure as failure:
            outcome = failure.code
            raise
        finally:
            self.observing.ended(execution, outcome)
        return given

    async def executed(self, course: Course, trigger: Trigger) -> object:
        """What the provider gives. Any error of the tool's own is Unhandled; what it says is for nobody outside."""
        provider = self.providers[course.tool.origin]

        async def emit(data: Json) -> None:
            await self.emit(course, data)

        async def invoke(tool: str, given: dict[str, Json]) -> dict[str, Json]:
            return await trigger(course, tool, given)

        execution = Execution(
            tool=course.tool.name,
            version=course.version,
            input=course.input,
            tenant=course.tenant,
            correlation_id=course.correlation_id,
            emit=emit,
            invoke=invoke,
        )
        try:
            return await provider.execute(execution)
        except (Failure, asyncio.CancelledError):
            raise
        except Exception as fault:
            raise self.unhandled(fault) from fault

    def unhandled(self, fault: Exception) -> Failure:
        """The failure of a tool that faulted."""
        del fault  # its text may hold anything
        return Failure("Unhandled", "the tool faulted unexpectedly")

    async def emit(self, course: Course, data: Json) -> None:
        """Sends a partial result, where the caller asked for a stream."""
        if course.caller.stream is None:
            return
        course.frames += 1
        await course.caller.stream(self.frame(course, self.redaction.recorded("data", data)[0]))

    def frame(self, course: Course, data: Json) -> dict[str, Json]:
        """A frame of the stream."""
        return {
            "correlationId": course.correlation_id,
            "sequence": course.frames,
            "event": "partial",
            "data": data,
        }
