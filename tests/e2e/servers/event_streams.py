"""Answers every request by an event stream; argv[1] says how it is written."""

import json
import sys
import time
from http import HTTPStatus

from base import Json
from httpbase import Handler, OlderHandler, serve

HOW = sys.argv[1]
FORMS = {
    "primed": b"id: 1\ndata: \n\nid: 2\ndata: %s\n\n",
    "crlf": b": welcome\r\nretry: 100\r\nid: 1\r\ndata: %s\r\n\r\n",
    "cr": b"data: %s\r\r",
    "bom": b"\xef\xbb\xbfdata: %s\n\n",
    "split": b"data: %s\n\n",
    "names": b"event: ping\ndata: 2026-11-22\n\nevent: message\ndata: %s\n\n",
    "lines": b"data:%s\n\n",
    "unnamed": b"event: answer\ndata: %s\n\n",
    "unfinished": b"data: %s\n",
    "endless": b"data: %s\n\n",
    "open": b"data: %s\n\n",
    "late": b"data: %s\n\n",
}
OPEN_S = {"open": 30, "late": 1}
"""What the stream is still there after the answer."""


class Streaming(OlderHandler if "older" in sys.argv else Handler):  # type: ignore[misc]
    """One stream a request."""

    def answered(self, message: Json, answer: Json) -> None:
        """The answer as an event."""
        del message
        body = json.dumps(answer, indent=1 if HOW == "lines" else None).encode()
        whole = FORMS[HOW] % (body.replace(b"\n", b"\ndata:") if HOW == "lines" else body)
        self.stream()
        if HOW == "split":
            for octet in whole:
                self.wfile.write(bytes([octet]))
        else:
            self.wfile.write(whole)
        self.wfile.flush()
        time.sleep(OPEN_S.get(HOW, 0))
        while HOW == "endless":
            self.wfile.write(b': still here\n\ndata: {"jsonrpc": "2.0", "method": "notifications/message"}\n\n' * 99)


class Refusing(OlderHandler if "older" in sys.argv else Handler):  # type: ignore[misc]
    """Only what is refused is a stream, with the refusal's status; "empty" has nothing in it, "labelled" is none."""

    def reply(self, body: bytes, kind: str = "application/json", status: int = 200, **headers: str) -> None:
        """The whole response."""
        if status != HTTPStatus.OK and body:
            kind = "text/event-stream"
            body = {"empty": b"", "labelled": body}.get(HOW, b"id: 1\ndata: " + body + b"\n\n")
        super().reply(body, kind, status, **headers)


serve(Refusing if HOW in ("refused", "empty", "labelled") else Streaming)
