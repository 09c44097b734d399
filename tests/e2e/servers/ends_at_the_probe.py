"""Ends where the first message is not initialize, as rmcp 0.16 does."""

import sys

from base import Json, Older


class Strict(Older):
    """Older, and strict about its first message."""

    first = True

    def read(self) -> Json | None:
        """Looks at the first message."""
        message = super().read()
        if self.first and message is not None and message["method"] != "initialize":
            print("expected initialize", file=sys.stderr)
            sys.exit(1)
        self.first = False
        return message


Strict().stdio()
