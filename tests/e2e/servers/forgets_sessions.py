"""Forgets a session after its fifth request; `for good`: then nobody is let in any more. `as the SDKs` say it."""

import json
import sys
import uuid

from base import Json
from httpbase import OlderHandler, serve

left: dict[str, int] = {}
FOR_GOOD = "for good" in sys.argv
GONE = {"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": "Session not found"}}
AS_THE_SDKS = (json.dumps(GONE).encode(), "application/json")
SAID = AS_THE_SDKS if "as the SDKs" in sys.argv else (b"Session not found", "text/plain")


class Forgetful(OlderHandler):
    """Restarts often, as it seems."""

    def message(self, message: Json) -> None:
        """Counts."""
        number = self.headers.get("mcp-session-id", "")
        if message.get("method") == "initialize" and not (FOR_GOOD and 0 in left.values()):
            new = uuid.uuid4().hex
            left[new] = 6
            answer = self.server_of.answer(message)
            self.reply(json.dumps(answer).encode(), Mcp_Session_Id=new)
        elif left.get(number, 0) <= 0:
            self.reply(*SAID, 404)
        else:
            left[number] -= 1
            super().message(message)

    def do_GET(self) -> None:
        """Offers no stream."""
        self.reply(b"", "text/plain", 405)

    do_DELETE = do_GET


serve(Forgetful)
