"""Serves so many requests in each window of time, `for-good` in all; an error says that the rest is too many."""

import sys
import time

from base import Json, Older, Server

MOST, WINDOW_S = 15, 0.3


class Limiting(Older if "older" in sys.argv else Server):  # type: ignore[misc]
    """Counts whatever is asked, as middleware does."""

    def __init__(self) -> None:
        self.served: list[float] = []

    def answer(self, message: Json) -> Json | None:
        """Counts."""
        now = time.monotonic()
        self.served = [each for each in self.served if now - each < WINDOW_S or "for-good" in sys.argv]
        if "id" in message and len(self.served) >= MOST:
            error = {"code": -32000, "message": "Rate limit exceeded for client: global"}
            return {"jsonrpc": "2.0", "id": message["id"], "error": error}
        self.served.append(now)
        return super().answer(message)


Limiting().stdio()
