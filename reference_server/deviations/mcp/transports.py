"""MC-RPC-07 to -10, -15 to -18 and -21: what only a transport shows."""

import json
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from reference_server.application import Json
from reference_server.deviations.mcp.changing import replace_method
from reference_server.deviations.registry import deviation

if TYPE_CHECKING:
    from mcp.server.transport_security import TransportSecuritySettings
    from mcp.types import CallToolRequestParams
    from starlette.types import Message, Scope

    from reference_server.bindings.sdk import Context, HttpServer, StdioServer

LINGERING_S: Final = 30
OK: Final = 200
BAD_REQUEST: Final = 400
NOT_FOUND: Final = 404


@deviation("MC-RPC-07", transport="stdio")
def banner_on_stdout(server: "StdioServer") -> None:
    """A banner is printed on stdout before the first message."""

    def announce() -> None:
        sys.stdout.write("reference-server: ready to serve\n")
        sys.stdout.flush()

    replace_method(server, "announce", announce)


@deviation("MC-RPC-08", transport="stdio")
def lingers_after_stdin_closed(server: "StdioServer") -> None:
    """The process stays for 30 s after its stdin closed."""

    async def finish() -> None:
        from anyio import sleep  # noqa: PLC0415 -- in process none of it is needed

        await sleep(LINGERING_S)

    replace_method(server, "finish", finish)


@deviation("MC-RPC-09", transport="http")
def any_origin_is_served(server: "HttpServer") -> None:
    """The Origin of a request is not looked at."""

    def security() -> "TransportSecuritySettings":
        from mcp.server.transport_security import TransportSecuritySettings  # noqa: PLC0415 -- in process none of it is needed

        return TransportSecuritySettings(enable_dns_rebinding_protection=False)

    replace_method(server, "security", security)


@deviation("MC-RPC-10", transport="http")
def thread_is_seen_on_its_own_connection_only(server: "HttpServer") -> None:
    """get_thread finds a thread only on the TCP connection over which it was created."""
    original = server.call_tool
    homes: dict[str, object] = {}

    async def call_tool(context: "Context", params: "CallToolRequestParams") -> dict[str, Json]:
        connection = getattr(context.request, "client", None)
        arguments = params.arguments or {}
        home = homes.get(str(arguments.get("thread_id")), connection)
        if params.name == "get_thread" and home != connection:
            elsewhere = {**(context.params or {}), "arguments": {**arguments, "thread_id": "th_of_another_connection"}}
            context = replace(context, params=elsewhere)
        result = await original(context, params)
        if params.name == "create_thread" and not result["isError"]:
            homes[result["structuredContent"]["thread_id"]] = connection
        return result

    replace_method(server, "call_tool", call_tool)


@deviation("MC-RPC-21", transport="stdio")
def ends_where_the_first_message_is_another(server: "StdioServer") -> None:
    """The process ends when its first message neither asks what it serves nor begins a handshake."""

    def announce() -> None:
        first = sys.stdin.buffer.peek(1)  # type: ignore[union-attr]  # standard input is read through a buffer
        if not any(method in first for method in (b'"initialize"', b'"server/discover"')):
            raise SystemExit(1)

    replace_method(server, "announce", announce)


@deviation("MC-RPC-15", transport="http")
def headers_are_made_to_fit(server: "HttpServer") -> None:
    """The headers that repeat the body are written anew from the body, whatever came in them."""

    def before(scope: "Scope", body: bytes) -> "Scope":
        try:
            asked = json.loads(body)
        except ValueError:
            return scope
        params = asked.get("params", {}) if isinstance(asked, dict) else {}
        if not params:
            return scope
        fitting = {b"mcp-method": asked.get("method"), b"mcp-name": params.get("name")}
        kept = [(name, value) for name, value in scope["headers"] if name not in fitting]
        made = [(name, str(value).encode()) for name, value in fitting.items() if value is not None]
        return {**scope, "headers": kept + made}

    replace_method(server, "received", before)


@deviation("MC-RPC-16", transport="http")
def answers_are_plain_text(server: "HttpServer") -> None:
    """Every answer says that it is text/plain."""

    def answered(_scope: "Scope", start: "Message") -> "Message":
        kept = [(name, value) for name, value in start["headers"] if name != b"content-type"]
        return {**start, "headers": [*kept, (b"content-type", b"text/plain")]}

    replace_method(server, "answered", answered)


@deviation("MC-RPC-17", transport="http")
def ended_sessions_are_a_bad_request(server: "HttpServer") -> None:
    """A request of a session that was ended gets HTTP 400 instead of 404."""

    def answered(scope: "Scope", start: "Message") -> "Message":
        of_a_session = any(name == b"mcp-session-id" for name, _ in scope["headers"])
        return {**start, "status": BAD_REQUEST} if of_a_session and start["status"] == NOT_FOUND else start

    replace_method(server, "answered", answered)


@deviation("MC-RPC-18", transport="http")
def any_method_is_welcome(server: "HttpServer") -> None:
    """GET and DELETE get HTTP 200."""

    def answered(scope: "Scope", start: "Message") -> "Message":
        return {**start, "status": OK} if scope["method"] in ("GET", "DELETE") else start

    replace_method(server, "answered", answered)
