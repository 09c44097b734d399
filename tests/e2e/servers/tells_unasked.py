"""A server that reports progress and logs what it does, as its first word says: rightly, or in a way of its own."""

import sys
from typing import Any

from base import OLD, Json, RefusedError, Server

LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
LEVEL = "io.modelcontextprotocol/logLevel"


class Telling(Server):
    """Says something before each answer to a call."""

    era = OLD if "older" in sys.argv else Server.era

    def discover(self, params: Json) -> Json:
        """It declares logging."""
        return self._logging(super().discover(params))

    def initialize(self, params: Json) -> Json:
        """So it does in the older era."""
        return self._logging(super().initialize(params))

    def _logging(self, found: Json) -> Json:
        return {**found, "capabilities": {"tools": {}, "logging": {}}}

    def answer(self, message: Json) -> Json | None:
        """Tells first."""
        if message.get("method") == "tools/call":
            try:
                self.tell(sys.argv[1], message, message["params"].get("_meta", {}))
            except RefusedError as refused:
                return {"jsonrpc": "2.0", "id": message["id"], "error": refused.error}
        return super().answer(message)

    def tell(self, how: str, message: Json, meta: Json) -> None:
        """One notification, or none."""
        token, level = meta.get("progressToken"), meta.get(LEVEL)
        match how:
            case "rightly":
                if token is not None:
                    self.progress(token)
                if level is not None and LEVELS.index("warning") >= LEVELS.index(level):
                    self.log("warning")
            case "progress-by-id":
                self.progress(message["id"])
            case "progress-always":
                self.progress(token if token is not None else "none")
            case "wants-a-token" if token is None:
                raise RefusedError(-32603, "'progressToken'")
            case "logs-always":
                self.log("warning")
            case "logs-what-it-likes" if level is not None or self.era == OLD:
                self.log("info")
            case "logs-as-it-spells" if level is not None or self.era == OLD:
                self.log("EMERGENCY")

    def progress(self, token: Any) -> None:
        """Halfway."""
        params = {"progressToken": token, "progress": 0.5, "total": 1}
        self.write({"jsonrpc": "2.0", "method": "notifications/progress", "params": params})

    def log(self, level: str) -> None:
        """One message."""
        params = {"level": level, "data": "a call"}
        self.write({"jsonrpc": "2.0", "method": "notifications/message", "params": params})


Telling().stdio()
