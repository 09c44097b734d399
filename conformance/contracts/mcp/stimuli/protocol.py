"""Methods, origins and connections: the protocol around the tools."""

from contextlib import suppress
from urllib.parse import urlsplit

from conformance.contracts.mcp.apart import with_headers
from conformance.contracts.mcp.bench import McpBench
from conformance.contracts.mcp.stimuli.requests import a_call, asks_for, lists, offered
from conformance.drive.errors import SkipError
from conformance.drive.revisions import HANDSHAKE
from conformance.drive.stimulus import stimulus
from conformance.model.revision import DISCOVERY

FAMILIES = ("tools", "prompts", "resources", "completion", "logging")
ALIKE = ("tools/listing", "TOOLS/LIST")
"""Methods that there are not, of which a careless server takes one for tools/list."""
FOREIGN = ("https://attacker.example", "http://localhost.attacker.example", "http://127.0.0.1.attacker.example")
"""The later ones begin as a page of this machine's does."""
LOOPBACK = ("localhost", "127.0.0.1", "::1", "{listening}")


@stimulus("mcp", exercises=("MC-RPC-06", "MC-RPC-02", "MC-RPC-04"), bindings=("mcp",))
async def an_unknown_method_is_asked_for(bench: McpBench) -> None:
    """A method that MCP does not have, one in each of some of its families, and some much like one that it has."""
    for method in (*(f"{family}/no_such_method" for family in ("conformance", *FAMILIES)), *ALIKE):
        if (await bench.request(method, {})).received is None:
            break  # nor would the others be answered


@stimulus("mcp", exercises=("MC-RPC-09",), transports=("http",), bindings=("mcp",), good_calls=True)
async def a_page_from_elsewhere_asks(bench: McpBench) -> None:
    """Each list, and a call that works, with the Origin of somebody else's page, as a browser would send it.

    So too what a connection begins with: the handshake, or where there is none server/discover.
    """
    url = bench.session.statement.endpoint[bench.endpoint].url or ""
    if not url.startswith("{listening}") and urlsplit(url).hostname not in LOOPBACK:
        raise SkipError("only a server on this machine is certainly not meant for pages from elsewhere")
    for request in [*await lists(bench), *await a_call(bench)]:
        for origin in FOREIGN:
            await request.made(bench, with_headers(origin=origin))
    revision = await bench.revision()
    if revision in HANDSHAKE:
        await asks_for(await bench.unmet(), revision, with_headers(origin=FOREIGN[0]))
    else:
        await bench.request(DISCOVERY, altered=with_headers(origin=FOREIGN[0]))


@stimulus("mcp", exercises=("MC-RPC-10",), transports=("http",), bindings=("mcp",), last=True, good_calls=True)
async def a_read_is_made_on_another_connection(bench: McpBench) -> None:
    """Each read on one new connection, on another, on the first again, and so on: what changes by itself shows so.

    So too a resource and a prompt.
    """
    here, there = await bench.reconnected(), await bench.reconnected()
    row = (here, there, here, there, here)
    with suppress(SkipError):
        for request in await offered(here):
            for place in row:
                await request.made(place)
    samples = await here.prepared()
    for tool in await here.reads():
        arguments = await here.arguments(tool, samples)
        if arguments is not None:
            for place in row:
                await place.tried(tool.name, arguments, samples)


LISTED = (
    *(f"MC-LIST-{number:02}" for number in (*range(1, 10), 11, 12)),
    "MC-HINT-01",
    "MC-HINT-05",
)
"""Whatever a list shows."""


@stimulus("mcp", exercises=LISTED, bindings=("mcp",), last=True)
async def the_tools_are_listed_again(bench: McpBench) -> None:
    """After all other calls: on the same connection, and on a new one."""
    await bench.tools()
    again = await bench.reconnected()
    await again.tools()


@stimulus("mcp", exercises=("MC-RPC-07", "MC-RPC-08"), transports=("stdio",), bindings=("mcp",))
async def a_connection_is_ended(bench: McpBench) -> None:
    """One request on a connection of its own, whose end then closes the server's stdin."""
    own = await bench.reconnected()
    await own.request("tools/list")
