"""Tools called as their schemas and examples say, and otherwise."""

from collections.abc import Iterator
from contextlib import suppress

from conformance.contracts.mcp.apart import by_other_clients, stateless
from conformance.contracts.mcp.bench import McpBench
from conformance.contracts.mcp.offered import declares
from conformance.contracts.mcp.samples import Arguments, Samples, given_by_others, moved, renewable
from conformance.contracts.mcp.share import Sweep
from conformance.contracts.mcp.stimuli.keyed import Keys
from conformance.drive.errors import SkipError
from conformance.drive.revisions import STATELESS
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json
from conformance.model.exchange import CAPABILITY_MISSING, Exchange
from conformance.model.listed import ListedTool, tools_of
from conformance.model.revision import LEVELS, LOG_LEVEL_KEY

UNKNOWN = "no_such_tool_of_this_server"
TRIES = 20
"""Tools of which one that works is looked for."""
FEW = 3
"""The same where each tool was called before, and none works."""
AT_ONCE = 8
"""Calls of one stimulus that are under way together: a server of strangers is not to be flooded."""
PART = 0.2
"""Of the run's time, for the calls of all tools: slow ones would leave none to what comes after."""
RENEWED = 6
"""Good calls of a tool that are each made on new things, where one thing takes a single call."""


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
async def tools_are_called_with_good_arguments(bench: McpBench) -> str:
    """Every tool with its example, and with what its schema allows; once so that it is asked for no progress."""
    samples, sweep = await bench.prepared(), Sweep(bench, PART, "called with good arguments")
    for tool in await bench.callable():
        if not sweep.reaches(tool.name):
            continue
        good = [vector.value for vector in await bench.vectors(tool, samples) if vector.valid]
        first = await bench.tried(tool.name, good[0], samples) if good else None
        keys = await Keys.of(bench, tool, good[0], samples) if first is not None and first.accepted else None
        others = [keys.anew(each) for each in good[1:]] if keys is not None else good[1:]
        refused = await _each(bench, tool.name, others, samples, sweep)
        if first is not None and first.refused:
            refused = [good[0], *refused]
        await _on_new_ones(bench, tool.name, refused, samples)
        if samples.works(tool.name) and not bench.slow(tool.name) and not bench.silent(tool.name):
            await _asking_little(bench, tool.name, samples)
    return sweep.told()


async def _asking_little(bench: McpBench, tool: str, samples: Samples) -> None:
    """A call without a token, and where each says which log messages it wants, one that wants the gravest alone."""
    arguments, caller = samples.arguments[tool], samples.callers.get(tool)
    await bench.asking(tool, arguments, {}, credential=caller)
    connection = await bench.connected()
    known = bench.session.recorder.history.connections[connection.name]
    if connection.revision in STATELESS and declares(known, "logging"):
        await bench.asking(tool, arguments, {LOG_LEVEL_KEY: LEVELS[-1]}, credential=caller)


@stimulus("mcp", exercises=("MC-CALL-04", "MC-CALL-05", "MC-CALL-07", "MC-CALL-08"), bindings=("mcp",), good_calls=True)
async def tools_are_called_with_bad_arguments(bench: McpBench) -> str:
    """Every tool with arguments that break one keyword of its schema, each in turn, beside those that break none."""
    samples, sweep = await bench.prepared(), Sweep(bench, PART, "called with bad arguments")
    broken = 0
    for tool in await bench.callable():
        if not sweep.reaches(tool.name):
            continue
        # `format` is a remark in the default dialect: a server need not look at it.
        vectors = [vector for vector in await bench.vectors(tool, samples) if vector.keyword != "format"]
        bad = [vector.value for vector in vectors if not vector.valid]
        if bad:
            good = vectors[0].value
            there = await _over_and_over(bench, tool, good, samples)
            new = None if there else await _good_again(bench, tool.name, samples)
            if new is None:
                keys = await Keys.of(bench, tool, good, samples)
                await _each(bench, tool.name, [keys.anew(each) for each in bad], samples, sweep)
            else:
                # the good call comes last: it uses up what it is made on
                await _each(bench, tool.name, [moved(each, good, new) for each in (*bad, good)], samples, sweep)
        broken += len(bad)
    if not broken and not sweep.share.over:
        raise SkipError("no schema of a tool that may be called can be broken")
    return sweep.told()


async def _over_and_over(bench: McpBench, tool: ListedTool, good: Arguments, samples: Samples) -> bool:
    """Makes a good call, and twice where it is no read: some can be made once alone on what they are made on.

    Whether it can be made on the same things again, for all that is known.
    """
    first = await bench.tried(tool.name, good, samples)
    if first is None or not samples.works(tool.name) or bench.slow(tool.name):
        return True
    if first.refused or tool.reads_only or not renewable(samples.calls[tool.name]):
        return not first.refused
    again = await bench.tried(tool.name, good, samples)
    return again is None or not again.refused


