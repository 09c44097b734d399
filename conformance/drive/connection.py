"""One connection to a target: builds requests for the binding and era in use, sends them, records both ways."""

from typing import Any
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct

from conformance import __version__
from conformance.drive import revisions as rev
from conformance.drive.errors import RefusedError, SilenceError, UsageError
from conformance.drive.frames import Frame, broken
from conformance.drive.recorder import Recorder
from conformance.drive.wire.base import Wire
from conformance.model.events import Agreed, Closed, Effect, Http, Json, Listing, Message, Opened, Unanswered
from conformance.model.exchange import Exchange

CLIENT = {"name": "mcp-contract-conformance", "version": __version__}
PAGES = 200
"""Pages of tools/list after which a cursor is taken to be endless."""
GREETING_S = 10.0
"""What a server is given to answer server/discover before the handshake is tried, and the least that it is given for
that. Its start counts: with 3 s, a server of both eras on a busy machine was judged in the older one."""


class Caller(Struct, frozen=True):
    """In whose name and under what a request is made."""

    stimulus: str
    instance: str = "main"
    token: str | None = None
    credential: str | None = None
    conditions: dict[str, Json] = {}
    """What is written down: all that holds for this call."""
    carried: dict[str, Json] = {}
    """Those of them that the request itself brings about."""
    addressed: bool = False
    """Whether the request names its instance."""
    label: str = ""


