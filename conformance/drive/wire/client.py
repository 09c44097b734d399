"""Requests to one server over HTTP/1.1, and their responses. A connection is kept for the next request.

A client for all purposes took 1.4 ms of processor time a request, most of a run: it looks at each idle connection for
each request, and sends head and body by themselves.
"""

import asyncio
import base64
import contextlib
from collections import deque
from collections.abc import AsyncIterator, Callable
from functools import lru_cache
from urllib.parse import quote, unquote, urlsplit

import h11

from conformance import __version__
from conformance.drive import volley
from conformance.drive.wire.channel import Channel, LostError, UnreachedError, secure_context

KEPT_S = 1.0
"""What an idle connection is kept: servers close one after two seconds or five, at times just as a request leaves."""
LARGEST_HEAD = 102_400
"""Octets of a response's head."""
WITH_BODY = ("POST", "PUT", "PATCH")
"""Methods of which a server expects to be told how long the body is, be there none."""
AS_THEY_ARE = "!#$%&'()*+,/:;=?@[]|~"
"""Characters of a path and a query that are not escaped: a URL is called as it is given."""
PORTS = {"http": 80, "https": 443}

Headers = list[tuple[bytes, bytes]]
Leaving = Callable[[Channel], None]
"""Called when the last bytes of a request leave: nothing else gets its turn until they are written."""


class StaleError(Exception):
    """The server had closed an idle connection before a request was whole. It cannot have acted on that request."""


LOST = (LostError, h11.ProtocolError, OSError)
"""How a request or its response can be lost."""
REFUSED = UnreachedError


class _Line:
    """A connection with what HTTP knows of it."""

    def __init__(self, channel: Channel) -> None:
        self.channel = channel
        self.http = h11.Connection(our_role=h11.CLIENT, max_incomplete_event_size=LARGEST_HEAD)
        self.used = False
        self.idle_since = 0.0

    async def event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        """What comes next of a response."""
        while (event := self.http.next_event()) is h11.NEED_DATA:
            data = await self.channel.read()
            if not data and self.http.their_state is h11.SEND_RESPONSE:
                raise LostError("the server closed the connection without a response")
            self.http.receive_data(data)
        return event

    def over(self) -> bool:
        """Whether request and response are whole, and another request may follow."""
        if self.http.our_state is not h11.DONE or self.http.their_state is not h11.DONE:
            return False
        self.http.start_next_cycle()
        self.used = True
        return True


class Response:
    """The head of a response, and its body as it comes."""

    def __init__(self, line: _Line, head: h11.Response) -> None:
        self._line = line
        self.status = head.status_code
        self.headers: Headers = head.headers.raw_items()

    def header(self, name: str) -> str | None:
        """The values of a header, by its name in lower case; None where it is absent."""
        found = [value.decode("latin-1") for key, value in self.headers if key.decode("latin-1").lower() == name]
        return ", ".join(found) if found else None

    async def chunks(self) -> AsyncIterator[bytes]:
        """The body as it comes, packed as it was sent."""
        while isinstance(event := await self._line.event(), h11.Data):
            yield bytes(event.data)


class Client:
    """At most so many connections to the server of a URL, of which so many are kept while they are idle."""

    def __init__(self, url: str, at_once: int, kept: int) -> None:
        parts = urlsplit(url)
        self._host, self._secure = parts.hostname or "", parts.scheme == "https"
        self._port = parts.port or PORTS.get(parts.scheme, 0)
        self._room, self._kept = asyncio.Semaphore(at_once), kept
        self._idle: deque[_Line] = deque()
        """The one that was used last at the end."""
        host = b"[%b]" % _octets(self._host) if ":" in self._host else _octets(self._host)
        self._own = {
            b"host": host if self._port == PORTS.get(parts.scheme) else b"%b:%d" % (host, self._port),
            b"accept": b"*/*",
            b"connection": b"keep-alive",
            b"user-agent": f"conformance/{__version__}".encode(),
        }
        self._login = _login(parts.username, parts.password)

    @contextlib.asynccontextmanager
    async def sent(
        self, method: str, path: str, headers: dict[bytes, bytes], body: bytes | None, leaving: Leaving | None
    ) -> AsyncIterator[Response]:
        """The response to a request. StaleError: it is to be sent again. LOST: it came to nothing.

        Where `leaving` is given, it leaves together with the others of its volley.
        """
        headers = {**self._own, **headers, **self._login}
        if body is not None or method in WITH_BODY:
            headers[b"content-length"] = str(len(body or b"")).encode()
        request = h11.Request(method=method, target=target(path), headers=list(headers.items()))
        async with self._room:
            line = await self._line()
            try:
                await self._write(line, request, body, leaving)
                while not isinstance(event := await line.event(), h11.Response):
                    if isinstance(event, h11.InformationalResponse):
                        continue
                    raise LostError("the server ended the response before it began")
                yield Response(line, event)
            finally:
                self._back(line)

    @staticmethod
    async def _write(line: _Line, request: h11.Request, body: bytes | None, leaving: Leaving | None) -> None:
        octets = line.http.send(request) or b""
        if body and leaving is not None and volley.joined():
            # all but the last bytes, as the others do
            await _leave(line, octets)
            octets = b""
        if body:
            octets += line.http.send(h11.Data(data=body)) or b""
        octets += line.http.send(h11.EndOfMessage()) or b""
        if leaving is not None:
            await volley.ready()
        await _leave(line, octets, leaving)

    async def _line(self) -> _Line:
        """A connection that is there and seems to be good, else a new one."""
        now = asyncio.get_running_loop().time()
        while self._idle and now - self._idle[0].idle_since > KEPT_S:
            self._idle.popleft().channel.close()
        while self._idle:
            line = self._idle.pop()
            if not line.channel.ended:
                return line
            line.channel.close()
        return _Line(await Channel.open(self._host, self._port, secure_context() if self._secure else None))

    def _back(self, line: _Line) -> None:
        """Keeps a connection whose response was read to its end."""
        if len(self._idle) < self._kept and line.over():
            line.idle_since = asyncio.get_running_loop().time()
            self._idle.append(line)
        else:
            line.channel.close()

    async def close(self) -> None:
        """Closes what is idle; nothing is under way any more."""
        while self._idle:
            self._idle.pop().channel.close()
        # asyncio tells the end of a connection at its next turn
        await asyncio.sleep(0)


async def _leave(line: _Line, octets: bytes, leaving: Leaving | None = None) -> None:
    if line.used and line.channel.ended:
        raise StaleError
    if leaving is not None:
        leaving(line.channel)
    await line.channel.write(octets)


@lru_cache(1_000)
def target(path: str) -> str:
    """A path with its query as a request names it: what HTTP has no room for is escaped."""
    return quote(path.partition("#")[0] or "/", safe=AS_THEY_ARE)


def _octets(host: str) -> bytes:
    """The name of a host as it is asked for. One that is none finds nothing that listens."""
    try:
        return host.encode("idna")
    except UnicodeError:
        return quote(host).encode()


def _login(user: str | None, password: str | None) -> dict[bytes, bytes]:
    """What a user and a password in a URL mean."""
    if user is None and password is None:
        return {}
    pair = f"{unquote(user or '')}:{unquote(password or '')}"
    return {b"authorization": b"Basic " + base64.b64encode(pair.encode())}
