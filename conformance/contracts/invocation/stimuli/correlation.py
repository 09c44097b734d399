"""Calls that are followed by their ids, through the tools that they call."""

from conformance.contracts.invocation.bench import InvocationBench
from conformance.contracts.invocation.kit import KINDS
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json

ECHO, RELAY, PUT = "local::kit.echo", "local::kit.relay", "local::kit.put"
BEHIND = (ECHO, "local::kit.append", "local::kit.put", "mcp::kit::echo", "local::kit.person")


@stimulus("invocation", exercises=("IR-COR-01", "IR-RES-09", "IR-SRV-01"))
async def correlations_are_left_out(bench: InvocationBench) -> None:
    """Calls without a correlationId, with an empty one, and with one of their own."""
    for tool in (ECHO, "local::kit.append", "mcp::kit::echo"):
        for _ in range(2):
            await bench.invoke(tool, bench.good(tool), without=("correlationId",))
        await bench.invoke(tool, bench.good(tool), correlationId="")
        await bench.invoke(tool, bench.good(tool))
    await bench.invoke(ECHO, {"text": 5}, without=("correlationId",))


@stimulus("invocation", exercises=("IR-COR-02", "IR-COR-03", "IR-COR-04", "IR-RES-07", "IR-INV-11"))
async def calls_are_followed(bench: InvocationBench) -> None:
    """Calls to local tools and to one behind a server, with and without a cause, and what was recorded of them."""
    for tool in (ECHO, "local::kit.append", "local::kit.notify", "mcp::kit::echo"):
        await bench.look(await bench.invoke(tool, bench.good(tool)), *KINDS)
        cause = bench.unique("cause")
        await bench.look(await bench.invoke(tool, bench.good(tool), causationId=cause), *KINDS)


@stimulus("invocation", exercises=("IR-COR-02", "IR-COR-03", "IR-COR-04", "IR-RED-01"))
async def a_tool_calls_another(bench: InvocationBench) -> None:
    """Relays to tools of each effect, and what was recorded of both calls."""
    for tool in BEHIND:
        given: dict[str, Json] = {"tool": tool, "input": bench.good(tool)}
        await bench.look(await bench.invoke(RELAY, given), *KINDS)
    # each inner write has a key of its own
    await bench.invoke(RELAY, {"tool": PUT, "input": bench.good(PUT)})


@stimulus("invocation", exercises=("IR-INV-03",), sweep=True)
async def a_tool_calls_another_with_bad_input(bench: InvocationBench) -> None:
    """Relays of good input, and of input that breaks the schema of the tool that they call."""
    for tool in (ECHO, "local::kit.append", PUT, "mcp::kit::echo", "local::kit.sum"):
        good = bench.good(tool)
        name = next(iter(good))
        wrong: dict[str, Json] = {**good, name: "x" if tool == "local::kit.sum" else 5}
        for given in (good, wrong, {key: value for key, value in good.items() if key != name}):
            await bench.invoke(RELAY, {"tool": tool, "input": given})
