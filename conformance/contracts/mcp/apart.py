"""What no ordinary call does: an older handshake, notifications, what is no request, a call that is cancelled."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from conformance.contracts.mcp.bench import McpBench
from conformance.drive import revisions as rev
from conformance.drive.caller import CLIENT, Alter
from conformance.drive.errors import RefusedError, SkipError, TakenError, UsageError
from conformance.drive.greeting import Greeting
from conformance.model.events import Http, Json
from conformance.model.exchange import Exchange

META = "_meta"
TRIES = 4
"""Processes that are started for one that lives."""
EVERYTHING: dict[str, Json] = {"elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {}}
"""What a client may declare that a server can ask it for."""
AFTER_S = 0.5
"""What a server is given to answer a call that was cancelled: it need not answer at all."""


async def stateless(bench: McpBench) -> None:
    """SkipError where the server agreed on a revision by a handshake."""
    if await bench.revision() not in rev.STATELESS:
        raise SkipError("this server agrees on a revision by a handshake")


async def shaken(unmet: McpBench, revision: str | None = None) -> None:
    """Makes the handshake of the older era on a connection of its own; SkipError where the server has none.

    `revision`: what the server agreed on elsewhere, where that was by a handshake.
    """
    asked = revision if revision in rev.HANDSHAKE else rev.HANDSHAKE[0]
    connection = await unmet.connected()
    caller = unmet.caller(None, "")
    connection.token = caller.token if connection.wire.transport == "http" else None
    try:
        await Greeting(connection, caller).handshake(asked)
    except TakenError as error:
        raise SkipError(f"this server has one session for all: {error}") from error
    except (RefusedError, UsageError) as error:
        # what there is to do about an address is not said: another connection began at this one
        said = error.what if isinstance(error, UsageError) else error
        raise SkipError(f"this server made no handshake: {said}") from error


async def older(bench: McpBench) -> McpBench:
    """A bench whose connection began with a handshake: this one, or one with a new connection of its own.

    A process that ends is started again: it may have ended for another one that was starting.
    """
    if await bench.revision() not in rev.STATELESS:
        return bench
    for left in reversed(range(TRIES)):
        unmet = await bench.unmet()
        try:
            await shaken(unmet)
        except SkipError:
            wire = (await unmet.connected()).wire
            if not left or wire.transport != "stdio" or wire.alive:
                raise
        else:
            break
    return unmet


async def by_other_clients(
    bench: McpBench, method: str, params: dict[str, Json], credential: str | None = None
) -> None:
    """A request by a client that declares all; where that is asked back, by ones without what it was asked for."""

    async def asked(capabilities: Json) -> Exchange:
        return await bench.request(
            method, {**params, META: {rev.CAPABILITIES_KEY: capabilities}}, credential=credential
        )

    answer = await asked(EVERYTHING)
    requests = (answer.result or {}).get("inputRequests") if answer.asks_back else None
    wanted = requests.values() if isinstance(requests, dict) else ()
    methods = (each.get("method") for each in wanted if isinstance(each, dict))
    families = {method.partition("/")[0] for method in methods if isinstance(method, str)}
    for family in sorted(families.intersection(EVERYTHING)):
        await asked({name: each for name, each in EVERYTHING.items() if name != family})
    if "elicitation" in families:
        await asked({**EVERYTHING, "elicitation": {"form": {}}})


async def notify(bench: McpBench, method: str, params: Mapping[str, Json]) -> None:
    """Sends a notification."""
    connection = await bench.connected()
    await connection.beside.say({"jsonrpc": "2.0", "method": method, "params": dict(params)})


async def send(bench: McpBench, payload: Json) -> None:
    """Sends what is no message of MCP, or no JSON at all: bytes go out as they are."""
    connection = await bench.connected()
    await connection.beside.say(payload, connection.headed("tools/list", {}, connection.token))


async def visit(bench: McpBench, verb: str, path: str | None = None) -> None:
    """Makes an HTTP request without a body, to the endpoint or to another path of its server."""
    connection = await bench.connected()
    http = connection.headed("", {}, connection.token if path is None else None)
    headers = {name: value for name, value in http.headers.items() if name not in ("content-type", "mcp-method")}
    if path is not None:
        headers = {"accept": "application/json"}
    await connection.beside.say(None, Http(method=verb, path=path or http.path, headers=headers))


def without_meta(*names: str) -> Alter:
    """Leaves these members of `_meta` out of a request."""

    def altered(message: dict[str, Any], http: Http) -> tuple[dict[str, Any], Http]:
        params = message.get("params", {})
        kept = {name: value for name, value in params.get(META, {}).items() if name not in names}
        return {**message, "params": {**params, META: kept}}, http

    return altered


def bare(message: dict[str, Any], http: Http) -> tuple[dict[str, Any], Http]:
    """Leaves `_meta` out of a request."""
    params = {name: value for name, value in message.get("params", {}).items() if name != META}
    return {**message, "params": params}, http


def claiming(version: str) -> Alter:
    """Names another version in a request: in `_meta`, and over HTTP in the header."""

    def altered(message: dict[str, Any], http: Http) -> tuple[dict[str, Any], Http]:
        params = message.get("params", {})
        claimed = {**message, "params": {**params, META: {**params.get(META, {}), rev.VERSION_KEY: version}}}
        return with_headers(mcp_protocol_version=version)(claimed, http) if http.headers else (claimed, http)

    return altered


def with_id(made: Callable[[int], Json]) -> Alter:
    """Makes a request under another id; `made` is given the one that it would have."""

    def altered(message: dict[str, Any], http: Http) -> tuple[dict[str, Any], Http]:
        return {**message, "id": made(message["id"])}, http

    return altered


async def unversioned(bench: McpBench, number: str) -> dict[str, Json]:
    """A request for the tools that is no JSON-RPC 2.0, as it does not say so; the rest is as it ought to be."""
    revision = await bench.revision()
    claims = {rev.VERSION_KEY: revision, rev.CAPABILITIES_KEY: {}, rev.CLIENT_KEY: CLIENT}
    params = {META: claims} if revision in rev.STATELESS else {}
    return {"id": number, "method": "tools/list", "params": params}


def with_headers(**changed: str | None) -> Alter:
    """Gives headers other values; None leaves one out. `_` in a name stands for `-`."""
    wanted = {name.replace("_", "-"): value for name, value in changed.items()}

    def altered(message: dict[str, Any], http: Http) -> tuple[dict[str, Any], Http]:
        given = {**http.headers, **wanted}
        headers = {name: value for name, value in given.items() if value is not None}
        return message, Http(method=http.method, path=http.path, headers=headers)

    return altered


async def abandon(bench: McpBench, tool: str, arguments: Json, *, credential: str | None = None) -> Exchange:
    """Calls a tool and cancels the call as soon as it has left."""
    connection, sent = await bench.connected(), []

    def noted(message: dict[str, Any], http: Http) -> tuple[dict[str, Any], Http]:
        sent.append(message["id"])
        return message, http

    wanted = {"name": tool, "arguments": arguments}
    call = asyncio.create_task(
        bench.request("tools/call", wanted, credential=credential, altered=noted, limit_s=AFTER_S, ends="cancelled")
    )
    try:
        known = bench.session.recorder.history.find
        while not call.done() and not (sent and known(sent[0]) is not None):  # noqa: ASYNC110 -- in process it is over within a turn of the loop
            await asyncio.sleep(0)
        if sent:
            params = {"requestId": sent[0], "reason": "the caller no longer needs it"}
            await connection.beside.say({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params})
        return await call
    finally:
        call.cancel()
