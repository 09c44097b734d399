"""HTTP/1.1 as it passes by: where each request and each response begins and ends. h11 reads a copy of the bytes."""

import re
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

import h11
from msgspec import Struct

from conformance.drive.tap.talk import Said, Talk

HEAD = 65_536
"""Octets that a head may take."""
_END = re.compile(rb"\r?\n\r?\n")
_HOST = re.compile(rb"(\n[Hh][Oo][Ss][Tt]:[ \t]*)[^\r\n]*")


class UnreadableError(Exception):
    """What comes is no HTTP, or no longer: from here on it is passed on and not read."""

    def __init__(self, why: str, rest: bytes = b"") -> None:
        super().__init__(why)
        self.rest = rest
        """What was held back."""


class Request(Struct, eq=False):
    """A request of a client's, as far as it has come."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytearray
    first: bool
    """Whether its connection was new."""
    whole: bool = False
    size: int = 0
    """Octets of the body, of which no more are kept than a frame may have."""
    seen: bool = False
    """Whether it was looked at, once it was whole."""
    part: tuple[Talk, Said] | None = None
    """What it is part of; None: it is passed on alone."""


class Requests:
    """Reads what a client sends. It is passed on with the server's own name in place of the tap's."""

    def __init__(self, authority: bytes, most: int, begun: Callable[[Request], None]) -> None:
        self._authority, self._most, self._begun = authority, most, begun
        self._held = b""
        """Of a head that is not whole."""
        self._reading: h11.Connection | None = None
        self._request: Request | None = None

    def feed(self, chunk: bytes) -> bytes:
        """What is to be passed on; UnreadableError where it cannot be read, with what is to be passed on then."""
        out = b""
        while chunk:
            if self._reading is None:
                chunk = self._held + chunk
                found = _END.search(chunk)
                if found is None:
                    if len(chunk) > HEAD:
                        raise UnreadableError("the head is too long", out + chunk)
                    self._held = chunk
                    return out
                self._held = b""
                head, chunk = chunk[: found.end()], chunk[found.end() :]
                try:
                    self._begin(head)
                except h11.RemoteProtocolError as error:
                    raise UnreadableError(str(error), out + head + chunk) from error
                out += _HOST.sub(lambda host: host[1] + self._authority, head, count=1)
            left = self._body(chunk, out)
            out, chunk = out + chunk[: len(chunk) - len(left)], left
        return out

    def _begin(self, head: bytes) -> None:
        reading = h11.Connection(h11.SERVER, max_incomplete_event_size=HEAD)
        reading.receive_data(head)
        event = reading.next_event()
        if not isinstance(event, h11.Request):
            raise h11.RemoteProtocolError("no request")
        first = self._request is None
        method, target = event.method.decode("latin-1"), event.target.decode("latin-1")
        self._request = Request(method, target, lowered(event.headers), bytearray(), first)
        self._reading = reading
        self._begun(self._request)
        self._events(reading, self._request)

    def _body(self, chunk: bytes, before: bytes) -> bytes:
        """Reads on in a body; gives what comes after it."""
        reading, request = self._reading, self._request
        if reading is None or request is None or not chunk:
            # nothing would be the end of the connection to h11
            return chunk
        try:
            reading.receive_data(chunk)
            self._events(reading, request)
        except h11.RemoteProtocolError as error:
            raise UnreadableError(str(error), before + chunk) from error
        return reading.trailing_data[0] if request.whole else b""

    def _events(self, reading: h11.Connection, request: Request) -> None:
        while True:
            match reading.next_event():
                case h11.Data(data=data):
                    request.size += len(data)
                    request.body += data[: max(0, self._most - len(request.body))]
                case h11.EndOfMessage():
                    request.whole, self._reading = True, None
                    return
                case _:
                    return


class Answer(Protocol):
    """What becomes of a response."""

    def data(self, data: bytes, t: int) -> None:
        """A part of its body."""

    def over(self, t: int) -> None:
        """It is whole."""


class Responses:
    """Reads what a server sends: responses to the requests in their order."""

    def __init__(
        self, asked: deque[Request], answering: Callable[[Request, int, Mapping[str, str], int], Answer]
    ) -> None:
        self._asked, self._answering = asked, answering
        self._reading: h11.Connection | None = None
        self._answer: Answer | None = None

    def feed(self, chunk: bytes, t: int) -> None:
        """Reads on, nothing being the end; UnreadableError where it is no HTTP."""
        try:
            left = self._read(chunk, t)
            while left:
                left = self._read(left, t)
        except h11.ProtocolError as error:
            raise UnreadableError(str(error)) from error

    def _read(self, chunk: bytes, t: int) -> bytes:
        """Reads to the end of a response; gives what comes after it."""
        if self._reading is None:
            if not self._asked:
                return b""
            self._reading = h11.Connection(h11.CLIENT, max_incomplete_event_size=HEAD)
            self._reading.send(h11.Request(method=self._asked[0].method, target="/", headers=[("host", "server")]))
            self._reading.send(h11.EndOfMessage())
        reading = self._reading
        reading.receive_data(chunk)
        while True:
            match reading.next_event():
                case h11.Response() as head:
                    self._answer = self._answering(self._asked[0], head.status_code, lowered(head.headers), t)
                case h11.Data(data=data) if self._answer is not None:
                    self._answer.data(bytes(data), t)
                case h11.EndOfMessage():
                    if self._answer is not None:
                        self._answer.over(t)
                    self._asked.popleft()
                    self._reading = self._answer = None
                    return reading.trailing_data[0]
                case h11.NEED_DATA | h11.PAUSED | h11.ConnectionClosed():
                    return b""


def lowered(headers: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """Headers by their names in small letters. Bytes beyond ASCII are read as Latin-1, as HTTP says."""
    return {name.decode("latin-1"): value.decode("latin-1") for name, value in headers}
