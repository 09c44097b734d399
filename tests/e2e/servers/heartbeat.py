"""Sends a ping on the GET stream, and forgets the session of a client that does not answer it, as Playwright's does."""

import json
import threading
import time
import uuid

from base import Json
from httpbase import OlderHandler, serve

sessions: dict[str, threading.Event] = {}


class Beating(OlderHandler):
    """Gives a session a second and a half to answer."""

    def answered(self, message: Json, answer: Json) -> None:
        """Begins a session."""
        if message["method"] != "initialize":
            return super().answered(message, answer)
        number = uuid.uuid4().hex
        sessions[number] = threading.Event()
        threading.Thread(target=self.watch, args=[number], daemon=True).start()
        return self.reply(json.dumps(answer).encode(), Mcp_Session_Id=number)

    def watch(self, number: str) -> None:
        """Forgets it."""
        if not sessions[number].wait(1.5):
            del sessions[number]

    def message(self, message: Json) -> None:
        """Only in a session; an answer to our ping is the heartbeat."""
        number = self.headers.get("mcp-session-id", "")
        if message.get("method") != "initialize" and number not in sessions:
            self.reply(b"Session not found", "text/plain", 404)
            return
        if message.get("id") == f"beat-{number}" and message.get("result") == {}:
            sessions[number].set()
        if message.get("method") == "tools/call":
            time.sleep(0.3)
        super().message(message)

    def do_GET(self) -> None:
        """The stream on which the heart beats."""
        number = self.headers.get("mcp-session-id", "")
        if number not in sessions:
            self.reply(b"Session not found", "text/plain", 404)
            return
        self.stream()
        self.event(json.dumps({"jsonrpc": "2.0", "id": f"beat-{number}", "method": "ping"}).encode())
        while True:
            time.sleep(0.5)
            self.wfile.write(b": keep-alive\n\n")

    def do_DELETE(self) -> None:
        """Does not let clients end sessions."""
        self.reply(b"", "text/plain", 405)


serve(Beating)
