"""Connections of the older era: pings, requests that come too early, sessions that end."""

from conformance.contracts.mcp.apart import TRIES, older, shaken
from conformance.contracts.mcp.bench import McpBench
from conformance.drive.bench import side_by_side
from conformance.drive.errors import SkipError
from conformance.drive.stimulus import stimulus
from conformance.model.exchange import SESSION

EARLY_S = 2.0
"""What a server is given to answer a request that came before the handshake: it need not."""


@stimulus("mcp", exercises=("MC-RPC-11", "MC-RPC-12"), bindings=("mcp",))
async def the_server_is_pinged(bench: McpBench) -> None:
    """Before and after other requests."""
    there = await older(bench)
    await there.request("ping")
    await there.request("tools/list")
    await there.request("tools/no_such_method")
    await there.request("ping")


@stimulus("mcp", exercises=("MC-RPC-21",), bindings=("mcp",))
async def requests_come_before_the_handshake(bench: McpBench) -> None:
    """A handshake as it ought to be; on another connection ping, which may come before it, and tools/list, then it.

    A process that ends is started again: it may have ended for another one that was starting. A session that the server
    forgets at once is begun anew.
    """
    await side_by_side(older(bench), _too_early(bench))


async def _too_early(bench: McpBench) -> None:
    for _ in range(TRIES):
        if await _lived(await bench.unmet(), await bench.revision()):
            return


async def _lived(unmet: McpBench, revision: str | None) -> bool:
    """Whether the server lived to make the handshake, and knew the session when it was asked for something in it."""
    for method in ("ping", "tools/list"):
        early = await unmet.request(method, limit_s=EARLY_S)
        if early.unanswered == "lost":
            return False
        if early.unanswered is not None:
            break
    await shaken(unmet, revision)
    return not (await unmet.request("tools/list")).of_no_session


@stimulus("mcp", exercises=("MC-RPC-17",), transports=("http",), bindings=("mcp",))
async def a_session_is_ended(bench: McpBench) -> None:
    """On a connection of its own: a session that nobody gave, then its own, which is ended, then a new one."""
    own = await bench.unmet()
    await shaken(own, await bench.revision())
    connection = await own.connected()
    session = connection.session
    if session is None:
        raise SkipError("this server gives no session out")
    await own.request("tools/list")
    await own.request("tools/list", headers={SESSION: f"conformance-{bench.session.nonce}"})
    await connection.beside.leave(EARLY_S)
    await own.request("tools/list", headers={SESSION: session})
    anew = await bench.unmet()
    await shaken(anew, await bench.revision())
    await anew.request("tools/list")
