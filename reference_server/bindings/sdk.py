"""The tools served by the MCP SDK's low-level server, over stdio and streamable HTTP, in both eras of the protocol."""

from typing import Any, Final

from mcp import MCPError
from mcp.server import Server, ServerRequestContext
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings
from mcp.types import CallToolRequestParams, PaginatedRequestParams, RequestParams
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.routing import BaseRoute

from reference_server.application import Json
from reference_server.bindings.protocol import ProtocolError
from reference_server.bindings.surface import SERVER_INFO, Caller, Surface

Context = ServerRequestContext[Any]
Result = dict[str, Json]

LARGEST_BODY: Final = 1_048_576
"""Bytes. A message of 65,536 characters fits even where each is escaped as a surrogate pair (12 bytes)."""


class SdkServer:
    """One surface behind the SDK, whose own models never see more of a request than its envelope."""

    def __init__(self, surface: Surface) -> None:
        self.surface = surface

    def server(self) -> Server[Any]:
        """The SDK's server with our handlers: given the schemas, it does not list the tools before each call."""
        schemas = {tool.name: tool.input_schema for tool in self.surface.host.instance({}).application.tools}
        server = Server(
            SERVER_INFO["name"],
            version=SERVER_INFO["version"],
            get_tool_input_schema=schemas.get,
        )
        server.add_request_handler("server/discover", RequestParams, self.discover)
        server.add_request_handler("tools/list", PaginatedRequestParams, self.list_tools)
        server.add_request_handler("tools/call", CallToolRequestParams, self.call_tool)
        return server

    async def discover(self, _context: Context, _params: RequestParams) -> Result:
        """Handles server/discover."""
        return {**self.surface.discover(), "resultType": "complete"}

    async def list_tools(self, context: Context, _params: PaginatedRequestParams) -> Result:
        """Handles tools/list."""
        try:
            return {**self.surface.list_tools(context.params or {}), "resultType": "complete"}
        except ProtocolError as error:
            raise MCPError(error.code, error.message, error.data) from error

    async def call_tool(self, context: Context, _params: CallToolRequestParams) -> Result:
        """Handles tools/call."""
        try:
            result = await self.surface.call_tool(context.params or {}, self.caller(context))
        except ProtocolError as error:
            raise MCPError(error.code, error.message, error.data) from error
        return {**result, "resultType": "complete"}

    def caller(self, context: Context) -> Caller | None:
        """What the transport says of the caller; None on stdio, where `_meta` does."""
        request = context.request
        if not isinstance(request, Request):
            return None
        return Caller(request.headers.get("authorization"), request.headers.get("x-request-id"))


class StdioServer(SdkServer):
    """Messages over stdin and stdout, one a line."""

    def announce(self) -> None:
        """Comes before the first message. Says nothing: stdout is for messages."""

    async def finish(self) -> None:
        """Comes after stdin was closed. Waits for nothing."""

    async def run(self) -> None:
        """Serves until stdin closes."""
        self.announce()
        server = self.server()
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())
        await self.finish()


class HttpServer(SdkServer):
    """Streamable HTTP at /mcp, answering with JSON."""

    def __init__(self, surface: Surface, host: str) -> None:
        super().__init__(surface)
        self.host = host

    def security(self) -> TransportSecuritySettings:
        """Only names of this machine may stand in Host and Origin: no web page elsewhere reaches a local server."""
        names = dict.fromkeys(("127.0.0.1", "localhost", "[::1]", self.host))
        return TransportSecuritySettings(
            enable_dns_rebinding_protection=True,
            allowed_hosts=[f"{name}:*" for name in names],
            allowed_origins=[f"http://{name}:*" for name in names],
        )

    def app(self, *routes: BaseRoute) -> Starlette:
        """The ASGI application; `routes` are served beside /mcp."""
        return self.server().streamable_http_app(
            json_response=True,
            max_request_body_size=LARGEST_BODY,
            transport_security=self.security(),
            custom_starlette_routes=list(routes),  # type: ignore[arg-type]  # Starlette takes any route, a mount too
        )
