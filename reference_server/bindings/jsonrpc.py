"""MCP in process: a message goes in as a dict and comes out as a dict. Both eras of the protocol, no transport."""

from collections.abc import Callable, Mapping
from typing import Final

from reference_server.application import Json
from reference_server.bindings.protocol import (
    CAPABILITIES_KEY,
    HANDSHAKE_VERSIONS,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    SERVER_INFO_KEY,
    STATELESS_VERSIONS,
    UNSUPPORTED_PROTOCOL_VERSION,
    VERSION_KEY,
    ProtocolError,
)
from reference_server.bindings.surface import SERVER_INFO, Surface, meta_of

Message = dict[str, Json]
Notify = Callable[[Message], None]

STATELESS_ONLY: Final = ("resultType", "ttlMs", "cacheScope")
"""Keys of a result that the revisions with a handshake do not know."""


class Dispatcher:
    """One connection. Once `initialize` was answered, requests without a version in `_meta` are of the older era.

    Every method may be replaced on one instance: that is where deviations act.
    """

    def __init__(self, surface: Surface) -> None:
        self.surface = surface
        self.handshaken = False

    def replaced(self) -> bool:
        """Whether a deviation took the place of one of these methods."""
        return not vars(self).keys() <= {"surface", "handshaken"}

    async def handle(self, message: Json, notify: Notify | None = None) -> Message | None:
        """The answer to one message, None to a notification. What else is sent meanwhile goes to `notify`."""
        answers = await self.answers(message)
        if notify is not None:
            for early in answers[:-1]:
                notify(early)
        return answers[-1] if answers else None

    async def answers(self, message: Json) -> list[Message]:
        """All messages that answer one: exactly one for a request, none for a notification or an answer."""
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            return [self.refusal(None, ProtocolError(INVALID_REQUEST, "Invalid Request"))]
        method = message.get("method")
        if "id" not in message or (method is None and ("result" in message or "error" in message)):
            return []
        request_id, params = message["id"], message.get("params", {})
        if not isinstance(request_id, str | int) or isinstance(request_id, bool):
            return [self.refusal(None, ProtocolError(INVALID_REQUEST, "Invalid Request: id is a string or an integer"))]
        try:
            if not isinstance(method, str):
                raise ProtocolError(INVALID_REQUEST, "Invalid Request: method is a string")
            if not isinstance(params, dict):
                raise ProtocolError(INVALID_PARAMS, "Invalid request parameters: params is an object")
            result = await self.dispatch(method, params)
        except ProtocolError as error:
            return [self.refusal(request_id, error)]
        return [{"jsonrpc": "2.0", "id": request_id, "result": result}]

    async def dispatch(self, method: str, params: Mapping[str, Json]) -> Message:
        """The result of one request, in the form of its era."""
        meta = meta_of(params)
        if VERSION_KEY not in meta:
            if method == "initialize":
                return self.initialize(params)
            if method == "ping":
                return {}
            if self.handshaken:
                return self.older(await self.result(method, params))
        self.check_envelope(meta)
        if method == "server/discover":
            return self.complete(self.surface.discover())
        return self.complete(await self.result(method, params))

    async def result(self, method: str, params: Mapping[str, Json]) -> Message:
        """The result of a method that both eras have."""
        if method == "tools/call":
            return await self.surface.call_tool(params)
        if method == "tools/list":
            return self.surface.list_tools(params)
        raise self.unknown_method(method)

    def check_envelope(self, meta: Mapping[str, Json]) -> None:
        """ProtocolError: `_meta` lacks what every request of 2026-07-28 carries, or names a version not served."""
        for key, kind in ((VERSION_KEY, str), (CAPABILITIES_KEY, dict)):
            if not isinstance(meta.get(key), kind):
                raise ProtocolError(INVALID_PARAMS, f"Invalid request parameters: _meta needs {key}")
        self.check_version(meta[VERSION_KEY])

    def check_version(self, requested: str) -> None:
        """ProtocolError: a version that is not served statelessly."""
        if requested not in STATELESS_VERSIONS:
            data = {"supported": list(STATELESS_VERSIONS), "requested": requested}
            raise ProtocolError(UNSUPPORTED_PROTOCOL_VERSION, "Unsupported protocol version", data)

    def initialize(self, params: Mapping[str, Json]) -> Message:
        """The result of the handshake, which this connection has then made."""
        requested = params.get("protocolVersion")
        if not isinstance(requested, str):
            raise ProtocolError(INVALID_PARAMS, "Invalid request parameters: protocolVersion is a string")
        self.handshaken = True
        return {
            "protocolVersion": self.negotiate(requested),
            "capabilities": self.surface.capabilities(),
            "serverInfo": SERVER_INFO,
        }

    def negotiate(self, requested: str) -> str:
        """The version that a handshake agrees on: the one asked for where it is served, else the latest."""
        return requested if requested in HANDSHAKE_VERSIONS else HANDSHAKE_VERSIONS[-1]

    def complete(self, result: Message) -> Message:
        """A result as 2026-07-28 has it."""
        result["resultType"] = "complete"
        return result

    def older(self, result: Message) -> Message:
        """A result as the revisions with a handshake have it."""
        for key in STATELESS_ONLY:
            result.pop(key, None)
        meta = {key: value for key, value in result.pop("_meta", {}).items() if key != SERVER_INFO_KEY}
        if meta:
            result["_meta"] = meta
        return result

    def unknown_method(self, method: str) -> ProtocolError:
        """The refusal of a method that there is not."""
        return ProtocolError(METHOD_NOT_FOUND, f"Method not found: {method}")

    def refusal(self, request_id: str | int | None, error: ProtocolError) -> Message:
        """A JSON-RPC error as a message."""
        body: Message = {"code": error.code, "message": error.message}
        if error.data is not None:
            body["data"] = error.data
        return {"jsonrpc": "2.0", "id": request_id, "error": body}


def open_dispatcher(surface: Surface) -> Dispatcher:
    """A dispatcher over a surface, with those deviations of its host that act on MCP's own layer."""
    dispatcher = Dispatcher(surface)
    for deviation in surface.host.deviations:
        if deviation.requirement.startswith("MC-") and deviation.transport is None:
            deviation.apply(dispatcher)
    return dispatcher
