"""Connections of the older era: pings, requests that come too early, sessions that end."""

from conformance.contracts.mcp.apart import older, shaken
from conformance.contracts.mcp.bench import McpBench
from conformance.contracts.mcp.sessions import SESSION
from conformance.drive.errors import SkipError
from conformance.drive.stimulus import stimulus

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


@stimulus("mcp", exercises=("MC-RPC-21",), bindings=("mcp",), last=True)
async def requests_come_before_the_handshake(bench: McpBench) -> None:
    """A handshake as it ought to be; on another connection ping, which may come before it, and tools/list, then it.

    While no other process of the server starts, as it may end for that.
    """
    await older(bench)
    unmet = await bench.unmet()
    for method in ("ping", "tools/list"):
        early = await unmet.request(method, limit_s=EARLY_S)
        if early.unanswered == "lost":
            return
        if early.unanswered is not None:
            break
    await shaken(unmet)
    await unmet.request("tools/list")


@stimulus("mcp", exercises=("MC-RPC-17",), transports=("http",), bindings=("mcp",))
async def a_session_is_ended(bench: McpBench) -> None:
    """On a connection of its own: a session that nobody gave, then its own, which is ended, then a new one."""
    own = await bench.unmet()
    await shaken(own)
    connection = await own.connected()
    session = connection.session
    if session is None:
        raise SkipError("this server gives no session out")
    await own.request("tools/list")
    await own.request("tools/list", headers={SESSION: f"conformance-{bench.session.nonce}"})
    await connection.beside.leave(EARLY_S)
    await own.request("tools/list", headers={SESSION: session})
    anew = await bench.unmet()
    await shaken(anew)
    await anew.request("tools/list")
