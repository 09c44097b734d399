"""Breaks streams, caches, pages and long operations."""

import asyncio

from reference_server.application import Json
from reference_server.deviations.invocation.handling import Object, serve
from reference_server.deviations.registry import deviation
from reference_server.deviations.rewriting import instead
from reference_server.invocation import Invocations
from reference_server.invocation.canonical import canonical
from reference_server.invocation.course import Course
from reference_server.invocation.failure import Failure
from reference_server.invocation.providers.local import Function
from reference_server.invocation.providers.provider import Execution

NOTIFY = "local::kit.notify"


@deviation("IR-STR-01")
def partials_are_kept_back(invocations: Invocations) -> None:
    """No partial result is sent while the invocation runs."""

    @instead(invocations.pipeline.executing, "emit")
    async def emit(_course: Course, _data: Json) -> None:
        return None


@deviation("IR-STR-02")
def every_frame_is_the_first(invocations: Invocations) -> None:
    """The sequence of every frame is 1."""
    executing = invocations.pipeline.executing
    original = executing.frame

    @instead(executing, "frame")
    def frame(course: Course, data: Json) -> Object:
        return {**original(course, data), "sequence": 1}


@deviation("IR-STR-03")
def a_stream_that_breaks_off_succeeds(invocations: Invocations) -> None:
    """A stream that fails midway is answered Ok, with the frames so far."""

    @serve(invocations, "local::kit.stream")
    def stream(original: Function) -> Function:
        async def streamed(execution: Execution) -> object:
            try:
                return await original(execution)
            except Failure:
                return {"frames": max(execution.input["failAt"] - 1, 0)}

        return streamed


@deviation("IR-CACHE-01")
def notifications_are_cached(invocations: Invocations) -> None:
    """A notification that equals an earlier one is answered from the cache, and not delivered."""
    cache = invocations.pipeline.cache
    original = cache.keeps

    @instead(cache, "keeps")
    def keeps(course: Course) -> bool:
        return course.tool.name == NOTIFY or original(course)


@deviation("IR-CACHE-02")
def the_cache_knows_no_versions(invocations: Invocations) -> None:
    """An output that one version gave is given for every other one."""

    @instead(invocations.pipeline.cache, "key")
    def key(course: Course) -> tuple[str, ...]:
        return course.tool.name, canonical(course.input)


@deviation("IR-CACHE-03")
def the_audit_tells_what_was_cached(invocations: Invocations) -> None:
    """Audit records tell whether the output came from the cache, though that is not allowed."""
    invocations.pipeline.observing.cache_in_logs = True


@deviation("IR-PAGE-01")
def pages_lose_their_last_item(invocations: Invocations) -> None:
    """A page that another one follows lacks its last item, and no page begins with it."""

    @serve(invocations, "local::kit.list")
    def listed(original: Function) -> Function:
        async def page(execution: Execution) -> object:
            found: Json = await original(execution)
            return {**found, "items": found["items"][:-1]} if "nextToken" in found else found

        return page


@deviation("IR-PAGE-02")
def a_job_is_waited_for(invocations: Invocations) -> None:
    """The tool that starts a job answers when the job is over."""

    @serve(invocations, "local::kit.start_job")
    def started(original: Function) -> Function:
        async def start(execution: Execution) -> object:
            answer = await original(execution)
            await asyncio.sleep(execution.input["ms"] / 1000)
            return answer

        return start
