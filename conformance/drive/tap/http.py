"""A tap in front of a server behind HTTP: bytes go both ways as they come, only the Host is the server's own."""

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable, Coroutine
from typing import Any
from urllib.parse import urlsplit

from conformance.drive.tap.messages import Request, Requests, Responses, UnreadableError
from conformance.drive.tap.sessions import Sessions
from conformance.drive.tap.tape import Tape
from conformance.drive.wire.transport import context

CHUNK = 65_536


class HttpTap:
    """Listens on loopback. Each connection of a client's is one to the server."""

    def __init__(self, tape: Tape, sessions: Sessions, url: str, max_bytes: int, told: Callable[[str], None]) -> None:
        parts = urlsplit(url)
        self._url = parts
        self._tape, self._sessions, self._max, self._told = tape, sessions, max_bytes, told
        self._secure = parts.scheme == "https"
        self._host = parts.hostname or ""
        self._port = parts.port or (443 if self._secure else 80)
        self._authority = parts.netloc.rpartition("@")[2].encode()
        self._relays: set[asyncio.Task[None]] = set()

    @property
    def there(self) -> str:
        """The server, as it is shown."""
        return self._url._replace(netloc=self._authority.decode("latin-1"), query="", fragment="").geturl()

    def here(self, port: int) -> str:
        """The address that a client is to be given."""
        return self._url._replace(scheme="http", netloc=f"127.0.0.1:{port}", query="", fragment="").geturl()

    async def run(self, port: int, ready: Callable[[int], None]) -> None:
        """Goes on until it is cancelled; `ready` is told the port. OSError where it cannot listen there."""
        server = await asyncio.start_server(self._accepted, "127.0.0.1", port, limit=CHUNK)
        ready(server.sockets[0].getsockname()[1])
        try:
            await asyncio.Event().wait()
        finally:
            server.close()
            for task in self._relays:
                task.cancel()
            await asyncio.gather(*self._relays, return_exceptions=True)

    async def _accepted(self, client: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None, "a connection is served by a task"
        self._relays.add(task)
        try:
            tls = context(secure=True) if self._secure else None
            server, there = await asyncio.open_connection(self._host, self._port, ssl=tls, limit=CHUNK)
        except OSError as error:
            # whoever calls a server that is away finds the connection closed
            self._told(f"{self._host}:{self._port} cannot be reached: {error.strerror or error}")
        else:
            relay = _Relay(self._tape, self._sessions, self._max)
            ways = (relay.requests(client, there, self._authority), relay.responses(server, back))
            with contextlib.suppress(asyncio.CancelledError):
                await _first_error(*ways)
            there.close()
        finally:
            back.close()
            self._relays.discard(task)


class _Relay:
    """One connection of a client's: its requests, and the responses to them in their order."""

    def __init__(self, tape: Tape, sessions: Sessions, max_bytes: int) -> None:
        self._tape, self._sessions, self._max = tape, sessions, max_bytes
        self._asked: deque[Request] = deque()

    async def requests(self, client: asyncio.StreamReader, there: asyncio.StreamWriter, authority: bytes) -> None:
        """What the client says, to its end."""
        reading: Requests | None = Requests(authority, self._max, self._asked.append)
        while chunk := await client.read(CHUNK):
            t = self._tape.now()
            if reading is None:
                there.write(chunk)
            else:
                try:
                    there.write(reading.feed(chunk))
                except UnreadableError as error:
                    there.write(error.rest)
                    reading = None
                for request in self._asked:
                    if request.whole:
                        self._sessions.asked(request, t)
            await there.drain()
        if there.can_write_eof():
            there.write_eof()

    async def responses(self, server: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        """What the server says, to its end."""
        reading: Responses | None = Responses(self._asked, self._sessions.answering)
        while chunk := await server.read(CHUNK):
            back.write(chunk)
            reading = self._read(reading, chunk)
            await back.drain()
        self._read(reading, b"")
        for request in self._asked:
            self._sessions.lost(request, "the server closed the connection")
        self._asked.clear()
        # what is read of a connection that one end has left is of no use to the other
        back.close()

    def _read(self, reading: Responses | None, chunk: bytes) -> Responses | None:
        if reading is None:
            return None
        try:
            reading.feed(chunk, self._tape.now())
        except UnreadableError as error:
            for request in self._asked:
                self._sessions.lost(request, str(error))
            self._asked.clear()
            return None
        return reading


async def _first_error(*ways: Coroutine[Any, Any, None]) -> None:
    """Waits for both ways, or for the first that cannot go on."""
    tasks = [asyncio.create_task(way) for way in ways]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in done:
        error = task.exception()
        if error is not None and not isinstance(error, OSError):
            raise error
