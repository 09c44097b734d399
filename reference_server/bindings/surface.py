"""What the server serves whatever carries the messages: the list of tools, calls of them, and their results.

The in-process dispatcher and the SDK's server both ask here, so that they answer alike. Every method may be replaced on
one instance: that is where deviations act.
"""

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from reference_server.application import Answer, Application, Json, Request, UnknownToolError
from reference_server.bindings.encoding import NotJsonError, encode
from reference_server.bindings.offers import CACHE_HINTS, Offers, mirrored
from reference_server.bindings.protocol import (
    AUTHORIZATION_KEY,
    EFFECTS_KEY,
    INVALID_PARAMS,
    SERVER_INFO_KEY,
    STATELESS_VERSIONS,
    ProtocolError,
)
from reference_server.bindings.streaming import Channel, frames_of
from reference_server.host import Host, Instance

SERVER_INFO: Final = {"name": "reference-server", "version": "0.1.0"}
_NO_META: Final[Mapping[str, Json]] = {}


@dataclass(frozen=True, slots=True)
class Caller:
    """What a transport with headers knows of a caller."""

    authorization: str | None
    """The value of the Authorization header."""
    request_id: str | None = None
    """The value of x-request-id."""


class Surface:
    """The tools of one host, as MCP shows them. Results have the form of 2026-07-28, resultType left out."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.offers = Offers(host.instance({}).application.tools) if host.served.offers else None
        """Resources and prompts; None: this contract's server has none."""

    def capabilities(self) -> dict[str, Json]:
        """The server's capabilities, in `server/discover` and `initialize`."""
        offered = self.offers.capabilities() if self.offers is not None else {}
        return {"tools": {"listChanged": False}, **offered, **({"logging": {}} if self.host.served.streams else {})}

    def discover(self) -> dict[str, Json]:
        """The result of `server/discover`."""
        return {
            "supportedVersions": list(STATELESS_VERSIONS),
            "capabilities": self.capabilities(),
            **CACHE_HINTS,
            "_meta": {SERVER_INFO_KEY: SERVER_INFO},
        }

    def listing(self, instance: Instance) -> list[dict[str, Json]]:
        """All tools in the wire form, in their fixed order."""
        listed = [tool.as_listed() for tool in instance.application.tools]
        return [{**tool, "inputSchema": self.input_schema(tool["name"], tool["inputSchema"])} for tool in listed]

    def input_schema(self, name: str, schema: dict[str, Json]) -> dict[str, Json]:
        """The inputSchema of a tool as this server lists it."""
        return mirrored(name, schema) if self.offers is not None else schema

    def list_tools(self, params: Mapping[str, Json]) -> dict[str, Json]:
        """The result of `tools/list`. ProtocolError: a cursor that was not given out."""
        instance = self.host.instance(meta_of(params))
        listed = self.listing(instance)
        start = self.position(params.get("cursor"), instance, len(listed))
        end = start + (instance.page_size or len(listed))
        result: dict[str, Json] = {"tools": listed[start:end], **CACHE_HINTS, "_meta": {SERVER_INFO_KEY: SERVER_INFO}}
        if end < len(listed):
            result["nextCursor"] = base64.urlsafe_b64encode(f"tools:{end}".encode()).decode()
        return result

    def position(self, cursor: Json, instance: Instance, total: int) -> int:
        """Where the page of a cursor begins, counted from 0."""
        if cursor is None:
            return 0
        try:
            kind, _, start = base64.urlsafe_b64decode(cursor).decode().partition(":")
            given = int(start)
        except (TypeError, AttributeError, ValueError, binascii.Error):
            raise ProtocolError(INVALID_PARAMS, "Invalid cursor") from None
        size = instance.page_size
        if kind != "tools" or size is None or given % size or not 0 < given < total:
            raise ProtocolError(INVALID_PARAMS, "Invalid cursor")
        return given

    async def call_tool(
        self, params: Mapping[str, Json], caller: Caller | None = None, channel: Channel | None = None
    ) -> dict[str, Json]:
        """The result of `tools/call`. Without a caller (stdio, in process) `_meta` carries what headers would.

        `channel`: where partial results go meanwhile.

        ProtocolError: no name, arguments that are no object or no JSON, a tool that there is not.
        """
        meta = meta_of(params)
        name, arguments = params.get("name"), params.get("arguments")
        if not isinstance(name, str):
            raise ProtocolError(INVALID_PARAMS, "Invalid request parameters: name is a string")
        if arguments is None:
            arguments = {}
        elif not isinstance(arguments, dict):
            raise ProtocolError(INVALID_PARAMS, "Invalid request parameters: arguments is an object")
        try:
            encode(arguments)
        except NotJsonError as error:
            raise ProtocolError(INVALID_PARAMS, f"Invalid request parameters: {error}") from None
        if caller is None:
            authorization = meta.get(AUTHORIZATION_KEY)
            caller = Caller(authorization if isinstance(authorization, str) else None)
        instance = self.host.instance(meta)
        frames = frames_of(meta, channel, name) if self.host.served.streams else None
        conditions = self.host.conditions(meta)
        request = Request(name, arguments, caller.authorization, conditions, caller.request_id, frames)
        try:
            answer = await self.serve(request, instance.application)
        except UnknownToolError:
            raise ProtocolError(INVALID_PARAMS, f"Unknown tool: {name}") from None
        return self.result(request, answer)

    async def serve(self, request: Request, application: Application) -> Answer:
        """One call of a tool, free of MCP. UnknownToolError: no such tool."""
        return await application.call(request)

    def result(self, request: Request, answer: Answer) -> dict[str, Json]:
        """The answer of a tool as a result: the envelope as structuredContent and, equal to it, as JSON text."""
        del request  # for deviations that change the result of one tool only
        meta: dict[str, Json] = {SERVER_INFO_KEY: SERVER_INFO}
        if answer.effects and self.host.test_conditions:
            meta[EFFECTS_KEY] = list(answer.effects)
        return {
            "content": [{"type": "text", "text": encode(answer.envelope).decode()}],
            "structuredContent": answer.envelope,
            "isError": answer.failed,
            "_meta": meta,
        }


def meta_of(params: Mapping[str, Json]) -> Mapping[str, Json]:
    """`_meta` of a request's params. ProtocolError: it is there and is no object."""
    meta = params.get("_meta")
    if meta is None:
        return _NO_META
    if not isinstance(meta, dict):
        raise ProtocolError(INVALID_PARAMS, "Invalid request parameters: _meta is an object")
    return meta
