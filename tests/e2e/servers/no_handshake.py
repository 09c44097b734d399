"""Knows no handshake, and says no more than that of one; "lies": it names the version that it refuses."""

import sys

from base import NEW, OLD, Json, RefusedError, Server


class Newer(Server):
    """Speaks the newer era alone."""

    def discover(self, _: Json) -> Json:
        """The versions."""
        return {**super().discover(_), "supportedVersions": [NEW, OLD] if "lies" in sys.argv else [NEW]}

    def initialize(self, params: Json) -> Json:
        """Refuses, as any request without what each has to say."""
        del params
        raise RefusedError(-32602, "Invalid params: _meta lacks the protocol version")


Newer().stdio()
