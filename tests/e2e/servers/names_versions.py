"""Refuses every version and names others: argv[1:]. After `silently` the handshake's refusals name none."""

import sys

from base import Json, RefusedError, Server

SILENTLY = sys.argv[1] == "silently"
NAMED = sys.argv[2:] if SILENTLY else sys.argv[1:]


class Names(Server):
    """Speaks the first version that it names, by a handshake."""

    era = NAMED[0]

    def discover(self, _: Json) -> Json:
        """Refuses."""
        if SILENTLY:
            raise RefusedError(-32601, "Method not found")
        raise RefusedError(-32022, "Unsupported protocol version", {"supported": NAMED, "requested": "2026-07-28"})

    def initialize(self, params: Json) -> Json:
        """Refuses as well, unless the version is right."""
        if params["protocolVersion"] != self.era:
            raise RefusedError(-32602, "Unsupported protocol version", None if SILENTLY else {"supported": NAMED})
        return super().initialize(params)


Names().stdio()
