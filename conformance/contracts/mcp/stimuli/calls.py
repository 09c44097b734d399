"""Tools called as their schemas and examples say, and otherwise."""

from contextlib import suppress

from conformance.contracts.mcp.apart import EVERYTHING, stateless
from conformance.contracts.mcp.bench import McpBench
from conformance.contracts.mcp.samples import Arguments, Samples
from conformance.drive.errors import SkipError
from conformance.drive.revisions import CAPABILITIES_KEY, STATELESS
from conformance.drive.stimulus import stimulus
from conformance.model.exchange import Exchange
from conformance.model.listed import ListedTool
from conformance.model.revision import LEVELS, LOG_LEVEL_KEY

UNKNOWN = "no_such_tool_of_this_server"
CAPABILITY_MISSING = -32021
TRIES = 20
"""Tools of which one that works is looked for."""
AT_ONCE = 8
"""Calls of one stimulus that are under way together: a server of strangers is not to be flooded."""


@stimulus(
    "mcp",
    exercises=(
        "MC-RPC-01",
        "MC-RPC-03",
        "MC-RPC-12",
        "MC-RPC-16",
        "MC-CALL-01",
        "MC-CALL-02",
        "MC-CALL-06",
        "MC-CALL-07",
        "MC-CALL-08",
        "MC-CALL-10",
        "MC-CALL-11",
        "MC-CALL-12",
        "MC-CALL-13",
        "MC-CALL-15",
    ),
    bindings=("mcp",),
    good_calls=True,
)
async def tools_are_called_with_good_arguments(bench: McpBench) -> None:
    """Every tool with its example, and with what its schema allows; once so that it is asked for no progress."""
    samples = await bench.prepared()
    for tool in await bench.callable():
        good = [vector.value for vector in await bench.vectors(tool, samples) if vector.valid]
        await _each(bench, tool.name, good, samples)
        if samples.works(tool.name) and not bench.slow(tool.name) and not bench.silent(tool.name):
            await _asking_little(bench, tool.name, samples)


async def _asking_little(bench: McpBench, tool: str, samples: Samples) -> None:
    """A call without a token, and where each says which log messages it wants, one that wants the gravest alone."""
    arguments, caller = samples.arguments[tool], samples.callers.get(tool)
    await bench.asking(tool, arguments, {}, credential=caller)
    connection = await bench.connected()
    known = bench.session.recorder.history.connections[connection.name]
    if connection.revision in STATELESS and isinstance(known.capabilities.get("logging"), dict):
        await bench.asking(tool, arguments, {LOG_LEVEL_KEY: LEVELS[-1]}, credential=caller)


@stimulus("mcp", exercises=("MC-CALL-04", "MC-CALL-05", "MC-CALL-07", "MC-CALL-08"), bindings=("mcp",), good_calls=True)
async def tools_are_called_with_bad_arguments(bench: McpBench) -> None:
    """Every tool with arguments that break one keyword of its schema, each in turn, beside those that break none."""
    samples = await bench.prepared()
    broken = 0
    for tool in await bench.callable():
        # `format` is a remark in the default dialect: a server need not look at it.
        vectors = [vector for vector in await bench.vectors(tool, samples) if vector.keyword != "format"]
        bad = [vector.value for vector in vectors if not vector.valid]
        if bad:
            await _each(bench, tool.name, [vectors[0].value, *bad], samples)
        broken += len(bad)
    if not broken:
        raise SkipError("no schema of a tool that may be called can be broken")


async def _each(bench: McpBench, tool: str, arguments: list[dict[str, object]], samples: Samples) -> None:
    """The first call alone: where it gets no answer in time, the others are not made; few where it takes long."""
    at_once = 1 if bench.in_turn(tool) else AT_ONCE
    if arguments:
        await bench.tried(tool, arguments[0], samples)
    if bench.slow(tool):
        arguments = arguments[: 1 + AT_ONCE]
    caller = samples.callers.get(tool)
    for start in range(1, len(arguments), at_once):
        if bench.silent(tool):
            return
        together = arguments[start : start + at_once]
        await bench.together(*(bench.call(tool, each, credential=caller) for each in together))


@stimulus(
    "mcp",
    exercises=("MC-RPC-02", "MC-RPC-04", "MC-CALL-03", "MC-CALL-08", "MC-CALL-17"),
    bindings=("mcp",),
    good_calls=True,
)
async def an_unknown_tool_is_called(bench: McpBench) -> None:
    """A name that no list has, with and without arguments; then a tool that there is."""
    await bench.call(UNKNOWN, {})
    await bench.call(UNKNOWN, {"example": 1})
    with suppress(SkipError):
        found = await working(bench)
        if found is not None:
            tool, _, samples = found
            await bench.call(UNKNOWN, {}, credential=samples.callers.get(tool.name))


async def working(bench: McpBench) -> tuple[ListedTool, Arguments, Samples] | None:
    """A tool, a read where there is one, with arguments that it accepts; None where none of the first few does."""
    samples = await bench.prepared()
    for tool in sorted(await bench.reads() or await bench.callable(), key=lambda each: bench.slow(each.name))[:TRIES]:
        good = await bench.arguments(tool, samples)
        first = await bench.tried(tool.name, good, samples) if good is not None else None
        if first is not None and first.accepted and good is not None:
            return tool, good, samples
    return None


@stimulus("mcp", exercises=("MC-CALL-09",), bindings=("mcp",), last=True, good_calls=True)
async def a_good_call_follows_a_refused_one(bench: McpBench) -> None:
    """A call that works, a bad one, and the first again: for a few ways of being bad."""
    # twice: what the calls before it left behind may spoil the first of these
    found = await working(bench) or await working(bench)
    if found is None:
        await bench.call(UNKNOWN, {})
        await bench.tools()
        return
    tool, good, samples = found
    bad = [vector.value for vector in await bench.vectors(tool, samples) if not vector.valid][:4]
    for arguments in bad:
        await bench.tried(tool.name, arguments, samples)
        await bench.tried(tool.name, good, samples)
    await bench.call(UNKNOWN, {}, credential=samples.callers.get(tool.name))
    await bench.tried(tool.name, good, samples)


@stimulus("mcp", exercises=("MC-CALL-14",), bindings=("mcp",), last=True, good_calls=True)
async def tools_that_need_the_client_are_called(bench: McpBench) -> None:
    """Those that need something of the client, called by one that declares all that there is."""
    await stateless(bench)
    calls = bench.session.recorder.history.calls()
    needy = dict.fromkeys(call.tool for call in calls if call.tool is not None and needs_client(call))
    samples = await bench.prepared() if needy else bench.samples()
    for tool in [tool for tool in await bench.callable() if tool.name in needy][:TRIES]:
        good = await bench.arguments(tool, samples)
        if good is not None and not bench.silent(tool.name):
            declared = {"_meta": {CAPABILITIES_KEY: EVERYTHING}}
            wanted = {"name": tool.name, "arguments": good, **declared}
            await bench.request("tools/call", wanted, credential=samples.callers.get(tool.name))


def needs_client(exchange: Exchange) -> bool:
    """Whether a request was answered by a question back, or refused as the client cannot be asked one."""
    return exchange.protocol_code == CAPABILITY_MISSING or exchange.asks_back