class Connection:
    """Speaks MCP, or a contract's plain HTTP binding, over a wire."""

    def __init__(self, name: str, instance: str, recorder: Recorder, limit_s: float, url: str | None = None) -> None:
        self.name = name
        self.instance = instance
        self.revision: str | None = None
        self.wire: Wire
        self._recorder = recorder
        self._limit_s = limit_s
        self._path = urlsplit(url).path.rstrip("/") if url else ""
        self._session: str | None = None
        self._opened = False
        self._silent = True
        self._instances: dict[int, str] = {}

    def hear(self, heard: Frame, call: int | None, http: Http | None) -> None:
        """What the wire hears is written down as it came."""
        t = self._recorder.now()
        try:
            self._note(heard, call, http, t)
        except (UnicodeEncodeError, TypeError) as error:
            # only in process: what comes as bytes was decoded before, and is JSON or is known to be none
            heard = broken(ascii(heard.payload).encode(), f"no JSON value: {error}")
            self._note(heard, call, http, t)
        for effect in _effects(heard.payload, http):
            kind = effect.get("kind")
            if isinstance(kind, str) and call is not None:
                instance = self._instances.get(call, self.instance)
                self._recorder.write(Effect(instance=instance, call=call, kind=kind, data=effect, t=t))

    def _note(self, heard: Frame, call: int | None, http: Http | None, t: int) -> None:
        self._recorder.write(
            Message(
                connection=self.name,
                direction="in",
                call=call,
                payload=heard.payload,
                raw=heard.raw,
                size=heard.size,
                fault=heard.fault,
                http=http,
                t=t,
            )
        )

    async def open(self, wire: Wire, protocol: str, caller: Caller) -> None:
        """Opens the wire and settles on a revision; RefusedError where the server does not let it."""
        asked = None if wire.binding == "http" else rev.NEWEST if protocol == "auto" else protocol
        await self.attach(wire, asked)
        if asked is None:
            return
        if asked in rev.STATELESS and await self._discover(asked, caller, final=protocol != "auto"):
            return
        await self._handshake(rev.HANDSHAKE[0] if protocol == "auto" else protocol, caller)

    async def attach(self, wire: Wire, asked: str | None = None) -> None:
        """Opens the wire and says nothing; `asked` is the revision that will be asked for."""
        self.wire = wire
        try:
            await wire.open()
        except UsageError:
            await wire.close()
            raise
        self._opened = True
        self._recorder.write(
            Opened(
                connection=self.name,
                transport=wire.transport,
                binding=wire.binding,
                instance=self.instance,
                asked=asked,
                t=self._recorder.now(),
            )
        )

    async def _discover(self, asked: str, caller: Caller, *, final: bool) -> bool:
        self.revision = asked
        answer = await self.request(
            "server/discover", {}, caller, limit_s=max(self._limit_s, GREETING_S) if final else GREETING_S
        )
        result = answer.result or {}
        supported = result.get("supportedVersions")
        if isinstance(supported, list) and asked in supported:
            meta = result.get("_meta")
            self._agree(asked, meta.get(rev.SERVER_KEY) if isinstance(meta, dict) else None, result.get("capabilities"))
            return True
        if final:
            message = f"server/discover does not offer {asked}"
            raise RefusedError(message)
        self.revision = None
        return False

    async def _handshake(self, asked: str, caller: Caller) -> None:
        params = {"protocolVersion": asked, "capabilities": {}, "clientInfo": CLIENT}
        answer = await self.request("initialize", params, caller, limit_s=max(self._limit_s, GREETING_S))
        result = answer.result or {}
        given = result.get("protocolVersion")
        if given not in rev.HANDSHAKE:
            message = "initialize was refused" if answer.result is None else f"initialize gave the revision {given!r}"
            raise RefusedError(message)
        session = answer.answered.headers.get("mcp-session-id") if answer.answered is not None else None
        self._session = session
        self.revision = str(given)
        try:
            notification = {"jsonrpc": "2.0", "method": "notifications/initialized"}
            await self.wire.tell(notification, self._http("notifications/initialized", None, None, {}))
        except SilenceError as error:
            message = "the server went away after initialize"
            raise RefusedError(message) from error
        self._agree(self.revision, result.get("serverInfo"), result.get("capabilities"))

    def _agree(self, revision: str, server: Json, capabilities: Json) -> None:
        self._recorder.write(
            Agreed(
                connection=self.name,
                revision=revision,
                server=server if isinstance(server, dict) else {},
                capabilities=capabilities if isinstance(capabilities, dict) else {},
                t=self._recorder.now(),
            )
        )

    async def call(self, tool: str, arguments: Json, caller: Caller) -> Exchange:
        """Calls a tool, over whichever binding this is."""
        if self.wire.binding == "mcp":
            return await self.request("tools/call", {"name": tool, "arguments": arguments}, caller)
        headers = {"content-type": "application/json"}
        if caller.token is not None:
            headers["authorization"] = caller.token
        return await self.send(arguments, Http(method="POST", path=f"{self._path}/mcp/{tool}", headers=headers), caller)

    async def request(  # noqa: PLR0913 -- a request has that many sides
        self,
        method: str,
        params: dict[str, Json],
        caller: Caller,
        *,
        headers: dict[str, str] | None = None,
        limit_s: float | None = None,
        revision: str | None = None,
    ) -> Exchange:
        """Makes a JSON-RPC request. `revision` claims another revision than the one agreed on."""
        meta = dict(params.get("_meta", {})) if isinstance(params.get("_meta"), dict) else {}
        spoken = revision or self.revision
        if spoken in rev.STATELESS or (revision is not None and self.revision in rev.STATELESS):
            meta |= {rev.VERSION_KEY: spoken, rev.CAPABILITIES_KEY: {}, rev.CLIENT_KEY: CLIENT}
        if caller.addressed:
            meta[rev.INSTANCE_KEY] = caller.instance
        if caller.carried:
            meta[rev.CONDITIONS_KEY] = caller.carried
        if caller.token is not None and self.wire.transport != "http":
            meta[rev.AUTHORIZATION_KEY] = caller.token
        message: dict[str, Any] = {"jsonrpc": "2.0", "id": self._recorder.calls + 1, "method": method}
        if params or meta:
            message["params"] = {**params, "_meta": meta} if meta else params
        http = self._http(method, params.get("name"), caller.token, headers or {}, spoken)
        return await self.send(message, http, caller, limit_s)

    def _http(
        self, method: str, name: Json, token: str | None, extra: dict[str, str], revision: str | None = None
    ) -> Http:
        if self.wire.transport != "http":
            return Http()
        headers = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
        revision = revision or self.revision
        if revision is not None and method != "initialize":
            headers["mcp-protocol-version"] = revision
        if revision in rev.STATELESS:
            headers["mcp-method"] = method
            if isinstance(name, str):
                headers["mcp-name"] = name
        if self._session is not None:
            headers["mcp-session-id"] = self._session
        if token is not None:
            headers["authorization"] = token
        return Http(method="POST", path=self._path or "/", headers={**headers, **extra})

    async def send(self, payload: Json, http: Http, caller: Caller, limit_s: float | None = None) -> Exchange:
        """Sends what was built and waits for the answer. However it ends, it is written down; it never raises."""
        if self.wire.binding == "http":
            http = _addressed(http, caller)
        call = self._recorder.step(
            connection=self.name,
            instance=caller.instance,
            stimulus=caller.stimulus,
            label=caller.label,
            credential=caller.credential,
            conditions=caller.conditions,
        )
        self._instances[call] = caller.instance
        shown = http if self.wire.transport == "http" else None
        self._recorder.write(
            Message(
                connection=self.name, direction="out", call=call, payload=payload, http=shown, t=self._recorder.now()
            )
        )
        try:
            await self.wire.ask(call, payload, http, self._allowed(limit_s or self._limit_s))
        except SilenceError as error:
            self._recorder.write(
                Unanswered(call=call, connection=self.name, why=error.why, detail=error.detail, t=self._recorder.now())
            )
        exchange = self._recorder.history.find(call)
        assert exchange is not None, "a step and its message make an exchange"
        return exchange

    def _allowed(self, limit_s: float) -> float:
        """What a call may take; the first one to a process that was started for it waits for its start as well."""
        first, self._silent = self._silent, False
        return max(limit_s, GREETING_S) if first and self.wire.transport == "stdio" else limit_s

    async def tools(self, caller: Caller) -> Listing:
        """Lists the tools, page by page, and writes down the whole."""
        tools: list[Json] = []
        calls: list[int] = []
        cursors: set[str] = set()
        cursor: Json = None
        ended = "endless"
        while len(calls) < PAGES:
            answer = await self.request("tools/list", {"cursor": cursor} if cursor is not None else {}, caller)
            calls.append(answer.call)
            page = (answer.result or {}).get("tools")
            if not isinstance(page, list):
                ended = "failed"
                break
            tools += page
            cursor = (answer.result or {}).get("nextCursor")
            if cursor is None:
                ended = "done"
                break
            key = msgspec.json.encode(cursor).decode()
            if key in cursors:
                ended = "repeats"
                break
            cursors.add(key)
        listing = Listing(
            connection=self.name,
            instance=caller.instance,
            tools=tools,
            calls=tuple(calls),
            ended=ended,
            t=self._recorder.now(),
        )
        self._recorder.write(listing)
        return listing

    async def close(self) -> None:
        """Ends the connection and writes down how it ended; one that was never opened has nothing to end."""
        if not self._opened:
            return
        ending = await self.wire.close()
        self._recorder.write(
            Closed(
                connection=self.name,
                by=ending.by,
                why=ending.why,
                exit=ending.exit,
                lingered_ms=ending.lingered_ms,
                t=self._recorder.now(),
            )
        )


def _addressed(http: Http, caller: Caller) -> Http:
    """Over plain HTTP instance and conditions travel as headers."""
    extra = {rev.INSTANCE_HEADER: caller.instance} if caller.addressed else {}
    if caller.carried:
        extra[rev.CONDITIONS_HEADER] = msgspec.json.encode(caller.carried).decode()
    return Http(method=http.method, path=http.path, headers={**http.headers, **extra})


def _effects(payload: Json, http: Http | None) -> list[dict[str, Json]]:
    """What the server reports that its world saw."""
    found: Json = None
    if http is not None and rev.EFFECTS_HEADER in http.headers:
        try:
            found = msgspec.json.decode(http.headers[rev.EFFECTS_HEADER])
        except msgspec.DecodeError:
            return []
    elif isinstance(payload, dict) and isinstance(payload.get("result"), dict):
        meta = payload["result"].get("_meta")
        found = meta.get(rev.EFFECTS_KEY) if isinstance(meta, dict) else None
    return [effect for effect in found if isinstance(effect, dict)] if isinstance(found, list) else []
