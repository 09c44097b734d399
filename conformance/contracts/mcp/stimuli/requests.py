"""What every request tells of itself, left out or said wrongly, in a good request of each kind."""

from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from conformance.contracts.mcp.apart import bare, claiming, stateless, with_headers, without_meta
from conformance.contracts.mcp.bench import McpBench
from conformance.contracts.mcp.offered import KINDS, PROMPTS, RESOURCES, named
from conformance.contracts.mcp.stimuli.calls import working
from conformance.contracts.mcp.stimuli.offered import VALUE, declared, listed
from conformance.drive.caller import CLIENT, Alter
from conformance.drive.errors import SkipError, StuckError
from conformance.drive.revisions import CAPABILITIES_KEY, HANDSHAKE, STATELESS, VERSION_KEY
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.revision import HEADERLESS

UNKNOWN = ("1999-01-01", "2099-12-31", "conformance")
"""Versions that never were: older and newer than all, and no date."""
OTHER = "no_such_tool_of_this_server"
TRIES = 3
"""Resources or prompts of which one that is given is looked for."""


class Request(NamedTuple):
    """A request that the server serves."""

    method: str
    params: dict[str, Json]
    credential: str | None = None

    async def made(self, bench: McpBench, altered: Alter | None = None, credential: str | None = None) -> Exchange:
        """Makes it, or what `altered` makes of it; in another's name where there is a `credential`."""
        caller = credential or self.credential
        return await bench.request(self.method, self.params, credential=caller, altered=altered)


async def lists(bench: McpBench) -> list[Request]:
    """Those that ask what there is: tools, and what else is declared."""
    found = []
    for method, capability in (("tools/list", ""), *((kind.method, kind.capability) for kind in KINDS)):
        with suppress(SkipError):
            if capability:
                await declared(bench, capability)
            good = await bench.request(method)
            if good.received is None:
                break  # nor would the others be answered
            if good.accepted:
                found.append(Request(method, {}))
    return found


async def a_call(bench: McpBench) -> list[Request]:
    """A call that works; none of a contract's tools, which are its own laws' matter."""
    with suppress(SkipError):
        found = await working(bench) if not bench.of_a_contract else None
        if found is not None:
            tool, good, samples = found
            return [Request("tools/call", {"name": tool.name, "arguments": good}, samples.callers.get(tool.name))]
    return []


async def offered(bench: McpBench) -> list[Request]:
    """A resource that is read, and a prompt that is given."""
    if bench.session.statement.calls.harmless == "none":
        raise SkipError("no resource may be read, and no prompt asked for: calls.harmless is 'none'")
    found = []
    with suppress(SkipError):
        await declared(bench, "resources")
        found += await _given(
            bench, "resources/read", [{"uri": each["uri"]} for each in await listed(bench, RESOURCES)]
        )
    with suppress(SkipError):
        await declared(bench, "prompts")
        free = sorted(await listed(bench, PROMPTS), key=lambda each: len(named(each, required=True)))
        wanted = [(each["name"], dict.fromkeys(sorted(named(each, required=True)), VALUE)) for each in free]
        asked = [{"name": name, **({"arguments": arguments} if arguments else {})} for name, arguments in wanted]
        found += await _given(bench, "prompts/get", asked)
    return found


async def _given(bench: McpBench, method: str, wanted: Sequence[dict[str, Json]]) -> list[Request]:
    """The first of a few that is served."""
    for params in wanted[:TRIES]:
        if (await bench.request(method, params)).accepted:
            return [Request(method, params)]
    return []


@stimulus("mcp", exercises=("MC-RPC-05", "MC-RPC-13", "MC-RPC-02"), bindings=("mcp",), good_calls=True)
async def a_request_lacks_its_metadata_or_claims_an_unknown_version(bench: McpBench) -> None:
    """Each list, and a call that works: without the client's capabilities, without a version, and with an unknown one.

    Without a version, or without any metadata, only where that is no request of an older revision: a header names it
    over HTTP, elsewhere the server makes no handshake.
    """
    await stateless(bench)
    for version in UNKNOWN:
        await bench.request("tools/list", altered=claiming(version))
    altered = await _wrongs(bench)
    for request in [*await lists(bench), *await a_call(bench)]:
        for each in altered:
            await request.made(bench, each)


@stimulus("mcp", exercises=("MC-RPC-05", "MC-RPC-13", "MC-RPC-15"), bindings=("mcp",), last=True)
async def a_resource_or_prompt_is_asked_for_wrongly(bench: McpBench) -> None:
    """A resource that is read and a prompt that is given: without metadata, and with an unknown version.

    Over HTTP also without the header that names them, and with another's name. Alone: a call may remove the resource
    in between.
    """
    await stateless(bench)
    altered = await _wrongs(bench)
    if (await bench.connected()).wire.transport == "http":
        altered += [with_headers(mcp_name=None), with_headers(mcp_name=OTHER)]
    for request in await offered(bench):
        for each in altered:
            await request.made(bench, each)


async def _wrongs(bench: McpBench) -> list[Alter]:
    """What makes a request one that is refused, whatever it asks for."""
    altered = [without_meta(CAPABILITIES_KEY), claiming(UNKNOWN[0])]
    if (await bench.connected()).wire.transport == "http" or await _makes_no_handshake(bench):
        altered += [without_meta(VERSION_KEY), bare]
    return altered


async def _makes_no_handshake(bench: McpBench) -> bool:
    try:
        unmet = await bench.unmet()
    except StuckError:
        return False  # a server that starts no more: nobody knows
    return (await asks_for(unmet, HANDSHAKE[0])).refused


async def asks_for(unmet: McpBench, revision: str, altered: Alter | None = None) -> Exchange:
    """Asks for a handshake of a revision, on a connection on which nothing was said before."""
    params: dict[str, Json] = {"protocolVersion": revision, "capabilities": {}, "clientInfo": CLIENT}
    return await unmet.request("initialize", params, altered=altered)


@stimulus("mcp", exercises=("MC-RPC-05",), bindings=("mcp",))
async def a_handshake_asks_for_an_unknown_version(bench: McpBench) -> None:
    """Initialize with versions that never were, each on a connection on which nothing was said before."""
    for version in UNKNOWN:
        if (await asks_for(await bench.unmet(), version)).result is None:
            break  # a server without handshakes, or one that starts no more


@stimulus("mcp", exercises=("MC-RPC-05",), transports=("http",), bindings=("mcp",))
async def a_header_names_an_unknown_version(bench: McpBench) -> None:
    """tools/list with the header of versions that never were, where a handshake agreed on one."""
    revision = await bench.revision()
    if revision in STATELESS or revision in HEADERLESS:
        raise SkipError("in this revision no header alone names the version")
    for version in UNKNOWN:
        await bench.request("tools/list", altered=with_headers(mcp_protocol_version=version))
