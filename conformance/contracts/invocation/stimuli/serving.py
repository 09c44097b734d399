"""Every tool of the kit, in every version, in every way that the contract allows."""

import asyncio

from conformance.contracts.invocation.bench import HOUR_S, InvocationBench
from conformance.contracts.invocation.kit import KINDS, kit
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json

SERVED = ("IR-SRV-01", "IR-RES-01", "IR-RES-02", "IR-RES-03", "IR-RES-06", "IR-RES-08", "IR-RES-10", "IR-RES-11")
ECHO, RELAY = "local::kit.echo", "local::kit.relay"
LEFT_OUT = ("correlationId", "headers")
EDGES: dict[str, tuple[dict[str, Json], ...]] = {
    "local::kit.echo": (
        {"text": "x"}, {"text": "x" * 200}, {"text": "Grüezi 世界"}, {"text": "x", "extra": None},
        {"text": "x", "extra": [1, {"a": False}]}, {"text": "x", "extra": {}}, {"text": "x", "extra": "text"},
        {"text": "x", "extra": 0},
    ),
    "local::kit.sum": ({"a": 0, "b": 0}, {"a": -5, "b": 3}, {"a": 2**40, "b": 2**40}),
    "local::kit.wait": ({"ms": 0}, {"ms": 50}),
    "local::kit.costly": ({"units": 1}, {"units": 100}),
    "local::kit.narrow": ({"ms": 0},),
    "local::kit.list": ({"pageSize": 1}, {"pageSize": 100}, {"pageSize": 10}),
    "local::kit.stream": ({"frames": 0}, {"frames": 1}, {"frames": 100}),
    "local::kit.start_job": ({"ms": 0}, {"ms": 5000}, {"ms": 0, "fail": True}, {"ms": 0, "fail": False}),
    "local::kit.relay": (
        {"tool": "local::kit.sum", "input": {"a": 1, "b": 2}, "fail": False},
        {"tool": "mcp::kit::echo", "input": {"text": "behind"}},
        {"tool": "local::kit.list", "input": {}},
        {"tool": "local::kit.relay", "input": {"tool": "local::kit.echo", "input": {"text": "twice"}}},
    ),
    "mcp::kit::echo": ({"text": ""}, {"text": "Grüezi 世界"}),
}  # fmt: skip
"""Input at the edges of its schema."""


@stimulus("invocation", exercises=SERVED)
async def every_tool_is_invoked_in_every_way(bench: InvocationBench) -> None:
    """Each tool in each version, with each optional field given and left out, with and without a token."""
    await asyncio.gather(*(_in_every_way(bench, name) for name in kit()))


async def _in_every_way(bench: InvocationBench, name: str) -> None:
    tool = kit()[name]
    fields: tuple[dict[str, Json], ...] = (
        {},
        *({"versionRange": version} for version in tool.versions),
        {"causationId": bench.unique("cause")},
        {"headers": {"tenant": bench.unique("tenant"), "locale": "de-CH"}},
        {"deadline": bench.instant(HOUR_S)},
        {"metadata": {"ticket": bench.unique("ticket")}},
    )
    for more in fields:
        here = bench.apart()
        await here.invoke(name, here.good(name), **more)
    limited = tool.kit.rateLimit or tool.kit.budget or tool.kit.circuit or tool.policies.concurrencyLimit
    for field in LEFT_OUT:
        if not (limited and field == "headers"):
            here = bench.apart()
            await here.invoke(name, here.good(name), without=(field,))
    if not tool.requiredScopes:
        here = bench.apart()
        await here.invoke(name, here.good(name), by=bench.nobody)
    for given in EDGES.get(name, ()):
        await bench.apart().invoke(name, given)


@stimulus("invocation", exercises=("IR-SRV-01",))
async def what_is_registered_and_recorded_is_shown(bench: InvocationBench) -> None:
    """The tools are described, and records of each kind are read: those of a call, of a tool, and of both.

    A wider reading comes before a narrower one and after it: what both show, the narrower one has to show.
    """
    await bench.describe()
    relayed = {"tool": ECHO, "input": bench.good(ECHO)}
    calls = [await bench.invoke(ECHO, bench.good(ECHO)), await bench.look(await bench.invoke(RELAY, relayed), *KINDS)]
    for kind in KINDS:
        for call in calls:
            wanted = {"correlationId": call.argument("correlationId")}
            await bench.records(kind, **wanted)
            for filters in ({**wanted, "tool": ECHO}, {**wanted, "tool": RELAY}, {"tool": RELAY}, wanted):
                await bench.records(kind, **filters)
