"""Tools called as their schemas and examples say, and otherwise."""

from conformance.contracts.mcp.bench import McpBench
from conformance.drive.errors import SkipError
from conformance.drive.stimulus import stimulus

AT_ONCE = 8
"""Calls of one stimulus that are under way together: a server of strangers is not to be flooded."""


@stimulus(
    "mcp",
    exercises=(
        "MC-RPC-01",
        "MC-RPC-03",
        "MC-CALL-01",
        "MC-CALL-02",
        "MC-CALL-06",
        "MC-CALL-07",
        "MC-CALL-08",
        "MC-CALL-10",
    ),
    bindings=("mcp",),
)
async def tools_are_called_with_good_arguments(bench: McpBench) -> None:
    """Every tool with its example, and with what its schema allows."""
    samples = await bench.prepared()
    for tool in bench.callable():
        good = [vector.value for vector in bench.vectors(tool, samples) if vector.valid]
        await _each(bench, tool.name, good)


@stimulus("mcp", exercises=("MC-CALL-04", "MC-CALL-05", "MC-CALL-07", "MC-CALL-08"), bindings=("mcp",))
async def tools_are_called_with_bad_arguments(bench: McpBench) -> None:
    """Every tool with arguments that break one keyword of its schema, each in turn."""
    samples = await bench.prepared()
    broken = 0
    for tool in bench.callable():
        # `format` is a remark in the default dialect: a server need not look at it.
        bad = [
            vector.value for vector in bench.vectors(tool, samples) if not vector.valid and vector.keyword != "format"
        ]
        await _each(bench, tool.name, bad)
        broken += len(bad)
    if not broken:
        raise SkipError("no schema of a tool that may be called can be broken")


async def _each(bench: McpBench, tool: str, arguments: list[dict[str, object]]) -> None:
    """The first call alone: where it gets no answer in time, the others are not made."""
    if arguments:
        await bench.tried(tool, arguments[0])
    for start in range(1, len(arguments), AT_ONCE):
        if bench.silent(tool):
            return
        await bench.together(*(bench.call(tool, each) for each in arguments[start : start + AT_ONCE]))


@stimulus("mcp", exercises=("MC-RPC-02", "MC-RPC-04", "MC-CALL-03", "MC-CALL-08"), bindings=("mcp",))
async def an_unknown_tool_is_called(bench: McpBench) -> None:
    """A name that no list has, with and without arguments."""
    name = "no_such_tool_of_this_server"
    await bench.call(name, {})
    await bench.call(name, {"example": 1})


@stimulus("mcp", exercises=("MC-CALL-09",), bindings=("mcp",), last=True)
async def a_good_call_follows_a_refused_one(bench: McpBench) -> None:
    """A call that works, a bad one, and the first again: for a few ways of being bad."""
    samples = await bench.prepared()
    for tool in bench.reads() or bench.callable():
        good = bench.arguments(tool, samples)
        first = await bench.tried(tool.name, good) if good is not None else None
        if first is None or not first.accepted:
            continue
        bad = [vector.value for vector in bench.vectors(tool, samples) if not vector.valid][:4]
        for arguments in bad:
            await bench.tried(tool.name, arguments)
            await bench.tried(tool.name, good)
        await bench.call("no_such_tool_of_this_server", {})
        await bench.tried(tool.name, good)
        return
    await bench.call("no_such_tool_of_this_server", {})
    await bench.tools()
