"""A tool that takes one call in 80 ms, and says so of the others. With `for-good` it takes three in all."""

import sys
import time

from base import Json, Older, Server


class Spaced(Older if "older" in sys.argv else Server):  # type: ignore[misc]
    """Its limit is the tool's own: the protocol knows nothing of it."""

    last = 0.0
    left = 3 if "for-good" in sys.argv else 10_000

    def call(self, params: Json) -> Json:
        """tools/call."""
        if params.get("name") == "echo":
            now = time.monotonic()
            if now - self.last < 0.08 or not self.left:
                return {"content": [{"type": "text", "text": "Error: Rate limit exceeded"}], "isError": True}
            self.last, self.left = now, self.left - 1
        return super().call(params)


Spaced().stdio()
