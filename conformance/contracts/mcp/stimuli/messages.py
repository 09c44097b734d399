"""Requests and frames that are not as they ought to be, and notifications."""

from contextlib import suppress

from conformance.contracts.mcp.apart import notify, send, stateless, unversioned, with_id
from conformance.contracts.mcp.bench import McpBench
from conformance.contracts.mcp.offered import declares
from conformance.contracts.mcp.stimuli.calls import working
from conformance.contracts.mcp.stimuli.requests import lists
from conformance.drive.errors import SkipError
from conformance.drive.revisions import STATELESS
from conformance.drive.stimulus import stimulus
from conformance.model.revision import DISCOVERY, LEVELS, SET_LEVEL

NEVER_GIVEN = "conformance-never-given"
CUT_SHORT = b'{"jsonrpc": "2.0", "method": '
LARGEST_ID = 2**53 - 1
NO_REQUESTS = ("no request", {"jsonrpc": "2.0", "params": {}})


@stimulus("mcp", exercises=("MC-RPC-19",), bindings=("mcp",))
async def the_server_is_asked_what_it_is(bench: McpBench) -> None:
    """server/discover, where the revision has it."""
    await stateless(bench)
    await bench.request(DISCOVERY)


@stimulus("mcp", exercises=("MC-RPC-12", "MC-RPC-14"), bindings=("mcp",), last=True)
async def notifications_are_sent(bench: McpBench) -> None:
    """One that cancels a request which is over, and one that nobody knows; a request after each."""
    over = await bench.request("tools/list")
    await notify(bench, "notifications/cancelled", {"requestId": over.call, "reason": "it is over"})
    await bench.request("tools/list")
    await notify(bench, "notifications/conformance", {})
    await bench.request("tools/list")


@stimulus("mcp", exercises=("MC-CALL-13",), bindings=("mcp",), last=True, good_calls=True)
async def log_messages_are_asked_for(bench: McpBench) -> None:
    """After a handshake, each tool that works: while the gravest log messages alone are wanted, and while all are.

    Alone: the level is set for the whole connection. Without a handshake each request says which it wants. A contract's
    own laws may have a use for log messages.
    """
    connection = await bench.connected()
    known = bench.session.recorder.history.connections[connection.name]
    if bench.of_a_contract or connection.revision in STATELESS or not declares(known, "logging"):
        return
    samples = await bench.prepared()
    for level in (LEVELS[-1], LEVELS[0]):
        if not (await bench.request(SET_LEVEL, {"level": level})).accepted:
            return
        for tool in await bench.callable():
            if samples.works(tool.name) and not bench.slow(tool.name) and not bench.silent(tool.name):
                await bench.tried(tool.name, samples.arguments[tool.name], samples)


@stimulus("mcp", exercises=("MC-RPC-01",), bindings=("mcp",), good_calls=True)
async def requests_have_other_ids(bench: McpBench) -> None:
    """Ids that are a text, a text of digits, nought, or large: clients count from there, or name each request.

    The large one is the largest whole number that JSON carries exactly everywhere (RFC 8259, section 6).
    """
    for made in (_nought, str, _named):
        await bench.request("tools/list", altered=with_id(made))
    found = None
    with suppress(SkipError):
        found = await working(bench)
    if found is None:
        await bench.request("tools/list", altered=with_id(_large))
        return
    tool, good, samples = found
    wanted, caller = {"name": tool.name, "arguments": good}, samples.callers.get(tool.name)
    for made in (str, _named, _large):
        await bench.request("tools/call", wanted, credential=caller, altered=with_id(made))


def _nought(_: int) -> int:
    return 0


def _large(_: int) -> int:
    return LARGEST_ID


def _named(number: int) -> str:
    return f"conformance-{number}"


@stimulus("mcp", exercises=("MC-LIST-10",), bindings=("mcp",))
async def a_cursor_is_made_up(bench: McpBench) -> None:
    """Each list with a cursor that the server never gave."""
    for request in await lists(bench):
        await bench.request(request.method, {"cursor": NEVER_GIVEN})


@stimulus("mcp", exercises=("MC-RPC-20",), bindings=("mcp",))
async def frames_are_no_request(bench: McpBench) -> None:
    """On a connection of their own: JSON cut short, a text, an object without a method, and one without a version.

    A request after each.
    """
    own = await bench.reconnected()
    in_process = (await own.connected()).wire.transport == "in-process"
    frames = (*NO_REQUESTS, await unversioned(own, f"conformance-{bench.session.nonce}"))
    for frame in frames if in_process else (CUT_SHORT, *frames):
        await send(own, frame)
        if (await own.request("tools/list")).received is None:
            break
