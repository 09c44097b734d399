"""Serves so many requests in each window of time, `for-good` in all, and turns the rest away with HTTP 429."""

import json
import sys
import time
from typing import ClassVar

from httpbase import OlderHandler, serve

MOST, WINDOW_S = 20, 0.25
ERROR = {"jsonrpc": "2.0", "id": None, "error": {"code": -32000, "message": "Too many requests"}}
BODIES = {
    "text": (b"Too Many Requests", "text/html"),
    "object": (b'{"error": "slow down"}', "application/json"),
    "error": (json.dumps(ERROR).encode(), "application/json"),
}


class Throttling(OlderHandler):
    """Counts for all callers together."""

    served: ClassVar[list[float]] = []

    def do_POST(self) -> None:
        """Counts."""
        now = time.monotonic()
        within = [each for each in self.served if now - each < WINDOW_S or "for-good" in sys.argv]
        if len(within) < MOST:
            Throttling.served = [*within, now]
            super().do_POST()
        else:
            self.rfile.read(int(self.headers["content-length"]))
            body, kind = next((BODIES[word] for word in sys.argv if word in BODIES), BODIES["text"])
            self.reply(body, kind, 429)


serve(Throttling)
