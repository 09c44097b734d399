"""The tools served by the MCP SDK's low-level server, over stdio and streamable HTTP, in both eras of the protocol."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from mcp import MCPError
from mcp.server import Server, ServerRequestContext
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings
from mcp.types import (
    CallToolRequestParams,
    GetPromptRequestParams,
    LoggingMessageNotification,
    LoggingMessageNotificationParams,
    PaginatedRequestParams,
    ProgressNotification,
    ProgressNotificationParams,
    ReadResourceRequestParams,
    RequestParams,
    ServerNotification,
    SetLevelRequestParams,
)
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from reference_server.application import Json
from reference_server.bindings.authorization import Gate, Guard
from reference_server.bindings.protocol import LOG_LEVEL_KEY, METHOD_NOT_FOUND, STATELESS_VERSIONS, ProtocolError
from reference_server.bindings.streaming import LEVELS, Channel
from reference_server.bindings.surface import SERVER_INFO, Caller, Surface

Context = ServerRequestContext[Any]
Result = dict[str, Json]

OFFERED: Final = {
    "resources/list": PaginatedRequestParams,
    "resources/templates/list": PaginatedRequestParams,
    "resources/read": ReadResourceRequestParams,
    "prompts/list": PaginatedRequestParams,
    "prompts/get": GetPromptRequestParams,
}
"""Methods besides those of tools, with the SDK's model of their parameters."""
PATH: Final = "/mcp"
LARGEST_BODY: Final = 1_048_576
"""Bytes. A message of 65,536 characters fits even where each is escaped as a surrogate pair (12 bytes)."""


_NOTIFICATIONS: Final[dict[str, Callable[[Result], ServerNotification]]] = {
    "notifications/message": lambda told: LoggingMessageNotification(
        params=LoggingMessageNotificationParams.model_validate(told)
    ),
    "notifications/progress": lambda told: ProgressNotification(params=ProgressNotificationParams.model_validate(told)),
}
"""The SDK's models of what is sent while a call is served."""


class SdkServer:
    """One surface behind the SDK, whose own models never see more of a request than its envelope."""

    def __init__(self, surface: Surface) -> None:
        self.surface = surface
        self.levels: dict[str, str] = {}
        """By session, the least severe level of logging that a client of the older era wants."""

    def server(self) -> Server[Any]:
        """The SDK's server with our handlers: given the schemas, it does not list the tools before each call."""
        tools = self.surface.host.instance({}).application.tools
        schemas = {tool.name: self.surface.input_schema(tool.name, tool.input_schema) for tool in tools}
        server = Server(
            SERVER_INFO["name"],
            version=SERVER_INFO["version"],
            get_tool_input_schema=schemas.get,
        )
        server.add_request_handler("server/discover", RequestParams, self.discover)
        server.add_request_handler("tools/list", PaginatedRequestParams, self.list_tools)
        server.add_request_handler("tools/call", CallToolRequestParams, self.call_tool)
        if self.surface.host.served.streams:
            server.add_request_handler("logging/setLevel", SetLevelRequestParams, self.set_level)
        for method, params in OFFERED.items() if self.surface.offers is not None else ():
            server.add_request_handler(method, params, partial(self.offer, method))
        return server

    async def offer(self, method: str, context: Context, _params: RequestParams) -> Result:
        """Handles what is served besides the tools."""
        serve = self.surface.offers.handler(method) if self.surface.offers is not None else None
        if serve is None:
            raise MCPError(METHOD_NOT_FOUND, f"Method not found: {method}")
        try:
            return {"resultType": "complete", **serve(context.params or {})}
        except ProtocolError as error:
            raise MCPError(error.code, error.message, error.data) from error

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
            result = await self.surface.call_tool(context.params or {}, self.caller(context), self.channel(context))
        except ProtocolError as error:
            raise MCPError(error.code, error.message, error.data) from error
        return {**result, "resultType": "complete"}

    async def set_level(self, context: Context, params: SetLevelRequestParams) -> Result:
        """Handles logging/setLevel, which only the older era has."""
        self.levels[self.session(context)] = params.level
        return {}

    def session(self, context: Context) -> str:
        """What tells the connections of one server apart; over stdio there is one."""
        request = context.request
        return request.headers.get("mcp-session-id", "") if isinstance(request, Request) else ""

    def channel(self, context: Context) -> Channel:
        """The way back to the caller: over stdio the one there is, over HTTP the stream that its answer ends."""

        async def send(method: str, told: Result) -> None:
            notification = _NOTIFICATIONS[method](told)
            await context.session.send_notification(notification, related_request_id=context.request_id)

        if context.protocol_version in STATELESS_VERSIONS:
            meta = (context.params or {}).get("_meta") or {}
            return Channel(send, meta.get(LOG_LEVEL_KEY))
        return Channel(send, self.levels.get(self.session(context), LEVELS[0]))

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
    """Streamable HTTP at /mcp, answering with JSON, or with a stream of events where partial results may come."""

    def __init__(self, surface: Surface, host: str) -> None:
        super().__init__(surface)
        self.host = host
        self.guard = Guard(surface.host.trust, PATH) if surface.host.served.guarded else None
        """Who lets callers in; None: everybody is, and each tool looks at the token itself."""

    def security(self) -> TransportSecuritySettings:
        """Only names of this machine may stand in Host and Origin: no web page elsewhere reaches a local server."""
        names = dict.fromkeys(("127.0.0.1", "localhost", "[::1]", self.host))
        return TransportSecuritySettings(
            enable_dns_rebinding_protection=True,
            allowed_hosts=[f"{name}:*" for name in names],
            allowed_origins=[f"http://{name}:*" for name in names],
        )

    def received(self, scope: Scope, _body: bytes) -> Scope:
        """A request to /mcp as it goes on to the SDK."""
        return scope

    def answered(self, _scope: Scope, start: Message) -> Message:
        """The beginning of the response to it: its status and headers."""
        return start

    def app(self, *routes: BaseRoute) -> Starlette:
        """The ASGI application; `routes` are served beside /mcp."""
        beside: Any = [*routes, *([self.guard.route()] if self.guard is not None else [])]
        app = self.server().streamable_http_app(
            json_response=not self.surface.host.served.streams,
            max_request_body_size=LARGEST_BODY,
            transport_security=self.security(),
            custom_starlette_routes=beside,  # Starlette takes any route, a mount too
        )
        if {"received", "answered"} & vars(self).keys():
            app.add_middleware(Door, server=self)
        if self.guard is not None:
            app.add_middleware(Gate, guard=self.guard)
        return app


class Door:
    """Passes what comes to /mcp, and how it is answered, through the server's own methods."""

    def __init__(self, app: ASGIApp, server: HttpServer) -> None:
        self._app = app
        self._server = server

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http" or scope["path"] != PATH:
            await self._app(scope, receive, send)
            return
        request = await receive() if scope["method"] == "POST" else {}
        body, first = request.get("body", b""), [request] if request else []
        while first and first[-1].get("more_body"):
            first.append(await receive())
            body += first[-1].get("body", b"")

        async def again() -> Message:
            return first.pop(0) if first else await receive()

        async def answer(message: Message) -> None:
            start = message["type"] == "http.response.start"
            await send(self._server.answered(scope, message) if start else message)

        await self._app(self._server.received(scope, body), again, answer)
