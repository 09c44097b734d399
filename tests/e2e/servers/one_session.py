"""Has one session for all. A second handshake takes its place, or is `refused`, as by a transport that is shared."""

import json
import sys
import uuid

from base import Json
from httpbase import OlderHandler, serve

REFUSED = "refused" in sys.argv
ALREADY: Json = {"code": -32600, "message": "Invalid Request: Server already initialized"}
UNKNOWN: Json = {"code": -32001, "message": "Session not found"}
session: list[str] = []


class One(OlderHandler):
    """Knows the latest session alone."""

    begun = ""

    def message(self, message: Json) -> None:
        """Only in that session, or to begin it."""
        if message.get("method") != "initialize":
            known = self.headers.get("mcp-session-id") in session
            super().message(message) if known else self.refuse(UNKNOWN, 404)
        elif session and REFUSED:
            self.refuse(ALREADY, 400)
        else:
            self.begun = uuid.uuid4().hex
            session[:] = [self.begun]
            super().message(message)

    def refuse(self, error: Json, status: int) -> None:
        """Says so under no id."""
        self.reply(json.dumps({"jsonrpc": "2.0", "id": None, "error": error}).encode(), status=status)

    def reply(self, body: bytes, kind: str = "application/json", status: int = 200, **headers: str) -> None:
        """The answer to a handshake names the session."""
        named = {"Mcp_Session_Id": self.begun} if self.begun else {}
        self.begun = ""
        super().reply(body, kind, status, **named, **headers)

    def do_DELETE(self) -> None:
        """Ends it."""
        known = self.headers.get("mcp-session-id") in session
        session.clear()
        self.reply(b"", status=200 if known else 404)


serve(One)
