"""What only HTTP has: headers that repeat the body, and other methods than POST."""

from conformance.contracts.mcp.apart import stateless, visit, with_headers
from conformance.contracts.mcp.bench import McpBench
from conformance.contracts.mcp.samples import Samples
from conformance.contracts.mcp.stimuli.calls import working
from conformance.contracts.mcp.stimuli.requests import OTHER, a_call, asks_for
from conformance.drive.errors import SkipError
from conformance.drive.frames import encoded
from conformance.drive.headers import MARK
from conformance.drive.revisions import HANDSHAKE
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json
from conformance.model.listed import ListedTool
from conformance.model.revision import HEADERLESS

PARAM = "mcp-param-"
ENDS_S = 3.0
"""What a stream of events is given to end after its answer."""
TRIES = 3
"""Tools of which some arguments are repeated by headers."""


@stimulus("mcp", exercises=("MC-RPC-15", "MC-RPC-16"), transports=("http",), bindings=("mcp",), good_calls=True)
async def headers_disagree_with_the_body(bench: McpBench) -> None:
    """tools/list and a call that works, each without a header that repeats the body and with another value of it.

    Also with the header of another version, and with none, beside the handshake of a revision that had none. Calls of a
    contract's tools are its own laws' matter too: there the list alone is asked for so.
    """
    await stateless(bench)
    await bench.request("tools/list")
    await bench.request("tools/list", altered=with_headers(mcp_method=None))
    await bench.request("tools/list", altered=with_headers(mcp_method="prompts/list"))
    await bench.request("tools/list", altered=with_headers(mcp_protocol_version=HANDSHAKE[0]))
    await asks_for(await bench.unmet(), HEADERLESS[0])
    await bench.request("tools/list", altered=with_headers(mcp_protocol_version=None))
    for request in await a_call(bench):
        for name in (None, OTHER):
            await request.made(bench, with_headers(mcp_name=name))


@stimulus("mcp", exercises=("MC-RPC-15",), transports=("http",), bindings=("mcp",), good_calls=True)
async def headers_repeat_no_argument(bench: McpBench) -> None:
    """Calls that work with an argument that a header repeats, each without that header and with another value of it."""
    await stateless(bench)
    if bench.of_a_contract:
        raise SkipError("the tools of a contract are its own laws' matter")
    samples, tried = await bench.prepared(), 0
    for tool in await bench.reads() or await bench.callable():
        if tried == TRIES:
            break
        for good in await _marked(bench, tool, samples):
            caller, wanted = samples.callers.get(tool.name), {"name": tool.name, "arguments": good}
            first = await bench.request("tools/call", wanted, credential=caller)
            names = [
                name for name in (first.asked.headers if first.asked is not None else ()) if name.startswith(PARAM)
            ]
            if not first.accepted or not names:
                continue
            tried += 1
            for name in names:
                for value in (None, OTHER):
                    await bench.request("tools/call", wanted, credential=caller, altered=with_headers(**{name: value}))
            break


async def _marked(bench: McpBench, tool: ListedTool, samples: Samples) -> list[Json]:
    """Arguments that may be good of a tool some of whose arguments a header repeats, as full as they can be first."""
    if MARK not in encoded(tool.input_schema):
        return []
    plain = await bench.arguments(tool, samples)
    good = [vector.value for vector in await bench.vectors(tool, samples) if vector.valid]
    return [*sorted(good, key=lambda each: -len(each) if isinstance(each, dict) else 0)[:TRIES], plain]


@stimulus("mcp", exercises=("MC-RPC-16",), transports=("http",), bindings=("mcp",), last=True, good_calls=True)
async def answers_are_read_to_their_end(bench: McpBench) -> None:
    """The list of tools, and a call that works: whether their streams end. Alone: others would wait, too."""
    found = await working(bench)
    wire = (await bench.connected()).wire
    wire.linger(ENDS_S)
    try:
        await bench.request("tools/list")
        if found is not None:
            tool, good, samples = found
            await bench.tried(tool.name, good, samples)
    finally:
        wire.linger(None)


@stimulus("mcp", exercises=("MC-RPC-18",), transports=("http",), bindings=("mcp",))
async def the_endpoint_is_visited(bench: McpBench) -> None:
    """GET and DELETE, which this revision has no use for."""
    await stateless(bench)
    await visit(bench, "GET")
    await visit(bench, "DELETE")
