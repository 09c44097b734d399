"""MC-RPC-07 to -10: what only a transport shows."""

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from reference_server.application import Json
from reference_server.deviations.mcp.changing import replace_method
from reference_server.deviations.registry import deviation

if TYPE_CHECKING:
    from mcp.server.transport_security import TransportSecuritySettings
    from mcp.types import CallToolRequestParams

    from reference_server.bindings.sdk import Context, HttpServer, StdioServer

LINGERING_S: Final = 30


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
