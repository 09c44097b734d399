"""A connection over TCP or TLS, and what is looked at on it before a request leaves."""

import asyncio
import select
import ssl
from collections.abc import Callable
from functools import cache
from typing import Self

AHEAD = 262_144
"""Octets that are taken before anybody reads them."""
_CLOSED = sum(getattr(select, name, 0) for name in ("POLLRDHUP", "POLLHUP", "POLLERR"))
"""What tells that the other end has closed; 0 where the system has no poll."""


class LostError(Exception):
    """The connection ended before the response did."""


class UnreachedError(LostError):
    """No connection could be made."""


class Channel(asyncio.Protocol):
    """One connection. What arrives is kept until it is read."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._kept = bytearray()
        self._came = 0
        """Octets that have arrived."""
        self._held = False
        """Whether no more is taken for now."""
        self._over = False
        self._error: Exception | None = None
        self._reading: asyncio.Future[None] | None = None
        self._writing: asyncio.Future[None] | None = None
        """Done when there is room for more to be written."""

    @classmethod
    async def open(cls, host: str, port: int, context: ssl.SSLContext | None) -> Self:
        """Connects; UnreachedError where that cannot be."""
        try:
            # where a name has several addresses, those that do not answer are not waited for
            _, channel = await asyncio.get_running_loop().create_connection(
                cls, host, port, ssl=context, happy_eyeballs_delay=0.25
            )
        except (OSError, UnicodeError) as error:
            raise UnreachedError(str(error) or type(error).__name__) from error
        return channel

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """asyncio's: it is there."""
        assert isinstance(transport, asyncio.Transport), "a stream of octets"
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        """asyncio's: octets have arrived."""
        self._kept += data
        self._came += len(data)
        if len(self._kept) > AHEAD and not self._held and self._transport is not None:
            self._held = True
            self._transport.pause_reading()
        _wake(self._reading)

    def eof_received(self) -> None:
        """asyncio's: the other end sends no more."""
        self._over = True
        _wake(self._reading)

    def connection_lost(self, exc: Exception | None) -> None:
        """asyncio's: it is over."""
        self._over, self._error = True, exc
        _wake(self._reading)
        _wake(self._writing)

    def pause_writing(self) -> None:
        """asyncio's: the other end takes its time."""
        self._writing = self._loop.create_future()

    def resume_writing(self) -> None:
        """asyncio's: it takes more."""
        _wake(self._writing)
        self._writing = None

    async def read(self) -> bytes:
        """What has arrived since, as soon as there is something; empty at the end. LostError where it broke."""
        while not self._kept and not self._over:
            self._reading = self._loop.create_future()
            try:
                await self._reading
            finally:
                self._reading = None
        found = bytes(self._kept)
        self._kept.clear()
        if self._held and self._transport is not None:
            self._held = False
            self._transport.resume_reading()
        if not found and self._error is not None:
            raise LostError(f"the connection broke: {self._error}")
        return found

    async def write(self, data: bytes) -> None:
        """Sends this, at once where the system takes it. Of one that broke it is `read` that tells."""
        assert self._transport is not None, "it is open"
        self._transport.write(data)
        if self._writing is not None:
            await self._writing

    @property
    def ended(self) -> bool:
        """Whether its other end has closed it."""
        return self._over or self._polled(_CLOSED)

    def arrivals(self) -> Callable[[], bool]:
        """Tells whether anything has arrived since now, read or not, or its other end has closed."""
        before = self._came
        wanted = _CLOSED | getattr(select, "POLLIN", 0)
        return lambda: self._over or self._came != before or self._polled(wanted)

    def _polled(self, wanted: int) -> bool:
        socket = self._transport.get_extra_info("socket") if self._transport is not None else None
        if socket is None or socket.fileno() < 0:
            return True
        if not _CLOSED:
            return False
        poll = select.poll()
        poll.register(socket.fileno(), wanted)
        return bool(poll.poll(0))

    def close(self) -> None:
        """Ends it; what was not sent yet is not sent."""
        if self._transport is not None:
            self._transport.abort()


def _wake(waiting: asyncio.Future[None] | None) -> None:
    if waiting is not None and not waiting.done():
        waiting.set_result(None)


@cache
def secure_context() -> ssl.SSLContext:
    """One for all connections: reading the certificates takes 45 ms."""
    import httpx2  # noqa: PLC0415 -- https:// alone has use for it, and to import it takes as long

    context = httpx2.create_ssl_context(trust_env=False)
    context.set_alpn_protocols(["http/1.1"])
    return context
