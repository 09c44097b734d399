"""A session id beyond ASCII, which has to come back; and effects that are nested deep."""

import json

from base import Json
from httpbase import OlderHandler, serve

SESSION = "s\xe9ance"


class Odd(OlderHandler):
    """Strict about its session."""

    def message(self, message: Json) -> None:
        """Only with the id as it was given."""
        if message.get("method") != "initialize" and self.headers.get("mcp-session-id") != SESSION:
            self.reply(b"no session", "text/plain", 400)
        else:
            super().message(message)

    def answered(self, message: Json, answer: Json) -> None:
        """With both headers."""
        del message
        effects = "[" * 20_000 + "]" * 20_000
        self.reply(json.dumps(answer).encode(), Mcp_Session_Id=SESSION, X_Conformance_Effects=effects)


serve(Odd)
