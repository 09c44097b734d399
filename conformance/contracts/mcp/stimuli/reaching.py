"""One call of each tool that it accepts, before all others: they begin with it."""

from conformance.contracts.mcp.bench import McpBench
from conformance.contracts.mcp.reach.search import Search
from conformance.drive.stimulus import stimulus


@stimulus("mcp", exercises=("MC-RPC-01", "MC-CALL-01", "MC-CALL-06", "MC-CALL-15"), bindings=("mcp",), first=True)
async def each_tool_is_reached(bench: McpBench) -> None:
    """Tools without an example are called until one call is accepted, each attempt as the last refusal suggests."""
    strangers = [tool for tool in await bench.callable() if tool.name not in bench.contract.tools]
    bench.keep(await Search(bench, strangers).all())
