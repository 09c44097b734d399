"""What the kit allows at the ends of its bounds, difficult texts in every part of an invocation, distant deadlines."""

import asyncio

from conformance.contracts.invocation.bench import HOUR_S, InvocationBench
from conformance.contracts.invocation.kit import AUDIT, EVENT, EXECUTION, KINDS, KitTool, kit
from conformance.drive.bench import side_by_side
from conformance.drive.stimulus import stimulus
from conformance.drive.sweeps.texts import CONTROLLED, SPOILT, WRITTEN, near
from conformance.drive.sweeps.variants import allowed
from conformance.model.events import Json

ECHO, PUT, APPEND = "local::kit.echo", "local::kit.put", "local::kit.append"
READ_LIST, BEHIND = "local::kit.read_list", "mcp::kit::echo"
LEFT = ("ms", "pageToken", "operationId", "tool")
"""Waits take their time; the others name something."""
PAST = ("1970-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "2001-02-28T23:59:59.999999+14:00")
AHEAD = ("9999-12-31T00:00:00Z", "2400-02-29T12:00:00.5-11:30", "2100-01-01T00:00:00.123456Z")
NEVER = ("2100-13-01T00:00:00Z", "tomorrow")
AHEAD_S = (2 * HOUR_S, 40 * 24 * HOUR_S, 400 * 24 * HOUR_S)
"""Moves of the calendar: past a midnight, a month, a year."""


@stimulus("invocation", exercises=("IR-SRV-01", "IR-RES-11"), sweep=True)
async def input_of_every_tool_is_at_its_bounds(bench: InvocationBench) -> None:
    """Each tool of the kit with each field left out that may be, and at both ends, each time by another tenant."""
    await asyncio.gather(*(_at_bounds(bench, tool) for tool in kit().values()))


async def _at_bounds(bench: InvocationBench, tool: KitTool) -> None:
    for each in allowed(tool.inputSchema, bench.good(tool.name), LEFT):
        await bench.apart().invoke(tool.name, each.arguments)


@stimulus(
    "invocation",
    exercises=("IR-SRV-01", "IR-RES-09", "IR-COR-02", "IR-INV-05", "IR-INV-08", "IR-CACHE-01"),
    sweep=True,
)
async def difficult_texts_are_invoked(bench: InvocationBench) -> None:
    """In input, ids, keys, headers and metadata; those with control characters where bodies are."""
    await side_by_side(*(_invoked(bench.apart(), text) for text in WRITTEN))
    for text in CONTROLLED:
        await bench.invoke(ECHO, {"text": text, "extra": [text]})
        await bench.invoke(PUT, {"key": bench.unique("key"), "value": text})


async def _invoked(here: InvocationBench, text: str) -> None:
    told: dict[str, Json] = {"remark": text, text: [text, {"in": text}]}
    for tool, given in ((ECHO, {"text": text, "extra": {text: text}}), (BEHIND, {"text": text})):
        named = f"{here.unique('c')} {text}"
        await here.look(await here.invoke(tool, given, correlationId=named, metadata=told), AUDIT, EVENT)
    name, key = here.unique("list"), f"{here.unique('key')} {text}"
    await here.invoke(APPEND, {"list": f"{name} {text}", "item": text})
    await here.invoke(READ_LIST, {"list": f"{name} {text}"})
    for _ in range(2):
        await here.invoke(PUT, {"key": f"{name} {text}", "value": text}, idempotencyKey=key)
    await here.invoke(ECHO, {"text": text}, headers={"tenant": here.tenant, "place": text}, causationId=text)


@stimulus("invocation", exercises=("IR-CACHE-01", "IR-INV-05", "IR-COR-02", "IR-SRV-01"), sweep=True)
async def near_names_are_told_apart(bench: InvocationBench) -> None:
    """Keys, correlations and tenants that a careless comparison takes for one another."""
    await side_by_side(_near_keys(bench.apart()), _near_correlations(bench.apart()), _near_tenants(bench))


async def _near_keys(here: InvocationBench) -> None:
    """The same write under each: none of them is a repetition."""
    for text in (SPOILT, f"{SPOILT} {'long ' * 40}end"):
        key, given = f"{here.unique('key')} {text}", here.good(PUT)
        for other in (key, *near(key)):
            await here.look(await here.invoke(PUT, given, idempotencyKey=other), EXECUTION)


async def _near_correlations(here: InvocationBench) -> None:
    named = f"{here.unique('c')} {SPOILT}"
    ids = (named, *near(named))
    for each in ids:
        await here.invoke(ECHO, here.good(ECHO), correlationId=each)
    for each in ids:
        for kind in KINDS:
            await here.records(kind, correlationId=each)


async def _near_tenants(bench: InvocationBench) -> None:
    """Each has a budget of its own. White space at the ends is left out: headers elsewhere lose it."""
    named = f"{bench.unique('tenant')} {'long ' * 40}Tenant"
    for tenant in (named, *(other for other in near(named) if other == other.strip())):
        await bench.invoke("local::kit.costly", {"units": 60}, headers={"tenant": tenant})


@stimulus("invocation", exercises=("IR-INV-07", "IR-ERR-Timeout", "IR-ERR-SchemaInvalid"), sweep=True)
async def deadlines_are_distant(bench: InvocationBench) -> None:
    """Long ago, far ahead, of other offsets, and such as are no instants; after each a call without one."""
    for deadline in (*PAST, *AHEAD, *NEVER):
        given = bench.good(APPEND)
        await bench.invoke(APPEND, given, deadline=deadline)
        await bench.invoke(APPEND, given)
    await bench.invoke(ECHO, bench.good(ECHO))


@stimulus(
    "invocation", exercises=("IR-INV-07", "IR-ERR-Timeout", "IR-SRV-01"), needs=("clock",), fresh=True, sweep=True
)
async def the_calendar_is_moved(bench: InvocationBench) -> None:
    """After each move every tool of the kit, and deadlines at either side of the server's own present.

    A deadline that lies ahead of us alone has passed. A call after it without one is served.
    """
    for ahead in AHEAD_S:
        later = await bench.under(clock=ahead)
        await asyncio.gather(*(later.apart().invoke(tool, later.good(tool)) for tool in kit()))
        here = later.apart()
        for tool in (ECHO, PUT, APPEND, BEHIND):
            for deadline_s in (ahead + HOUR_S, ahead - HOUR_S):
                given = here.good(tool)
                await here.look(await here.invoke(tool, given, deadline=here.instant(deadline_s)), EXECUTION)
                await here.invoke(tool, given)
