"""The HTTP client's connections: kept for the next request, and looked at before one leaves."""

import asyncio
import re
import select
import ssl
import time
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable, Iterable
from contextvars import ContextVar
from functools import cache
from typing import Any

import h11
import httpcore2
import httpx2

from conformance.drive.wire.crowd import Crowd

KEPT_S = 1.0
"""What an idle connection is kept: servers close one after two seconds or five, at times just as a request leaves."""
BODY = "body"
"""The extension of a response that is its Body."""
_CLOSED = sum(getattr(select, name, 0) for name in ("POLLRDHUP", "POLLHUP", "POLLERR"))
"""What tells that the other end has closed; 0 where the system has no poll."""
_RESET = _CLOSED & ~getattr(select, "POLLRDHUP", 0)
"""What tells that the other end threw away what came last: it had closed before it read that."""
RESET_S = 0.05
"""How long a reset may take that follows the end of a connection."""


class StaleError(Exception):
    """The server had closed an idle connection before it read a request to its end, so it cannot have acted on it."""


class CrowdedError(StaleError):
    """A new connection was broken before a byte came by it, while others were there: its server may not know of it."""


_WRITTEN: ContextVar["_Stream | None"] = ContextVar("written", default=None)
"""The connection on which the current task wrote last: a task makes one request at a time."""


def last_written() -> Callable[[], bool]:
    """Tells whether anything has arrived on the connection on which the current task wrote last."""
    stream = _WRITTEN.get()
    return stream.arrived if stream is not None else lambda: True


class _Stream(httpcore2.AsyncNetworkStream):
    """One connection. What is sent on it again finds out first whether its other end is still there."""

    def __init__(self, stream: httpcore2.AsyncNetworkStream, backend: "_Backend") -> None:
        self._stream = stream
        self._socket = stream.get_extra_info("socket")
        self._backend = backend
        self._again = False
        self._idled = False
        """Whether a request was sent after another response, and nothing has come since."""

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109 -- httpcore's
        self._again = True
        try:
            came = await self._stream.read(max_bytes, timeout)
        except httpcore2.ReadError as error:
            if self._idled:
                raise StaleError(str(error)) from error
            raise
        if not came and self._idled and await self._reset():
            raise StaleError
        self._idled = False
        self._backend.heard = True
        return came

    async def _reset(self) -> bool:
        """Whether the other end refuses what was sent to it, after it closed: then it did not read that.

        The end of a connection arrives first where the server closed while the request was on its way. The system
        of the server resets the connection once the request arrives.
        """
        end = time.monotonic() + RESET_S
        while not self._polled(_RESET):
            if time.monotonic() > end:
                return False
            await asyncio.sleep(RESET_S / 10)
        return True

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ASYNC109 -- httpcore's
        # nothing more leaves at the end of a GET: it is whole, and its answer may have come and ended the connection
        if buffer and self._again and self.closed():
            raise StaleError
        self._idled = self._again if buffer else self._idled
        await self._stream.write(buffer, timeout)
        _WRITTEN.set(self)

    async def aclose(self) -> None:
        await self._stream.aclose()

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ASYNC109 -- httpcore's
    ) -> httpcore2.AsyncNetworkStream:
        return _Stream(await self._stream.start_tls(ssl_context, server_hostname, timeout), self._backend)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)

    def arrived(self) -> bool:
        """Whether there is something to read, or its other end has closed."""
        return self._polled(_CLOSED | getattr(select, "POLLIN", 0))

    def closed(self) -> bool:
        """Whether its other end has closed."""
        return self._polled(_CLOSED)

    def _polled(self, wanted: int) -> bool:
        socket = self._socket
        if socket is None or socket.fileno() < 0:
            return True
        if not _CLOSED:
            return False
        poll = select.poll()
        poll.register(socket.fileno(), wanted)
        return bool(poll.poll(0))


class _Backend(httpcore2.AsyncNetworkBackend):
    """Opens connections over asyncio."""

    def __init__(self) -> None:
        self._backend = httpcore2.AnyIOBackend()
        self.heard = False
        """Whether the server sent a byte on the latest connection, or closed its end in an orderly way."""
        self.stream: _Stream | None = None
        """That connection."""

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 -- httpcore's
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        self.heard = False
        self.stream = _Stream(await self._backend.connect_tcp(host, port, timeout, local_address, socket_options), self)
        return self.stream

    async def sleep(self, seconds: float) -> None:
        await self._backend.sleep(seconds)


class _Line(httpcore2.AsyncConnectionPool):
    """A pool of one connection."""

    def __init__(self, context: ssl.SSLContext) -> None:
        self.backend = _Backend()
        super().__init__(ssl_context=context, max_connections=1, keepalive_expiry=KEPT_S, network_backend=self.backend)

    @property
    def fresh(self) -> bool:
        """Whether the next request goes over a new connection: there is none, or it was kept for too long."""
        return all(connection.has_expired() for connection in self.connections)

    @property
    def open(self) -> bool:
        """Whether its connection is there, at both ends."""
        return bool(self.connections) and self.backend.stream is not None and not self.backend.stream.closed()


