"""Other typical forms of a fault: each breaks a requirement that another deviation breaks in another way."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

from semantic_version import Version

from reference_server.application import Json
from reference_server.deviations.invocation.handling import Object, change_common, change_snapshot, serve, without
from reference_server.deviations.registry import deviation
from reference_server.deviations.rewriting import instead
from reference_server.invocation import Invocations
from reference_server.invocation.canonical import canonical
from reference_server.invocation.course import Course
from reference_server.invocation.definition import Definition
from reference_server.invocation.failure import Failure
from reference_server.invocation.limits.rates import Key
from reference_server.invocation.policies import CircuitBreaker, RateLimit
from reference_server.invocation.providers.local import Function
from reference_server.invocation.providers.provider import Execution


@deviation("IR-INV-02", variant="pre-release")
def a_pre_release_is_the_highest_version(invocations: Invocations) -> None:
    """Without a range the highest version is taken, a pre-release among them."""
    registry = invocations.pipeline.registry
    original = registry.resolve

    @instead(registry, "resolve")
    def resolve(tool: Definition, wanted: Json) -> str:
        return max(tool.versions, key=Version) if wanted is None else original(tool, wanted)


@deviation("IR-INV-03", variant="unknown-fields")
def unknown_fields_are_ignored(invocations: Invocations) -> None:
    """Fields that the inputSchema does not know are dropped, and the tool runs."""
    validation = invocations.pipeline.validation
    original = validation.check_input

    @instead(validation, "check_input")
    def check_input(tool: Definition, given: Json) -> None:
        for name in given.keys() - tool.input_schema["properties"].keys():
            del given[name]
        original(tool, given)


@deviation("IR-INV-03", variant="spelled-out")
def numbers_are_read_from_texts(invocations: Invocations) -> None:
    """A text that spells out the number that the inputSchema wants is taken for it, and the tool runs."""
    validation = invocations.pipeline.validation
    original = validation.check_input

    @instead(validation, "check_input")
    def check_input(tool: Definition, given: Json) -> None:
        for name, schema in tool.input_schema["properties"].items():
            text = given.get(name)
            if schema.get("type") in ("integer", "number") and isinstance(text, str) and text.isdecimal():
                given[name] = int(text)
        original(tool, given)


@deviation("IR-INV-05", variant="at-once")
def a_key_is_known_when_its_write_is_done(invocations: Invocations) -> None:
    """A key is remembered when the write has ended: repeated at once, it takes effect twice."""
    replays = invocations.pipeline.replays
    first = replays.first

    @instead(replays, "first")
    async def late(course: Course, place: tuple[str, str], use: Any, work: Callable[[], Awaitable[Json]]) -> Json:
        await asyncio.sleep(0)
        output = await work()

        async def done() -> Json:
            return output

        return await first(course, place, use, done)


@deviation("IR-INV-07", variant="lengthens")
def a_far_deadline_is_the_timeout(invocations: Invocations) -> None:
    """A deadline beyond the policy's timeout stands in its place."""
    timing = invocations.pipeline.timing
    original = timing.limit_s

    @instead(timing, "limit_s")
    def limit_s(course: Course) -> float:
        return timing.left_s(course) or original(course)


@deviation("IR-RES-05", variant="last-attempt")
def the_duration_is_that_of_the_last_attempt(invocations: Invocations) -> None:
    """The durationMs of a Result leaves out failed attempts and the waits between them."""
    executing = invocations.pipeline.executing
    began: dict[str, float] = {}
    stopwatch, attempt = invocations.pipeline.stopwatch, executing.attempt

    @instead(executing, "attempt")
    async def attempted(course: Course, trigger: Any) -> object:
        began[course.id] = stopwatch.now()
        return await attempt(course, trigger)

    def changed(course: Course, common: Object) -> Object:
        since = began.pop(course.id, course.started)
        return {**common, "durationMs": max((stopwatch.now() - since) * 1000 - 1, 0)}

    change_common(invocations, changed)


@deviation("IR-ERR-RateLimited", variant="fixed-window")
def the_window_of_the_rate_limit_is_fixed(invocations: Invocations) -> None:
    """The rate limit counts anew at the end of each window: around it twice as many pass."""
    rates = invocations.pipeline.admission.rates
    windows: dict[Key, int] = {}

    @instead(rates, "counted")
    def counted(key: Key, limit: RateLimit) -> deque[float]:
        window = int(rates.stopwatch.now() * 1000 / limit.window_ms)
        if windows.get(key) != window:
            windows[key] = window
            rates.admitted[key] = deque()
        return rates.admitted.setdefault(key, deque())

    @instead(rates, "wait_s")
    def wait_s(key: Key, limit: RateLimit) -> float:
        if len(counted(key, limit)) < limit.calls:
            return 0.0
        return (windows[key] + 1) * limit.window_ms / 1000 - rates.stopwatch.now()


@deviation("IR-ERR-RateLimited", variant="window-of-the-first-call")
def the_window_begins_with_a_call(invocations: Invocations) -> None:
    """A window begins with the first call after the last one, and all that it counted is forgotten at its end."""
    rates = invocations.pipeline.admission.rates

    @instead(rates, "counted")
    def counted(key: Key, limit: RateLimit) -> deque[float]:
        admitted = rates.admitted.setdefault(key, deque())
        if admitted and admitted[0] <= rates.stopwatch.now() - limit.window_ms / 1000:
            admitted.clear()
        return admitted


