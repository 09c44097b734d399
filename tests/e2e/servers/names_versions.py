"""Refuses every version and names others: argv[1:]."""

import sys

from base import Json, RefusedError, Server

NAMED = sys.argv[1:]


class Names(Server):
    """Speaks the first version that it names, by a handshake."""

    era = NAMED[0]

    def discover(self, _: Json) -> Json:
        """Refuses."""
        raise RefusedError(-32022, "Unsupported protocol version", {"supported": NAMED, "requested": "2026-07-28"})

    def initialize(self, params: Json) -> Json:
        """Refuses as well, unless the version is right."""
        if params["protocolVersion"] != self.era:
            raise RefusedError(-32602, "Unsupported protocol version", {"supported": NAMED})
        return super().initialize(params)


Names().stdio()