class Body(httpx2.AsyncByteStream):
    """The bytes of a response. `last` is set where no further request is to leave on its connection."""

    def __init__(
        self,
        stream: AsyncIterable[bytes],
        pool: _Line,
        over: Callable[[_Line, bool], Awaitable[None]],
    ) -> None:
        self.last = False
        self.beyond = b""
        """What came on the connection when the response was over. Kept, it would be taken for the next response."""
        self._stream = stream
        self._pool = pool
        self._over = over

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for part in self._stream:
            yield part

    async def aclose(self) -> None:
        """The response is over, or nobody wants the rest of it."""
        self.beyond = _beyond(self._pool)
        try:
            close = getattr(self._stream, "aclose", None)
            if close is not None:
                await close()
        finally:
            await self._over(self._pool, self.last or bool(self.beyond))


def _beyond(pool: httpcore2.AsyncConnectionPool) -> bytes:
    """What has come beyond the response that a pool's one connection has read to its end.

    httpcore2 has no word for it, so this looks where it keeps it.
    """
    found = b""
    for connection in pool.connections:
        state = getattr(getattr(connection, "_connection", None), "_h11_state", None)
        if isinstance(state, h11.Connection) and state.their_state in (h11.DONE, h11.MUST_CLOSE):
            found += state.trailing_data[0]
    return found


class Transport(httpx2.AsyncBaseTransport):
    """What httpx2 has by itself, over connections of ours: at most so many, of which so many are kept.

    Each connection is a pool by itself. A pool of many looks at each that is idle for each request, which takes a third
    of the processor time of driving.
    """

    def __init__(self, context: ssl.SSLContext, at_once: int, kept: int, crowd: Crowd) -> None:
        self._context, self._kept, self._crowd = context, kept, crowd
        self._room = asyncio.Semaphore(at_once)
        self._idle: list[_Line] = []
        """The one that was used last at the end."""
        crowd.keepers.add(self)

    @property
    def keeps(self) -> bool:
        """Whether a connection is kept for the next request, and is there at both ends."""
        return any(pool.open for pool in self._idle)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Sends a request; StaleError and httpcore2's own errors come as they are."""
        await self._room.acquire()
        pool = self._idle.pop() if self._idle else _Line(self._context)
        new = pool.fresh
        held = new and await self._crowd.begin()
        room = asyncio.create_task(self._crowd.make_room()) if new and not self._crowd.several else None
        url, sent, others = request.url, False, self._crowd.under_way
        self._crowd.under_way += 1
        try:
            response = await pool.handle_async_request(
                httpcore2.Request(
                    method=request.method,
                    url=httpcore2.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path),
                    headers=request.headers.raw,
                    content=request.stream,
                    extensions=request.extensions,
                )
            )
            sent = True
            self._crowd.answered()
        except httpcore2.NetworkError as error:
            if new and not pool.backend.heard and max(others, self._crowd.under_way - 1):
                self._crowd.broke()
                raise CrowdedError(str(error)) from error
            raise
        finally:
            if room is not None:
                room.cancel()
            if held:
                self._crowd.began()
            if not sent:
                await self._back(pool, last=False)
        assert isinstance(response.stream, AsyncIterable), "the pool is asynchronous"
        body = Body(response.stream, pool, lambda pool, last: self._back(pool, last=last))
        return httpx2.Response(
            status_code=response.status,
            headers=response.headers,
            stream=body,
            extensions={**response.extensions, BODY: body},
        )

    async def _back(self, pool: _Line, *, last: bool) -> None:
        """Takes back a connection whose response is over."""
        self._crowd.under_way -= 1
        self._room.release()
        if len(self._idle) < self._kept and not last and not self._crowd.waiting:
            self._idle.append(pool)
        else:
            await pool.aclose()

    async def drop(self) -> None:
        """Closes what is idle."""
        while self._idle:
            await self._idle.pop().aclose()

    async def aclose(self) -> None:
        """Closes what is idle; nothing is under way any more."""
        self._crowd.keepers.discard(self)
        await self.drop()


LOST = (
    httpcore2.NetworkError,
    httpcore2.ProtocolError,
    httpcore2.UnsupportedProtocol,
    httpx2.HTTPError,
    httpx2.InvalidURL,
    OSError,
)
"""How a request or its response can be lost."""
REFUSED = httpcore2.ConnectError
WORDS = 300
"""Characters of an error's text that are told."""
_CLOSED_EARLY = ("Server disconnected", "peer closed connection")
"""How h11's errors begin where nothing is wrong with what came, but that no more did."""
_BYTES = re.compile(r"""(?:bytearray\()?b(?P<quote>['"])(?P<text>.*?)(?P=quote)\)?""", re.DOTALL)
"""Bytes as Python spells them."""


def garbled(error: BaseException) -> str:
    """What is wrong with what came, where it is no HTTP; else empty."""
    said = str(error)[:WORDS]
    if not isinstance(error, httpcore2.ProtocolError) or said.startswith(_CLOSED_EARLY):
        return ""
    return _BYTES.sub(lambda found: repr(found["text"])[1:-1] if found["text"] else "nothing", said) or "nothing"


@cache
def context(*, secure: bool) -> ssl.SSLContext:
    """One for all connections. Reading the certificates takes 45 ms, and http:// has no use for them."""
    return httpx2.create_ssl_context(trust_env=False) if secure else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
