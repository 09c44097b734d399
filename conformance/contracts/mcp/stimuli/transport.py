"""What only HTTP has: headers that repeat the body, and other methods than POST."""

from contextlib import suppress

from conformance.contracts.mcp.apart import stateless, visit, with_headers
from conformance.contracts.mcp.bench import McpBench
from conformance.contracts.mcp.stimuli.calls import working
from conformance.drive.errors import SkipError
from conformance.drive.stimulus import stimulus

OTHER = "no_such_tool_of_this_server"


@stimulus("mcp", exercises=("MC-RPC-15", "MC-RPC-16"), transports=("http",), bindings=("mcp",), good_calls=True)
async def headers_disagree_with_the_body(bench: McpBench) -> None:
    """tools/list and a call that works, each without a header that repeats the body and with another value of it.

    Calls of a contract's tools are its own laws' matter too: there the list alone is asked for so.
    """
    await stateless(bench)
    await bench.request("tools/list")
    await bench.request("tools/list", altered=with_headers(mcp_method=None))
    await bench.request("tools/list", altered=with_headers(mcp_method="prompts/list"))
    with suppress(SkipError):
        found = await working(bench) if not bench.of_a_contract else None
        if found is not None:
            tool, good, samples = found
            caller = samples.callers.get(tool.name)
            for name in (None, OTHER):
                wanted = {"name": tool.name, "arguments": good}
                await bench.request("tools/call", wanted, credential=caller, altered=with_headers(mcp_name=name))


@stimulus("mcp", exercises=("MC-RPC-18",), transports=("http",), bindings=("mcp",))
async def the_endpoint_is_visited(bench: McpBench) -> None:
    """GET and DELETE, which this revision has no use for."""
    await stateless(bench)
    await visit(bench, "GET")
    await visit(bench, "DELETE")
