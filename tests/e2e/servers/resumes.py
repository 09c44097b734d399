"""Primes each stream, closes it, and gives the answer to whoever resumes it; a session each, ended by DELETE."""

import json
import sys
import uuid

from base import Json
from httpbase import OlderHandler, serve

answers: dict[str, Json] = {}
sessions: dict[str, list[str]] = {}


class Resuming(OlderHandler):
    """Polling, as revision 2025-11-25 describes it."""

    def answered(self, message: Json, answer: Json) -> None:
        """Closes the stream before its answer; the first response to a handshake alone says which session it begins."""
        event, number = uuid.uuid4().hex, uuid.uuid4().hex
        answers[event] = answer
        if message["method"] == "initialize":
            sessions[number] = []
            self.stream(Mcp_Session_Id=number)
        else:
            self.stream()
        self.wfile.write(f"retry: 50\nid: {event}\ndata: \n\n".encode())

    def message(self, message: Json) -> None:
        """Only in a session."""
        if message.get("method") != "initialize" and self.headers.get("mcp-session-id") not in sessions:
            self.reply(b"no session", "text/plain", 404)
        else:
            super().message(message)

    def do_GET(self) -> None:
        """Resumes."""
        answer = answers.pop(self.headers.get("last-event-id", ""), None)
        if self.headers.get("mcp-session-id") not in sessions:
            self.reply(b"no session", "text/plain", 404)
        elif answer is None or "event-stream" not in self.headers["accept"]:
            self.reply(b"", "text/plain", 405)
        else:
            self.stream()
            self.event(json.dumps(answer).encode(), uuid.uuid4().hex)

    def do_DELETE(self) -> None:
        """Ends a session."""
        sessions.pop(self.headers["mcp-session-id"])
        print("ended a session", file=sys.stderr, flush=True)
        self.reply(b"", status=200)


serve(Resuming)
