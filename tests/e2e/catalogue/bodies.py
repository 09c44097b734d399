"""How a server behind HTTP answers."""

import json
import socket
import time
import zlib
from functools import cache
from typing import Any

from kinds import Handler, Json, OlderHandler, behaviour


def door(name: str, status: int, body: bytes = b"", kind: str = "text/plain", **headers: str) -> None:
    """A behaviour that answers everything with one status."""
    made = {"message": lambda self, _: self.reply(body, kind, status, **headers)}
    behaviour(name)(type(name, (Handler,), made))


door("HTTP 401 at the door", 401, b'{"error": "invalid_token"}', WWW_Authenticate="Bearer")
door("HTTP 403 at the door", 403, b"only localhost:4140")
door("HTTP 404 at the door", 404, b"not found")
door("HTTP 405 at the door", 405, b"")
door("HTTP 429 at the door", 429, b"slow down", Retry_After="3600")
door("HTTP 500 at the door", 500, b"<h1>Internal Server Error</h1>", "text/html")
door("HTTP 502 of a proxy", 502, b"<html><script>alert(1)</script>Bad Gateway</html>", "text/html")
door("a redirect to itself", 307, b"", Location="/mcp")
door("a redirect elsewhere", 308, b"", Location="http://127.0.0.1:9/steal")
door("a page instead of a server", 200, b"<!doctype html><title>Welcome</title>", "text/html")
door("nothing at all, with HTTP 200", 200, b"", "application/json")
door("HTTP 204 for everything", 204, b"", "application/json")


class Called(Handler):
    """Answers calls in a way of its own."""

    def odd(self, body: bytes) -> None:
        """Answers one."""
        raise NotImplementedError

    def answered(self, message: Json, answer: Json) -> None:
        """All else as an ordinary server does; so it refuses a call, as a status cannot be taken back."""
        if message.get("method") == "tools/call" and "error" not in answer:
            self.odd(json.dumps(answer).encode())
        else:
            super().answered(message, answer)

    def head(self, kind: str, **headers: str) -> None:
        """The beginning of a response that ends with its connection."""
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Connection", "close")
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.close_connection = True


def called(name: str, odd: Any) -> None:
    """A behaviour that answers calls so."""
    behaviour(name)(type(name, (Called,), {"odd": odd}))


PAUSE_S = 0.001
"""Between lines that are to reach no limit of size before the time is over."""


def _endless(self: Called, start: bytes, more: bytes, kind: str, pause_s: float = 0) -> None:
    self.head(kind)
    self.wfile.write(start)
    while True:
        self.wfile.write(more)
        if pause_s:
            time.sleep(pause_s)


def _longer(self: Called, body: bytes) -> None:
    self.head("application/json", Content_Length=str(len(body) + 100))
    self.wfile.write(body)


