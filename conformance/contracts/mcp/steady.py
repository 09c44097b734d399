"""Good calls that are answered alike as often as they are made: what is different after another call is its doing."""

from typing import NamedTuple

from conformance.contracts.mcp.bench import McpBench
from conformance.contracts.mcp.reach.usual import deed
from conformance.contracts.mcp.samples import Arguments, Samples, renewable
from conformance.judge.alike import alike
from conformance.model.listed import ListedTool

TRIES = 20
"""Tools of which one is looked for."""


class Good(NamedTuple):
    """A call that is accepted over and over, and answered alike."""

    tool: ListedTool
    arguments: Arguments
    samples: Samples


async def steady(bench: McpBench) -> Good | None:
    """A call that is answered alike twice, a read where there is one; None where none of the first few is."""
    samples = await bench.prepared()
    tools = [tool for tool in await bench.callable() if deed(tool) != "remove"]
    tools.sort(key=lambda tool: (not tool.reads_only, deed(tool) != "read", bench.slow(tool.name)))
    for tool in tools[:TRIES]:
        found = await made_again(bench, tool, samples)
        if found is not None:
            return found
    return None


async def made_again(bench: McpBench, tool: ListedTool, samples: Samples) -> Good | None:
    """A tool's good call, once it was answered alike twice; None where it is not, or would take or leave something."""
    call = samples.calls.get(tool.name)
    if bench.slow(tool.name) or (call is not None and not tool.reads_only and renewable(call)):
        return None
    arguments = await bench.arguments(tool, samples)
    if arguments is None:
        return None
    first = await bench.tried(tool.name, arguments, samples)
    again = await bench.tried(tool.name, arguments, samples) if first is not None and first.accepted else None
    same = first is not None and again is not None and again.accepted and alike(first, again)
    return Good(tool, arguments, samples) if same else None