@deviation("IR-INV-09", variant="limited-all-the-same")
def what_is_limited_runs_all_the_same(invocations: Invocations) -> None:
    """A tool beyond its rate limit runs first, of which there is no record, and RateLimited is answered then."""
    pipeline = invocations.pipeline
    original = pipeline.policed

    @instead(pipeline, "policed")
    async def policed(course: Course) -> Json:
        try:
            return await original(course)
        except Failure as failure:
            if failure.code == "RateLimited":
                await pipeline.executing.executed(course, pipeline.trigger)
            raise


@deviation("IR-RES-08", variant="circuit-always-closed")
def every_circuit_is_shown_as_closed(invocations: Invocations) -> None:
    """The policySnapshot shows the circuit as it was configured, also where it is open."""
    change_snapshot(invocations, lambda snapshot: {**snapshot, "circuitState": "closed"})


@deviation("IR-ERR-Unauthenticated", variant="another-audience")
def a_token_for_anybody_is_believed(invocations: Invocations) -> None:
    """Nobody looks for whom a token is."""
    invocations.pipeline.authorisation.verifier.options["verify_aud"] = False


@deviation("IR-ERR-Unauthenticated", variant="bad-token")
def a_bad_token_is_none(invocations: Invocations) -> None:
    """A token that is not believed is taken for none: tools that require no scope run."""
    authorisation = invocations.pipeline.authorisation
    original = authorisation.scopes

    @instead(authorisation, "scopes")
    def scopes(authorization: str | None) -> frozenset[str] | None:
        try:
            return original(authorization)
        except Failure:
            return None


@deviation("IR-STR-02", variant="correlation")
def frames_have_no_correlation(invocations: Invocations) -> None:
    """The frames of a stream carry no correlationId."""
    executing = invocations.pipeline.executing
    original = executing.frame

    @instead(executing, "frame")
    def frame(course: Course, data: Json) -> Object:
        return without(original(course, data), "correlationId")


@deviation("IR-COR-02", variant="triggered")
def triggered_invocations_have_a_correlation_of_their_own(invocations: Invocations) -> None:
    """An invocation that another one triggers gets a new correlationId."""
    pipeline = invocations.pipeline
    original = pipeline.inherited

    @instead(pipeline, "inherited")
    def inherited(cause: Course) -> Object:
        return without(original(cause), "correlationId")


@deviation("IR-STR-01", variant="at-the-end")
def partials_come_at_the_end(invocations: Invocations) -> None:
    """Partial results are kept back until the tool has ended, then sent all at once."""
    executing = invocations.pipeline.executing
    emit, executed = executing.emit, executing.executed
    kept: dict[str, list[Json]] = {}

    @instead(executing, "emit")
    async def keep(course: Course, data: Json) -> None:
        kept.setdefault(course.id, []).append(data)

    @instead(executing, "executed")
    async def then_send(course: Course, trigger: Any) -> object:
        try:
            return await executed(course, trigger)
        finally:
            for data in kept.pop(course.id, ()):
                await emit(course, data)


@deviation("IR-CACHE-02", variant="order")
def the_cache_minds_the_order_of_fields(invocations: Invocations) -> None:
    """An input with its fields in another order is executed again."""

    @instead(invocations.pipeline.cache, "key")
    def key(course: Course) -> tuple[str, ...]:
        return course.tool.name, course.version, *course.input, canonical(course.input)


@deviation("IR-PAGE-01", variant="endless")
def the_last_page_names_another(invocations: Invocations) -> None:
    """The last page has a nextToken, which begins anew."""

    @serve(invocations, "local::kit.list")
    def listed(original: Function) -> Function:
        first: list[str] = []

        async def page(execution: Execution) -> object:
            found: Json = await original(execution)
            if "nextToken" in found:
                first.append(found["nextToken"])
            return found if "nextToken" in found or not first else {**found, "nextToken": first[0]}

        return page


@deviation("IR-HINT-03", variant="never-half-open")
def an_open_circuit_stays_open(invocations: Invocations) -> None:
    """A circuit that has opened is never probed."""
    circuits = invocations.pipeline.admission.circuits

    @instead(circuits, "wait_s")
    def wait_s(_key: Key, breaker: CircuitBreaker) -> float:
        return breaker.reset_ms / 1000


@deviation("IR-RED-01", variant="events")
def events_show_the_input_as_it_came(invocations: Invocations) -> None:
    """Audit records are redacted, events are not."""
    observing = invocations.pipeline.observing
    original = observing.event_data

    @instead(observing, "event_data")
    def event_data(course: Course, data: Object) -> Json:
        return {**data, "input": course.given.get("input")} if "input" in data else original(course, data)


@deviation("IR-RED-01", variant="deep")
def only_the_outermost_fields_are_masked(invocations: Invocations) -> None:
    """Fields that are named like secrets are masked at the top of an input, and not below."""
    redaction = invocations.pipeline.redaction
    original = redaction.masked

    @instead(redaction, "masked")
    def masked(place: str, value: Json, paths: list[tuple[str | int, ...]]) -> tuple[Json, list[str]]:
        found, pointers = original(place, value, paths)
        if isinstance(found, dict) and isinstance(value, dict):
            found = {
                name: value[name] if isinstance(value[name], dict | list) else each for name, each in found.items()
            }
        return found, pointers


@deviation("IR-RED-03", variant="lists")
def the_items_of_lists_are_not_redacted(invocations: Invocations) -> None:
    """A redaction rule that goes through a list removes nothing."""
    redaction = invocations.pipeline.redaction
    original = redaction.output

    @instead(redaction, "output")
    def output(given: Json, rules: tuple[str, ...]) -> tuple[Json, list[str]]:
        return original(given, [rule for rule in rules if "*" not in rule])