async def _good_again(bench: McpBench, tool: str, samples: Samples) -> Arguments | None:
    """Arguments of a good call on new things, once such a call was accepted; None where there are none."""
    new = await bench.renewed(samples.calls.get(tool))
    again = await bench.tried(tool, new.arguments[tool], samples) if new is not None else None
    new = await bench.renewed(samples.calls.get(tool)) if again is not None and again.accepted else None
    return new.arguments[tool] if new is not None else None


async def _on_new_ones(bench: McpBench, tool: str, refused: list[Arguments], samples: Samples) -> None:
    """What was refused on what there is, the first of it each on new things."""
    call, base = samples.calls.get(tool), samples.arguments.get(tool, {})
    if call is None or not samples.works(tool):
        return
    needed = given_by_others(call)
    kept = [each for each in refused if all(each.get(name) == base.get(name) for name in needed)]
    for each in kept[:RENEWED]:
        new = await bench.renewed(call)
        if new is None or bench.silent(tool):
            return
        await bench.tried(tool, moved(each, base, new.arguments[tool]), samples)


async def _each(
    bench: McpBench, tool: str, arguments: list[Arguments], samples: Samples, sweep: Sweep
) -> list[Arguments]:
    """Calls with these arguments: no more where one gets no answer in time, few where they take long.

    Gives those that were refused.
    """
    at_once = 1 if bench.in_turn(tool) else AT_ONCE
    if bench.slow(tool) and len(arguments) > AT_ONCE:
        arguments = arguments[:AT_ONCE]
        sweep.did_few(tool)
    caller = samples.callers.get(tool)
    refused: list[Arguments] = []
    for start in range(0, len(arguments), at_once):
        if bench.silent(tool):
            break
        together = arguments[start : start + at_once]
        made = await bench.together(*(bench.call(tool, each, credential=caller) for each in together))
        refused += [each for each, call in zip(together, made, strict=True) if call.refused]
    return refused


@stimulus(
    "mcp",
    exercises=("MC-RPC-02", "MC-RPC-04", "MC-CALL-03", "MC-CALL-08", "MC-CALL-17"),
    bindings=("mcp",),
    good_calls=True,
)
async def an_unknown_tool_is_called(bench: McpBench) -> None:
    """A name that no list has, with and without arguments; a tool that there is, and names near its own."""
    await bench.call(UNKNOWN, {})
    await bench.call(UNKNOWN, {"example": 1})
    with suppress(SkipError):
        found = await working(bench)
        if found is not None:
            tool, good, samples = found
            caller = samples.callers.get(tool.name)
            await bench.call(UNKNOWN, {}, credential=caller)
            listed = {each.name for each in tools_of(await bench.listing())}
            for name in [near for near in _near(tool.name) if near not in listed]:
                await bench.call(name, good, credential=caller)


def _near(name: str) -> Iterator[str]:
    """Names that a server may take for this one which looks for it in another way than by whether they are equal."""
    yield from (f"{name}{UNKNOWN}", f"{UNKNOWN}{name}", name[:-1])
    yield from (f"{UNKNOWN}/{name}", f"{UNKNOWN}.{name}")
    yield from dict.fromkeys((name.upper(), name.swapcase(), f"{name} "))


async def working(bench: McpBench) -> tuple[ListedTool, Arguments, Samples] | None:
    """A tool, a read where there is one, with arguments that it accepts; None where none of the first few does."""
    samples = await bench.prepared()
    tools = sorted(await bench.reads() or await bench.callable(), key=lambda each: bench.slow(each.name))
    calls = bench.session.recorder.history.calls
    in_vain = all((made := calls(tool.name)) and not any(call.accepted for call in made) for tool in tools)
    for tool in tools[: FEW if in_vain else TRIES]:
        good = await bench.arguments(tool, samples)
        first = await bench.tried(tool.name, good, samples) if good is not None else None
        if first is not None and first.accepted and good is not None:
            return tool, good, samples
    return None


@stimulus("mcp", exercises=("MC-CALL-14",), bindings=("mcp",), last=True, good_calls=True)
async def tools_that_need_the_client_are_called(bench: McpBench) -> None:
    """Tools, called by a client that declares all that there is: first those that were seen to need something of it.

    A tool may do without where the client declares nothing. Those of the run's contract are not asked again for that.
    """
    await stateless(bench)
    calls = bench.session.recorder.history.calls()
    needy = {call.tool for call in calls if call.tool is not None and needs_client(call)}
    asked = [tool for tool in await bench.callable() if tool.name in needy or not bench.of_a_contract]
    samples = await bench.prepared() if asked else bench.samples()
    for tool in sorted(asked, key=lambda each: each.name not in needy)[:TRIES]:
        good = await bench.arguments(tool, samples)
        if good is not None and not bench.silent(tool.name) and not bench.spent(tool.name):
            wanted: dict[str, Json] = {"name": tool.name, "arguments": good}
            await by_other_clients(bench, "tools/call", wanted, samples.callers.get(tool.name))


def needs_client(exchange: Exchange) -> bool:
    """Whether a request was answered by a question back, or refused as the client cannot be asked one."""
    return exchange.protocol_code == CAPABILITY_MISSING or exchange.asks_back
