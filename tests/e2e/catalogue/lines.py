"""How a server over stdio writes."""

import json
import os
import sys
import threading
import time
from typing import Any

from kinds import Json, Server, behaviour

ASKS = b'{"jsonrpc": "2.0", "id": "s1", "method": "roots/list"}\n'
MEGABYTE = b"x" * 10**6


class Writes(Server):
    """Writes the answers to calls in a way of its own, and all else as an ordinary server does."""

    calls = False

    def odd(self, line: bytes) -> None:
        """Writes one answer."""
        raise NotImplementedError

    def answer(self, message: Json) -> Json | None:
        """Notes what is asked."""
        self.calls = message.get("method") == "tools/call"
        return super().answer(message)

    def write(self, message: Any) -> None:
        """One line."""
        line = json.dumps(message).encode() + b"\n"
        self.odd(line) if self.calls else put(line)


_WRITING = threading.Lock()


def put(data: bytes) -> None:
    """Writes bytes, at once and in one piece."""
    with _WRITING:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()


def written(name: str, odd: Any) -> None:
    """A behaviour that writes the answers to calls so."""
    behaviour(name)(type(name, (Writes,), {"odd": lambda _, line: odd(line)}))


def _slowly(line: bytes) -> None:
    for byte in line:
        put(bytes([byte]))


def _on(stream: Any, data: bytes, times: int) -> None:
    for _ in range(times):
        stream.write(data)
    stream.flush()


written("words on stdout", lambda line: put(b"loading model...\n" + line))
written("bytes that are no UTF-8", lambda line: put(b"\xff\xfe\x00 half a line {\n" + line))
written("answers in UTF-16", lambda line: put(line.decode().encode("utf-16")))
written("answers over several lines", lambda line: put(json.dumps(json.loads(line), indent=1).encode() + b"\n"))
written("line ends of Windows", lambda line: put(line[:-1] + b"\r\n"))
written("a byte order mark", lambda line: put(b"\xef\xbb\xbf" + line))
written("empty lines between answers", lambda line: put(b"\n\n" + line + b"\n"))
written("answers byte by byte", _slowly)
written("each answer twice", lambda line: put(line + line))
written("NaN in an answer", lambda line: put(line.replace(b'"result": {', b'"result": {"n": NaN, ', 1)))
written("a key twice", lambda line: put(line.replace(b'"result": {', b'"result": {"content": 5, ', 1)))
written("an answer without an end of line", lambda line: put(line[:-1]))
written("half an answer", lambda line: put(line[: len(line) // 2] + b"\n"))
written("zeros before an answer", lambda line: put(b"\0\0" + line))
written("an answer to nobody", lambda line: put(b'{"jsonrpc": "2.0", "id": 987654321, "result": {}}\n' + line))
written("ten megabytes on stderr for each call", lambda line: (_on(sys.stderr, "x" * 10**6, 10), put(line)))
written(
    "a request of its own for each call",
    lambda line: put(ASKS + line),
)
written("unknown notifications", lambda line: put(b'{"jsonrpc":"2.0","method":"notifications/\\u0000x"}\n' + line))
written("an answer of a hundred megabytes", lambda line: (_on(sys.stdout.buffer, MEGABYTE, 100), put(b"\n" + line)))


class Beside(Server):
    """Writes something for ever beside its answers."""

    line = b""
    rest_s = 0.0

    def write(self, message: Any) -> None:
        """One line."""
        put(json.dumps(message).encode() + b"\n")

    def stdio(self) -> None:
        """Begins at once."""
        threading.Thread(target=self.endlessly, daemon=True).start()
        super().stdio()

    def endlessly(self) -> None:
        """Never stops."""
        while True:
            put(self.line)
            time.sleep(self.rest_s)


@behaviour("noise on stdout without end")
class Noise(Beside):
    """Lines that are no messages."""

    line = b"x\n" * 500


@behaviour("notifications without end")
class Notifications(Beside):
    """More messages that nobody asked for than the suite takes, before the first answer can be over."""

    line = b'{"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "x"}}\n' * 25_000


@behaviour("requests without end")
class Requests(Beside):
    """Pings that want an answer each, as many as a busy server may well send."""

    line = b'{"jsonrpc": "2.0", "id": "again", "method": "ping"}\n'
    rest_s = 0.002


@behaviour("a line that never ends")
class Line(Beside):
    """No end of line ever comes."""

    line = b"x" * 65_536

    def write(self, message: Any) -> None:
        """Before the flood, as long as there is a chance."""


@behaviour("stdin is never read")
class Deaf(Server):
    """It neither reads nor writes."""

    def stdio(self) -> None:
        """Waits."""
        time.sleep(3600)


@behaviour("progress without end")
class Progress(Server):
    """A call that is always about to be over."""

    def answer(self, message: Json) -> Json | None:
        """Says so, twenty times a second, for ever."""
        if message.get("method") != "tools/call":
            return super().answer(message)
        token = message["params"].get("_meta", {}).get("progressToken")
        for number in range(72_000):
            params = {"progressToken": token, "progress": number}
            self.write({"jsonrpc": "2.0", "method": "notifications/progress", "params": params})
            time.sleep(0.05)
        return None


@behaviour("stderr that holds the terminal's own commands")
class Stderr(Server):
    """They are shown where a server dies."""

    def call(self, params: Json) -> Json:
        """Dies."""
        sys.stderr.write("\x1b[2J\x1b]0;owned\x07\r\n::error::x\n")
        sys.stderr.flush()
        os._exit(3)
