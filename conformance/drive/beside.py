"""What a connection sends beside the calls: notifications, answers to requests of the server's, GET and DELETE."""

import asyncio
import contextlib
from typing import Protocol

from conformance.drive import revisions as rev
from conformance.drive.errors import SilenceError
from conformance.drive.headers import listening
from conformance.drive.wire.base import Wire
from conformance.model.events import Http, Json
from conformance.model.exchange import METHOD_NOT_FOUND

REPLIES = 32
"""Answers of ours that are under way. A server that asks without end gets no more, so that the calls go on."""
BYE_S = 2.0
"""What the end of a session may take."""


class Speaker(Protocol):
    """What it has to know of a connection: see there."""

    wire: Wire
    revision: str | None
    token: str | None

    def headed(self, method: str, params: dict[str, Json], token: str | None) -> Http:
        """The HTTP side of a message."""

    def out(self, payload: Json, http: Http, *, aside: int) -> None:
        """Writes down what leaves."""


class Beside:
    """Numbers what it sends, so that what comes back is known by it."""

    def __init__(self, connection: Speaker) -> None:
        self._connection = connection
        self._count = 0
        self._replies: set[asyncio.Task[None]] = set()

    async def send(self, payload: Json, http: Http | None = None) -> None:
        """Sends it and writes it down; SilenceError where it cannot be sent."""
        method = payload.get("method", "") if isinstance(payload, dict) else ""
        http = self._headed(str(method)) if http is None else http
        await self._connection.wire.tell(self._noted(payload, http), payload, http)

    async def say(self, payload: Json, http: Http | None = None) -> None:
        """The same, where nothing hangs on it: that a server is gone is seen at the next call."""
        with contextlib.suppress(SilenceError):
            await self.send(payload, http)

    async def cancel(self, call: int) -> None:
        """Tells the server that a call's answer is not waited for any more."""
        params = {"requestId": call, "reason": "no answer within the time limit"}
        await self.say({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params})

    async def listen(self) -> None:
        """Opens the stream on which a server of the older era speaks unasked; over HTTP alone there is one."""
        if self._connection.wire.transport == "http":
            http = listening(self._headed(""))
            await self._connection.wire.listen(self._noted(None, http), http)

    async def leave(self, grace_s: float) -> None:
        """Ends the session."""
        http = self._headed("")
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(min(BYE_S, grace_s)):
                await self.say(None, Http(method="DELETE", path=http.path, headers=http.headers))

    def answer(self, request: dict[str, Json]) -> None:
        """Answers a request of the server's: ping as it wants it; the rest is refused, as no capability was declared.

        Without a handshake a client must not answer, so nothing is sent.
        """
        number = request["id"]
        answerable = isinstance(number, str | int) and not isinstance(number, bool)
        if self._connection.revision in rev.STATELESS or not answerable or len(self._replies) >= REPLIES:
            return
        reply: dict[str, Json] = {"result": {}}
        if request.get("method") != "ping":
            reply = {"error": {"code": METHOD_NOT_FOUND, "message": "this client declares no such capability"}}
        task = asyncio.create_task(self.say({"jsonrpc": "2.0", "id": number, **reply}))
        self._replies.add(task)
        task.add_done_callback(self._replies.discard)

    def stop(self) -> None:
        """No answer of ours is sent any more."""
        for task in tuple(self._replies):
            task.cancel()

    def _headed(self, method: str) -> Http:
        return self._connection.headed(method, {}, self._connection.token)

    def _noted(self, payload: Json, http: Http) -> int:
        self._count += 1
        self._connection.out(payload, http, aside=self._count)
        return self._count
