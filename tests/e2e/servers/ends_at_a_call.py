"""Ends at the first call, with a word on stderr."""

import os
import sys

from base import Json, Server


class Dies(Server):
    """Not for long."""

    def call(self, _: Json) -> Json:
        """Ends."""
        print("out of cheese", file=sys.stderr, flush=True)
        os._exit(7)


Dies().stdio()
