"""Answers one call after another, each in argv[1] seconds."""

import sys
import time

from base import Json, Server


class Slow(Server):
    """Slow, and right."""

    def call(self, params: Json) -> Json:
        """Waits, then answers."""
        time.sleep(float(sys.argv[1]))
        return super().call(params)


Slow().stdio()
