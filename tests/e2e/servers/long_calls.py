"""A tool that takes argv[1] seconds, over HTTP; an older one goes on when its connection is closed."""

import sys
import time

from base import Json
from httpbase import Handler, OlderHandler, serve


class Slow(OlderHandler if "older" in sys.argv else Handler):  # type: ignore[misc]
    """Sleeps."""

    def message(self, message: Json) -> None:
        """Takes its time at calls."""
        if message.get("method") == "tools/call":
            time.sleep(float(sys.argv[1]))
        super().message(message)


serve(Slow)