def _shorter(self: Called, body: bytes) -> None:
    self.head("application/json", Content_Length=str(len(body) // 2))
    self.wfile.write(body)


def _chunks(self: Called, body: bytes) -> None:
    self.head("application/json", Transfer_Encoding="chunked")
    self.wfile.write(b"zz\r\n" + body + b"\r\n0\r\n\r\n")


@cache
def _packed() -> bytes:
    packer = zlib.compressobj(wbits=31)
    return b"".join([*(packer.compress(b" " * 1_000_000) for _ in range(200)), packer.flush()])


def _bomb(self: Called, body: bytes) -> None:
    del body
    self.reply(_packed(), status=200, Content_Encoding="gzip")


def _slowly(self: Called, body: bytes) -> None:
    self.head("application/json")
    for byte in body:
        self.wfile.write(bytes([byte]))
        self.wfile.flush()


def _never(self: Called, body: bytes) -> None:
    self.head("application/json")
    self.wfile.write(body[:10])
    self.wfile.flush()
    time.sleep(3600)


def _head(self: Called, body: bytes) -> None:
    del body
    self.wfile.write(b"HTTP/1.1 200 OK\r\n")
    while True:
        self.wfile.write(b"X-More: a\r\n")
        time.sleep(0.2)


def _switch(self: Called, body: bytes) -> None:
    self.wfile.write(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n" + body)
    self.close_connection = True


def _trailers(self: Called, body: bytes) -> None:
    self.head("application/json", Transfer_Encoding="chunked")
    self.wfile.write(b"%x\r\n" % len(body) + body + b"\r\n0\r\n" + b"X-More: a\r\n" * 200_000 + b"\r\n")


def _reset(self: Called, body: bytes) -> None:
    del body
    self.connection.shutdown(socket.SHUT_RDWR)
    self.close_connection = True


def _old(self: Called, body: bytes) -> None:
    self.wfile.write(body)
    self.close_connection = True


called("a body as text/plain", lambda self, body: self.reply(body, "text/plain"))
called("a body without a media type", lambda self, body: self.reply(body, ""))
called("a body in Latin-1", lambda self, body: self.reply(body.replace(b'"text"', b'"\xe9"'), "application/json"))
called("a length that is too long", _longer)
called("a length that is too short", _shorter)
called("chunks that are none", _chunks)
called("a compressed bomb", _bomb)
called("a body byte by byte", _slowly)
called("a body that never comes", _never)
called("a connection that is reset", _reset)
called("a head that never ends", _head)
called("a switch of protocols", _switch)
called("trailers of two megabytes", _trailers)
called("a response without a head", _old)
called("a body without end", lambda self, _: _endless(self, b'{"jsonrpc": "', b"x" * 65_536, "application/json"))
called("a stream without an answer", lambda self, _: (self.stream(), None)[1])
called("a stream of comments without end", lambda self, _: _endless(
    self, b"", b": x\n\n", "text/event-stream", PAUSE_S
))  # fmt: skip
called("an event without end", lambda self, _: _endless(self, b"data: ", b"x" * 65_536, "text/event-stream"))
called("a stream of notifications without end", lambda self, _: _endless(
    self, b"", b'data: {"jsonrpc": "2.0", "method": "notifications/message", "params": {}}\n\n', "text/event-stream"
))  # fmt: skip
called("an ordinary stream", lambda self, body: (self.stream(), self.event(b""), self.event(body)))
called("the answer twice in a stream", lambda self, body: (self.stream(), self.event(body), self.event(body)))
called(
    "the answer of another in a stream",
    lambda self, body: (self.stream(), self.event(body.replace(b'"id": ', b'"id": 9')), self.event(body)),
)
called(
    "ten thousand headers",
    lambda self, body: self.reply(body, **{f"X_{n}": "x" * 50 for n in range(10_000)}),
)
called("a header of a megabyte", lambda self, body: self.reply(body, X_Long="x" * 1_000_000))
called("control characters in headers", lambda self, body: self.reply(body, X_Odd="\x1b[2J\x07"))
called(
    "two responses to a call",
    lambda self, body: (self.reply(body), self.reply(body.replace(b'"id": ', b'"id": 9'))),
)
_BEFORE: list[bytes] = []
called("the answer to the call before", lambda self, body: (_BEFORE.append(body), self.reply(_BEFORE[-2:][0]))[1])
called("cookies", lambda self, body: self.reply(body, Set_Cookie="a=b; Domain=example.com"))
called("HTTP 500 with the right answer", lambda self, body: self.reply(body, status=500))
called("a status of 299", lambda self, body: self.reply(body, status=299))


@behaviour("a foreign Origin is let in")
class AnyOrigin(Handler):
    """Whatever it is."""

    def foreign(self, message: Json) -> bool:
        """Never."""
        return False


class Session(OlderHandler):
    """Gives out a session whose id is this."""

    session = ""

    def answered(self, message: Json, answer: Json) -> None:
        """At the handshake."""
        more = {"Mcp_Session_Id": self.session} if message.get("method") == "initialize" else {}
        self.reply(json.dumps(answer).encode(), **more)


def session(name: str, number: str) -> None:
    """A behaviour that gives out such an id."""
    behaviour(name)(type(name, (Session,), {"session": number}))


session("a session of control characters", "\x1b[2J\x01")
session("a session of Latin-1", "s\xe9\xff")
session("a session of sixty kilobytes", "s" * 60_000)


class Resumed(OlderHandler):
    """Closes each stream before the answer; the event id that it is to be resumed from is this."""

    event_id = b""

    def answered(self, message: Json, answer: Json) -> None:
        """Calls alone."""
        self.nothing() if message.get("method") == "tools/call" else super().answered(message, answer)

    def do_GET(self) -> None:
        """Goes on with nothing."""
        self.nothing()

    def nothing(self) -> None:
        """No event but the id."""
        self.stream()
        self.wfile.write(b"retry: 1\nid: " + self.event_id + b"\ndata: \n\n")
        self.close_connection = True


def resumed(name: str, event_id: bytes) -> None:
    """A behaviour with such an id."""
    behaviour(name)(type(name, (Resumed,), {"event_id": event_id}))


resumed("an event id that no header holds", b"\x1b\x01\x7f")
resumed("an event id of two megabytes", b"x" * 2_000_000)


@behaviour("a stream that nothing resumes")
class NeverResumed(Resumed):
    """It is to be resumed, and GET is not served."""

    event_id = b"1"

    def do_GET(self) -> None:
        """There is no stream."""
        self.reply(b"", "text/plain", 405)


@behaviour("each connection is closed")
class ClosesEach(Handler):
    """After one response, which says so."""

    def end_headers(self) -> None:
        """One more header."""
        self.send_header("Connection", "close")
        super().end_headers()
