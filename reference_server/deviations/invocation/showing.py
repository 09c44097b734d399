"""What is registered and recorded, shown otherwise than it is."""

import unicodedata
from collections.abc import Awaitable, Callable

from reference_server.application import Json
from reference_server.deviations.invocation.handling import Object, without
from reference_server.deviations.registry import deviation
from reference_server.deviations.rewriting import instead
from reference_server.invocation import Invocations
from reference_server.invocation.canonical import canonical
from reference_server.invocation.course import Course
from reference_server.invocation.failure import Failure

Entries = list[Object]


def _change_reading(invocations: Invocations, changed: Callable[[Entries], Entries]) -> None:
    ledger = invocations.ledger
    original = ledger.read

    @instead(ledger, "read")
    def read(kind: str, correlation_id: str | None = None, tool: str | None = None) -> Entries:
        return changed(original(kind, correlation_id, tool))


def _change_description(invocations: Invocations, changed: Callable[[Entries], Entries]) -> None:
    original = invocations.described

    @instead(invocations, "described")
    def described(request: Json) -> Object:
        return {"tools": changed(original(request)["tools"])}


def _without_filter(invocations: Invocations, *, correlation: bool, tool: bool) -> None:
    ledger = invocations.ledger
    original = ledger.read

    @instead(ledger, "read")
    def read(kind: str, correlation_id: str | None = None, named: str | None = None) -> Entries:
        return original(kind, correlation_id if correlation else None, named if tool else None)


@deviation("IR-SRV-01", variant="correlation-filter")
def records_of_every_correlation_are_shown(invocations: Invocations) -> None:
    """read_records does not look at correlationId."""
    _without_filter(invocations, correlation=False, tool=True)


@deviation("IR-SRV-01", variant="tool-filter")
def records_of_every_tool_are_shown(invocations: Invocations) -> None:
    """read_records does not look at tool."""
    _without_filter(invocations, correlation=True, tool=False)


@deviation("IR-SRV-01", variant="both-filters")
def two_filters_find_nothing(invocations: Invocations) -> None:
    """read_records gives nothing where both a correlation and a tool are named."""
    ledger = invocations.ledger
    original = ledger.read

    @instead(ledger, "read")
    def read(kind: str, correlation_id: str | None = None, tool: str | None = None) -> Entries:
        return [] if correlation_id is not None and tool is not None else original(kind, correlation_id, tool)


@deviation("IR-SRV-01", variant="newest-first")
def the_newest_record_comes_first(invocations: Invocations) -> None:
    """read_records gives the records in the opposite order."""
    _change_reading(invocations, lambda shown: shown[::-1])


@deviation("IR-SRV-01", variant="twice")
def records_are_shown_twice(invocations: Invocations) -> None:
    """read_records gives each record twice."""
    _change_reading(invocations, lambda shown: [each for record in shown for each in (record, record)])


@deviation("IR-SRV-01", variant="written-twice")
def the_ledger_is_written_twice(invocations: Invocations) -> None:
    """An invocation has two entries in the audit ledger."""
    ledger = invocations.ledger
    original = ledger.write

    @instead(ledger, "write")
    def write(kind: str, common: Object, content: Object) -> Object:
        if kind == "audit":
            original(kind, common, content)
        return original(kind, common, content)


@deviation("IR-SRV-01", variant="audit-code")
def the_ledger_knows_one_code(invocations: Invocations) -> None:
    """Each failure stands in the audit ledger as Unhandled."""
    _change_reading(
        invocations, lambda shown: [{**each, "code": "Unhandled"} if "code" in each else each for each in shown]
    )


@deviation("IR-SRV-01", variant="not-described")
def a_tool_is_not_described(invocations: Invocations) -> None:
    """describe_tools leaves a tool out."""
    _change_description(invocations, lambda shown: [each for each in shown if each["name"] != "local::kit.notify"])


@deviation("IR-SRV-01", variant="other-effect")
def an_effect_is_described_wrongly(invocations: Invocations) -> None:
    """describe_tools calls local::kit.append Pure."""
    _change_description(
        invocations,
        lambda shown: [{**each, "effect": "Pure"} if each["name"] == "local::kit.append" else each for each in shown],
    )


