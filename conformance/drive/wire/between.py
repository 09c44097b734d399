"""A wire with somebody between: what leaves may reach the server as something else, and so may what it answers.

The record has what the suite said and heard, as over any wire: who judges it knows nothing of who was between.
"""

import asyncio
import contextlib
from collections.abc import Callable
from itertools import count
from typing import Any, NamedTuple, Protocol

from conformance.drive import revisions as rev
from conformance.drive import volley
from conformance.drive.errors import SilenceError
from conformance.drive.frames import Frame
from conformance.drive.patience import Patience
from conformance.drive.wire import plain
from conformance.drive.wire.base import LINGER_S, Ending, Hear, Wire
from conformance.model.events import Http, Json

FIRST = 1_000_000_000
"""The id of the first request that was never the suite's."""
BESIDE_S = 10.0
"""What the answer to such a request is waited for."""

Message = dict[str, Any]


class Passed(NamedTuple):
    """What becomes of a request."""

    message: Message
    """What reaches the server."""
    before: Message | None = None
    """What reaches it first; its answer reaches nobody."""
    answer: Message | None = None
    """What is answered in the server's place, which then is told nothing."""


class Between(Protocol):
    """Who stands between. All connections of a run have the same."""

    def asked(self, call: int, message: Message, instance: str) -> Passed:
        """A request to an instance of the target is about to leave."""

    def answered(self, call: int, answer: Message) -> Message:
        """Its answer has come; gives what is heard in its place."""


class BetweenWire:
    """Another wire, and who stands between it and the suite. `over` gives it that wire before it is opened.

    What goes over a contract's plain HTTP binding is shown to who stands between in the form that it has over MCP.
    """

    def __init__(self, between: Between, hear: Hear, instance: str) -> None:
        self._between, self._hear, self._instance = between, hear, instance
        self._inner: Wire
        self._asked: set[int] = set()
        """Calls that have no answer yet."""
        self._own: set[int] = set()
        self._ids = count(FIRST)

    def over(self, make: Callable[[Hear], Wire]) -> "BetweenWire":
        """Takes the wire that is made with this one's ear."""
        self._inner = make(self._heard)
        self.transport, self.binding, self.pace = self._inner.transport, self._inner.binding, self._inner.pace
        return self

    @property
    def alive(self) -> bool:
        """As the wire's."""
        return self._inner.alive

    @property
    def fate(self) -> str:
        """As the wire's."""
        return self._inner.fate

    async def open(self) -> None:
        """As the wire's."""
        await self._inner.open()

    async def ask(self, call: int, payload: Json, http: Http, patience: Patience) -> None:
        """Sends what becomes of a request."""
        message = plain.request(call, payload, http) if self.binding == "http" else payload
        if not isinstance(message, dict):
            await self._inner.ask(call, payload, http, patience)
            return
        passed = self._between.asked(call, message, self._addressed(message, http))
        if passed.before is not None:
            await self._beside(passed.before, http)
        self._asked.add(call)
        if passed.answer is None:
            await self._inner.ask(call, self._sent(passed.message), http, patience)
            return
        patience.left()
        volley.gone(call, lambda: False)
        await asyncio.sleep(0)
        if self.binding == "http":
            body, status = plain.heard(passed.answer)
            self._heard(Frame(body), call, _answered(status))
        else:
            self._heard(Frame(passed.answer), call, _answered() if self.transport == "http" else None)

    async def _beside(self, message: Message, http: Http) -> None:
        number = next(self._ids)
        self._own.add(number)
        with contextlib.suppress(SilenceError, TimeoutError), volley.alone():
            async with Patience(BESIDE_S, lambda: None) as patience:
                await self._inner.ask(number, self._sent({**message, "id": number}), http, patience)

    def _sent(self, message: Message) -> Json:
        return plain.sent(message) if self.binding == "http" else message

    def _addressed(self, message: Message, http: Http) -> str:
        """The instance that a request names, else that of the connection."""
        params = message.get("params")
        meta = params.get("_meta") if isinstance(params, dict) else None
        named = meta.get(rev.INSTANCE_KEY) if isinstance(meta, dict) else http.headers.get(rev.INSTANCE_HEADER)
        return named if isinstance(named, str) else self._instance

    def _heard(self, heard: Frame, call: int | None = None, http: Http | None = None, aside: int | None = None) -> None:
        payload = heard.payload
        if call in self._own:
            return
        if call in self._asked and call is not None and isinstance(payload, dict):
            if self.binding == "http":
                self._asked.discard(call)
                body, status = plain.heard(self._between.answered(call, plain.response(call, payload, _status(http))))
                if body != payload or status != _status(http):
                    heard, http = Frame(body, octets=heard.octets), _answered(status)
            elif "method" not in payload:
                self._asked.discard(call)
                answer = self._between.answered(call, payload)
                if answer != payload and _status(http) != plain.OK:
                    # what refused the request by its status is no answer of MCP, and what is heard in its place is one
                    http = _answered()
                heard = Frame(answer, octets=heard.octets)
        self._hear(heard, call, http, aside)

    def forget(self, call: int) -> None:
        """As the wire's."""
        self._inner.forget(call)

    async def tell(self, aside: int, payload: Json, http: Http) -> None:
        """As the wire's."""
        await self._inner.tell(aside, payload, http)

    async def listen(self, aside: int, http: Http) -> None:
        """As the wire's."""
        await self._inner.listen(aside, http)

    def linger(self, seconds: float | None) -> None:
        """As the wire's."""
        self._inner.linger(seconds)

    async def kill(self) -> None:
        """As the wire's."""
        await self._inner.kill()

    async def close(self, grace_s: float = LINGER_S) -> Ending:
        """As the wire's."""
        return await self._inner.close(grace_s)


def _answered(status: int = plain.OK) -> Http:
    return Http(status=status, headers={"content-type": "application/json"})


def _status(http: Http | None) -> int:
    return http.status if http is not None and http.status is not None else plain.OK
