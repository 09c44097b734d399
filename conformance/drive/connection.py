"""One connection to a target: builds requests for the binding and era in use, sends them, records both ways."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import msgspec
from msgspec import structs

from conformance.drive import headers as mcp
from conformance.drive import revisions as rev
from conformance.drive import volley
from conformance.drive.beside import Beside
from conformance.drive.caller import CLIENT, Caller, How
from conformance.drive.errors import RefusedError, SilenceError, UsageError
from conformance.drive.frames import frame
from conformance.drive.hearing import MOST, Hearing, Most
from conformance.drive.pages import listed
from conformance.drive.patience import Patience
from conformance.drive.recorder import Recorder
from conformance.drive.tokens import token_of
from conformance.drive.volley import alone
from conformance.drive.wire.base import LINGER_S, Wire
from conformance.drive.wire.pace import Session, after_s
from conformance.model.events import Agreed, Closed, Http, Json, Listing, Message, Opened, Unanswered
from conformance.model.exchange import METHOD_NOT_FOUND, STILL_THERE, Exchange

CANCELLED = ("tools/call", "prompts/get", "resources/read", "completion/complete")
"""Requests that are cancelled when they are given up. Of the others a late answer is still wanted: behind them is no
work that a server could stop."""
Again = Callable[[Caller], Awaitable[None]]
"""Makes the handshake of a connection anew."""
RENEWED = 8
"""How often a connection begins anew because its session was gone, and nothing was served meanwhile."""
GONE = 404


class Connection:
    """Speaks MCP, or a contract's plain HTTP binding, over a wire."""

    def __init__(  # noqa: PLR0913 -- what a connection is made of, each by name
        self,
        name: str,
        instance: str,
        recorder: Recorder,
        *,
        limit_s: float,
        start_s: float,
        url: str | None = None,
        endpoint: int = 0,
        most: Most = MOST,
    ) -> None:
        self.name = name
        self.instance = instance
        self.endpoint = endpoint
        self.process = 1
        self.revision: str | None = None
        self.wire: Wire
        self.start_s = start_s
        self.beside = Beside(self)
        self.hear = Hearing(name, instance, recorder, self.beside.answer, most)
        self._recorder = recorder
        self._limit_s = limit_s
        parts = urlsplit(url or "")
        self.path, self._query = parts.path, f"?{parts.query}" if parts.query else ""
        self.token: str | None = None
        """That of whoever opened the connection: what is sent beside the calls is sent in that name."""
        self.session: str | None = None
        """The session that the server gave at the handshake, over HTTP."""
        self._renewing = asyncio.Lock()
        self._renewals = 0
        self._again: Again | None = None
        self._opened = False
        self._closing: asyncio.Task[None] | None = None
        self._silent, self._lent = True, False
        self._marks = mcp.Marks(recorder.history.listings)

    @property
    def strays(self) -> list[Message]:
        """What the server said that belongs to no call."""
        return [each for each in self._recorder.history.strays if each.connection == self.name]

    async def attach(self, wire: Wire, asked: str | None = None) -> None:
        """Opens the wire and says nothing; `asked` is the revision that will be asked for."""
        self.wire = wire
        self.hear.line = wire.pace.waiting
        try:
            await wire.open()
        except UsageError:
            await wire.close()
            raise
        self._opened = True
        self.process += wire.pace.number - 1
        self.hear.opened(self.process, wire.pace)
        self._recorder.write(
            Opened(
                connection=self.name,
                transport=wire.transport,
                binding=wire.binding,
                instance=self.instance,
                endpoint=self.endpoint,
                path=self.path if wire.binding == "http" else None,
                asked=asked,
                process=self.process,
                t=self._recorder.now(),
            )
        )

    def agree(self, revision: str, server: Json, capabilities: Json) -> None:
        """Both sides have settled on a revision."""
        self.revision = revision
        self._recorder.write(
            Agreed(
                connection=self.name,
                revision=revision,
                server=server if isinstance(server, dict) else {},
                capabilities=capabilities if isinstance(capabilities, dict) else {},
                t=self._recorder.now(),
            )
        )

    def join(self, other: Session) -> None:
        """Goes on in the session of another connection, and leaves it open."""
        self.session, self._lent = other.number, True
        self.agree(other.revision, other.server, other.capabilities)

    async def began(self, revision: str, session: str | None, again: Again) -> None:
        """The handshake was answered: from now on its session is used, and `again` begins another one.

        SilenceError where the server is gone. One over HTTP that only gives no response to the notification may serve
        calls all the same: what it lacks is for the laws to say.
        """
        self.revision, self.session, self._again = revision, session, again
        try:
            await self.beside.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        except SilenceError as silence:
            there = silence.why == "time" or silence.detail.endswith(STILL_THERE)
            if self.wire.transport != "http" or not there:
                raise

    async def call(self, tool: str, arguments: Json, caller: Caller) -> Exchange:
        """Calls a tool, over whichever binding this is."""
        if self.wire.binding == "mcp":
            return await self.request("tools/call", {"name": tool, "arguments": arguments}, caller)
        headers = {"content-type": "application/json"}
        if caller.token is not None:
            headers["authorization"] = caller.token
        path = f"{self.path.rstrip('/')}/mcp/{tool}{self._query}"
        http = Http(method="POST", path=path, headers=headers)
        return await self._let_in(partial(self.send, arguments, http, caller), caller, How())

    async def request(self, method: str, params: dict[str, Json], caller: Caller, how: How | None = None) -> Exchange:
        """Makes a JSON-RPC request.

        Where the server has forgotten the session, it is made again in a new one, which may be forgotten as well.
        """
        session = self.session
        how = how or How()
        make = partial(self._request, method, params, caller)
        exchange = await self._let_in(make, caller, how)
        own = method == "initialize" or "mcp-session-id" in how.headers
        while session is not None and not own and _forgotten(exchange) and await self._renewed(session, caller):
            session, exchange = self.session, await self._let_in(make, caller, how)
        if exchange.accepted and exchange.session is not None and exchange.session == self.session:
            self._renewals = 0
        return exchange

    async def _let_in(self, make: Callable[[How], Awaitable[Exchange]], caller: Caller, how: How) -> Exchange:
        """Makes a request, and again where a limit turned it away, for as long as that may help.

        Under conditions and settings the limit may be what is asked for: then its refusal is the answer.
        """
        pace = self.wire.pace
        await pace.turn()
        visit = pace.visit()
        exchange = await make(how)
        while exchange.limited:
            asked_s = after_s(exchange.answered, exchange.error)
            if not pace.again(visit, asked_s, as_found=caller.as_found):
                break
            await pace.turn()
            with alone():
                exchange = await make(structs.replace(how, instead_of=exchange.call))
        if exchange.received is not None and not exchange.limited:
            pace.served()
        return exchange

    async def _request(self, method: str, params: dict[str, Json], caller: Caller, how: How) -> Exchange:
        meta = dict(params.get("_meta", {})) if isinstance(params.get("_meta"), dict) else {}
        spoken = how.revision or self.revision
        if spoken in rev.STATELESS or (how.revision is not None and self.revision in rev.STATELESS):
            meta = {rev.CAPABILITIES_KEY: {}, **meta, rev.VERSION_KEY: spoken, rev.CLIENT_KEY: CLIENT}
        if caller.addressed:
            meta[rev.INSTANCE_KEY] = caller.instance
        if caller.carried:
            meta[rev.CONDITIONS_KEY] = caller.carried
        if caller.token is not None and self.wire.transport != "http":
            meta[rev.AUTHORIZATION_KEY] = caller.token
        number = self._recorder.calls + 1
        if method == "tools/call":
            # a server that works for long may then say so
            meta.setdefault("progressToken", token_of(number))
        if meta.get("progressToken", number) is None:
            # who asks for no progress says so
            del meta["progressToken"]
        message: dict[str, Any] = {"jsonrpc": "2.0", "id": number, "method": method}
        if params or meta:
            others = {name: value for name, value in params.items() if name != "_meta"}
            message["params"] = {**others, "_meta": meta} if meta else others
        http = self.headed(method, params, caller.token, how.headers, spoken)
        if how.altered is not None:
            message, http = how.altered(message, http)
        return await self.send(message, http, caller, how)

    def headed(
        self,
        method: str,
        params: dict[str, Json],
        token: str | None,
        extra: Mapping[str, str] | None = None,
        revision: str | None = None,
    ) -> Http:
        """The HTTP side of a message of MCP."""
        if self.wire.transport != "http":
            return Http()
        headers = {"content-type": "application/json", "accept": mcp.ACCEPTED}
        revision = revision or self.revision
        if revision is not None and method != "initialize":
            headers["mcp-protocol-version"] = revision
        if revision in rev.STATELESS:
            headers |= mcp.named(method, params)
            if method == "tools/call":
                headers |= mcp.mirrored(self._marks.of(params.get("name")), params.get("arguments"))
        elif self.session is not None and method != "initialize":
            headers["mcp-session-id"] = self.session
        if token is not None:
            headers["authorization"] = token
        path = (self.path or "/") + self._query
        return Http(method="POST", path=path, headers={**headers, **(extra or {})})

    async def send(self, payload: Json, http: Http, caller: Caller, how: How | None = None) -> Exchange:
        """Sends what was built and waits for the answer. However it ends, it is written down; it never raises."""
        if self.wire.binding == "http":
            http = _addressed(http, caller)
        how = how or How()
        call = self._recorder.step(
            connection=self.name,
            instance=caller.instance,
            stimulus=caller.stimulus,
            label=caller.label,
            credential=caller.credential,
            conditions=caller.conditions,
            instead_of=how.instead_of,
        )
        self.hear.instances[call] = caller.instance
        patience = Patience(self._allowed(how.limit_s or self._limit_s), lambda: self.out(payload, http, call=call))
        self.hear.waiting[call] = self.hear.line[call] = patience
        self.hear.owed.add(call)
        try:
            async with patience:
                await self.wire.ask(call, payload, http, patience)
        except (SilenceError, TimeoutError) as error:
            # what never left is on record as well: nobody knows that of a request which got no answer
            patience.left()
            silence = error if isinstance(error, SilenceError) else SilenceError(how.ends)
            self._recorder.write(
                Unanswered(
                    call=call, connection=self.name, why=silence.why, detail=silence.detail, t=self._recorder.now()
                )
            )
            if not isinstance(error, SilenceError):
                await self._give_up(call, payload, told=how.ends != "time")
        finally:
            volley.answered(call)
            self.hear.waiting.pop(call, None)
            self.hear.line.pop(call, None)
        exchange = self._recorder.history.find(call)
        assert exchange is not None, "a step and its message make an exchange"
        return exchange

    def out(self, payload: Json, http: Http, *, call: int | None = None, aside: int | None = None) -> None:
        """Writes down what leaves."""
        shown = http if self.wire.transport == "http" else None
        self._recorder.write(
            Message(
                connection=self.name,
                direction="out",
                call=call,
                aside=aside,
                http=shown,
                t=self._recorder.now(),
                **_recorded(payload),
            )
        )

    def _allowed(self, limit_s: float) -> float:
        """What a call may take; the first one to a process that was started for it waits for its start as well."""
        first, self._silent = self._silent, False
        return max(limit_s, self.start_s) if first and self.wire.transport == "stdio" else limit_s

    async def _give_up(self, call: int, payload: Json, *, told: bool) -> None:
        """Tells the server that an answer is not waited for any more: by a notification, or by closing the stream."""
        method = payload.get("method") if isinstance(payload, dict) else None
        if self.wire.binding == "http" or (method in CANCELLED and self._closes):
            self.wire.forget(call)
        elif method in CANCELLED and not told:
            await self.beside.cancel(call)

    @property
    def _closes(self) -> bool:
        """Whether closing a response is how a request is cancelled."""
        return self.wire.transport == "http" and self.revision in rev.STATELESS

    async def _renewed(self, session: str, caller: Caller) -> bool:
        """Whether a new session takes the place of one that the server has forgotten; one is begun for all calls."""
        async with self._renewing:
            if self.session != session:
                return self.session is not None
            self._renewals += 1
            if self._renewals > RENEWED or self._again is None or not self.wire.alive:
                return False
            try:
                with alone():
                    await self._again(caller)
            except (RefusedError, UsageError):
                self._renewals = RENEWED
                return False
            return True

    async def tools(self, caller: Caller) -> Listing:
        """Lists the tools, page by page, and writes down the whole."""
        tools, calls, ended = await listed(lambda params: self.request("tools/list", params, caller))
        listing = Listing(
            connection=self.name,
            instance=caller.instance,
            tools=tools,
            calls=calls,
            ended=ended,
            t=self._recorder.now(),
        )
        self._recorder.write(listing)
        return listing

    async def close(self, grace_s: float = LINGER_S) -> None:
        """Ends the connection and writes down how it ended; one that was never opened has nothing to end.

        Who waits may be cancelled; the end itself goes on, and is quicker where a later call gives it less time.
        """
        if self._closing is not None:
            await asyncio.gather(asyncio.shield(self._closing), self.wire.close(grace_s))
        elif self._opened:
            self._closing = asyncio.create_task(self._close(grace_s))
            await asyncio.shield(self._closing)

    async def _close(self, grace_s: float) -> None:
        self.beside.stop()
        self._recorder.barred = self._recorder.barred or self.wire.pace.barred
        self.wire.pace.sessions.pop(self.name, None)
        if self.session is not None and not self._lent and self.wire.alive:
            await self.beside.leave(grace_s)
        ending = await self.wire.close(grace_s)
        self._recorder.write(
            Closed(
                connection=self.name,
                by=ending.by,
                why=f"{self.hear.excess}: it was disconnected" if self.hear.excess else ending.why,
                exit=ending.exit,
                lingered_ms=ending.lingered_ms,
                allowed_ms=ending.allowed_ms,
                forced=ending.forced,
                tail=ending.tail,
                left=ending.left,
                unkept=self.hear.unkept,
                t=self._recorder.now(),
            )
        )


def _recorded(payload: Json) -> dict[str, Any]:
    """What is written down of a body: its value, or the text of bytes that are none."""
    if not isinstance(payload, bytes):
        return {"payload": payload}
    said = frame(payload)
    return {"raw": payload.decode("utf-8", "replace"), "size": len(payload), "fault": said.fault or "sent as bytes"}


def _forgotten(exchange: Exchange) -> bool:
    """Whether a server knows the session no more; a 404 with an answer of its own is about the method."""
    return exchange.status == GONE and exchange.protocol_code != METHOD_NOT_FOUND


def _addressed(http: Http, caller: Caller) -> Http:
    """Over plain HTTP instance and conditions travel as headers."""
    extra = {rev.INSTANCE_HEADER: caller.instance} if caller.addressed else {}
    if caller.carried:
        extra[rev.CONDITIONS_HEADER] = msgspec.json.encode(caller.carried).decode()
    return Http(method=http.method, path=http.path, headers={**http.headers, **extra})
