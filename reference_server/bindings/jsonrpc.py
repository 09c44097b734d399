"""MCP in process: a message goes in as a dict and comes out as a dict. Both eras of the protocol, no transport."""

import asyncio
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from typing import Final

from reference_server.application import Json
from reference_server.bindings.protocol import (
    CAPABILITIES_KEY,
    HANDSHAKE_VERSIONS,
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    LOG_LEVEL_KEY,
    METHOD_NOT_FOUND,
    SERVER_INFO_KEY,
    STATELESS_VERSIONS,
    UNSUPPORTED_PROTOCOL_VERSION,
    VERSION_KEY,
    ProtocolError,
)
from reference_server.bindings.streaming import LEVELS, Channel
from reference_server.bindings.surface import SERVER_INFO, Surface, meta_of

Message = dict[str, Json]
Notify = Callable[[Message], None]

STATELESS_ONLY: Final = ("resultType", "ttlMs", "cacheScope")
"""Keys of a result that the revisions with a handshake do not know."""
_OUTGOING: ContextVar[Notify | None] = ContextVar("_OUTGOING", default=None)
"""What takes the messages that are sent before the answer to the one that is handled."""


class Dispatcher:
    """One connection. Once `initialize` was answered, requests without a version in `_meta` are of the older era.

    Every method may be replaced on one instance: that is where deviations act.
    """

    def __init__(self, surface: Surface) -> None:
        self.surface = surface
        self.handshaken = False
        self.level = LEVELS[0]
        """The least severe level of logging that a client of the older era wants."""
        self.running: dict[str | int, asyncio.Task[Message]] = {}
        """Calls that can be cancelled, by the id of their request."""

    def replaced(self) -> bool:
        """Whether a deviation took the place of one of these methods."""
        return not vars(self).keys() <= {"surface", "handshaken", "level", "running"}

    async def handle(self, message: Json, notify: Notify | None = None) -> Message | None:
        """The answer to one message, None to a notification. What else is sent meanwhile goes to `notify`."""
        _OUTGOING.set(notify)
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
            self.noticed(message)
            return []
        request_id, params = message["id"], message.get("params", {})
        if not isinstance(request_id, str | int) or isinstance(request_id, bool):
            return [self.refusal(None, ProtocolError(INVALID_REQUEST, "Invalid Request: id is a string or an integer"))]
        try:
            if not isinstance(method, str):
                raise ProtocolError(INVALID_REQUEST, "Invalid Request: method is a string")
            if not isinstance(params, dict):
                raise ProtocolError(INVALID_PARAMS, "Invalid request parameters: params is an object")
            result = await self.served(request_id, method, params)
        except ProtocolError as error:
            return [self.refusal(request_id, error)]
        except Exception:  # noqa: BLE001 -- as the SDK's server: a fault of the domain is an internal error to its caller
            return [self.refusal(request_id, ProtocolError(INTERNAL_ERROR, "Internal error"))]
        return [] if result is None else [{"jsonrpc": "2.0", "id": request_id, "result": result}]

    async def served(self, request_id: str | int, method: str, params: Mapping[str, Json]) -> Message | None:
        """The result of a request; None where it was cancelled meanwhile."""
        if method != "tools/call" or not self.surface.host.served.streams or request_id in self.running:
            return await self.dispatch(method, params)
        task = self.running[request_id] = asyncio.create_task(self.dispatch(method, params))
        try:
            await asyncio.wait((task,))
            return None if task.cancelled() else task.result()
        finally:
            del self.running[request_id]
            task.cancel()

    def noticed(self, message: Mapping[str, Json]) -> None:
        """Obeys a notification: that a request is cancelled stops its call, and no answer is sent."""
        params = message.get("params")
        if message.get("method") != "notifications/cancelled" or not isinstance(params, dict):
            return
        named = params.get("requestId")
        task = self.running.get(named) if isinstance(named, str | int) else None
        if task is not None:
            task.cancel()

    async def dispatch(self, method: str, params: Mapping[str, Json]) -> Message:
        """The result of one request, in the form of its era."""
        meta = meta_of(params)
        if VERSION_KEY not in meta:
            if method == "initialize":
                return self.initialize(params)
            if method == "ping":
                return self.ping()
            if self.handshaken:
                if method == "logging/setLevel" and self.surface.host.served.streams:
                    return self.set_level(params)
                return self.older(await self.result(method, params))
        self.check_envelope(meta)
        if method == "server/discover":
            return self.complete(self.surface.discover())
        return self.complete(await self.result(method, params))

    async def result(self, method: str, params: Mapping[str, Json]) -> Message:
        """The result of a method that both eras have."""
        if method == "tools/call":
            return await self.surface.call_tool(params, channel=self.channel(params))
        if method == "tools/list":
            return self.surface.list_tools(params)
        serve = self.surface.offers.handler(method) if self.surface.offers is not None else None
        if serve is not None:
            return serve(params)
        raise self.unknown_method(method)

    def channel(self, params: Mapping[str, Json]) -> Channel | None:
        """The way back to the caller while its call is served."""
        notify, meta = _OUTGOING.get(), meta_of(params)
        if notify is None:
            return None

        async def send(method: str, told: Message) -> None:
            notify({"jsonrpc": "2.0", "method": method, "params": told})

        return Channel(send, meta.get(LOG_LEVEL_KEY) if VERSION_KEY in meta else self.level)

    def set_level(self, params: Mapping[str, Json]) -> Message:
        """The result of logging/setLevel. ProtocolError: there is no such level."""
        level = params.get("level")
        if level not in LEVELS:
            raise ProtocolError(INVALID_PARAMS, f"Invalid request parameters: level is one of {', '.join(LEVELS)}")
        self.level = level
        return {}

    def ping(self) -> Message:
        """The result of the older era's ping."""
        return {}

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
        result.setdefault("resultType", "complete")
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
