"""Serves nobody for a while in the middle of a run, and has forgotten its sessions then; `never-back` for good."""

import json
import sys
import uuid
from typing import ClassVar

from base import Json
from httpbase import OlderHandler, serve

BEGINS, OVER = 40, 60
"""Of the requests that come, those that are turned away; who asks again gets on sooner."""


class Draining(OlderHandler):
    """A session each."""

    came = 0
    sessions: ClassVar[set[str]] = set()

    def do_POST(self) -> None:
        """Counts."""
        Draining.came += 1
        over = Draining.came >= OVER and "never-back" not in sys.argv
        if Draining.came < BEGINS or over:
            super().do_POST()
        else:
            self.rfile.read(int(self.headers["content-length"]))
            self.sessions.clear()
            self.reply(b"draining", "text/plain", 503, Retry_After="0")

    def message(self, message: Json) -> None:
        """Only in a session."""
        if message.get("method") != "initialize" and self.headers.get("mcp-session-id") not in self.sessions:
            self.reply(b"no session", "text/plain", 404)
        else:
            super().message(message)

    def answered(self, message: Json, answer: Json) -> None:
        """A handshake begins a session."""
        if message["method"] == "initialize":
            number = uuid.uuid4().hex
            self.sessions.add(number)
            self.reply(json.dumps(answer).encode(), Mcp_Session_Id=number)
        else:
            super().answered(message, answer)

    def do_DELETE(self) -> None:
        """Ends a session."""
        known = self.headers["mcp-session-id"] in self.sessions
        self.sessions.discard(self.headers["mcp-session-id"])
        self.reply(b"", status=200 if known else 404)


serve(Draining)