@deviation("IR-INV-03", variant="described")
def a_schema_is_described_wrongly(invocations: Invocations) -> None:
    """The inputSchema of local::kit.echo that describe_tools shows allows three characters, and the tool takes more."""
    schema = {"type": "object", "properties": {"text": {"type": "string", "maxLength": 3}}}
    _change_description(
        invocations,
        lambda shown: [{**each, "inputSchema": schema} if each["name"].endswith("t.echo") else each for each in shown],
    )


@deviation("IR-RES-07", variant="refused")
def refusals_have_no_version(invocations: Invocations) -> None:
    """A failure has no resolvedVersion."""
    results = invocations.pipeline.results
    original = results.failure

    @instead(results, "failure")
    def failure(course: Course, failed: Failure) -> Object:
        return without(original(course, failed), "resolvedVersion")


@deviation("IR-COR-03", variant="events")
def events_have_no_cause(invocations: Invocations) -> None:
    """Events have no causationId."""
    _change_reading(
        invocations, lambda shown: [without(each, "causationId") if each["kind"] == "event" else each for each in shown]
    )


def _near_keys(invocations: Invocations, changed: Callable[[str], str]) -> None:
    """Keys that are alike after a change are one."""
    replays = invocations.pipeline.replays
    original = replays.through

    @instead(replays, "through")
    async def through(course: Course, work: Callable[[], Awaitable[Json]]) -> Json:
        if course.key is not None:
            course.given["idempotencyKey"] = changed(course.key)
        return await original(course, work)


@deviation("IR-CACHE-01", variant="key-case")
def keys_are_compared_without_case(invocations: Invocations) -> None:
    """Keys that differ in case alone are one."""
    _near_keys(invocations, str.lower)


@deviation("IR-CACHE-01", variant="key-form")
def keys_are_normalised(invocations: Invocations) -> None:
    """Keys that differ in their form of Unicode alone are one."""
    _near_keys(invocations, lambda key: unicodedata.normalize("NFC", key))


@deviation("IR-CACHE-01", variant="key-end")
def keys_are_cut(invocations: Invocations) -> None:
    """Keys that differ after their first 200 characters alone are one."""
    _near_keys(invocations, lambda key: key[:200])


@deviation("IR-CACHE-01", variant="key-spaces")
def keys_are_trimmed(invocations: Invocations) -> None:
    """Keys that differ in white space at their ends alone are one."""
    _near_keys(invocations, str.strip)


@deviation("IR-CACHE-01", variant="after-failure")
def a_failed_write_is_not_tried_again(invocations: Invocations) -> None:
    """A key whose write failed is kept: repeated, it answers as if the write had been done."""
    replays = invocations.pipeline.replays
    original = replays.through
    failed: set[tuple[str, str | None]] = set()

    @instead(replays, "through")
    async def through(course: Course, work: Callable[[], Awaitable[Json]]) -> Json:
        place = course.tool.name, course.key
        if course.key is not None and place in failed:
            return {"key": course.input["key"], "value": course.input["value"], "writes": 1}
        try:
            return await original(course, work)
        except Failure:
            failed.add(place)
            raise


@deviation("IR-CACHE-01", variant="another-tool")
def a_key_is_known_whatever_the_tool(invocations: Invocations) -> None:
    """A write under a key that another tool used gives what that tool gave."""
    replays = invocations.pipeline.replays
    original = replays.through
    given: dict[tuple[str | None, str], Json] = {}

    @instead(replays, "through")
    async def through(course: Course, work: Callable[[], Awaitable[Json]]) -> Json:
        place = course.key, canonical(course.input)
        if course.key is None or place not in given:
            given[place] = await original(course, work)
        return given[place]


@deviation("IR-SRV-01", variant="one-limit")
def limits_count_all_tools_together(invocations: Invocations) -> None:
    """Calls count against the limits of all tools of their tenant."""
    admission = invocations.pipeline.admission

    @instead(admission, "key")
    def key(course: Course) -> tuple[str, str]:
        return "", course.tenant
