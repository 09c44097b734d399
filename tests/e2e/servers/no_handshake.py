"""Knows no handshake; argv[1]: where it names the versions that it knows instead.

"honest" does it in server/discover alone, "refusal" where it refuses as well; "lies" names one that it refuses.
"""

import sys

from base import NEW, OLD, Json, RefusedError, Server


class Newer(Server):
    """Speaks the newer era alone."""

    def discover(self, _: Json) -> Json:
        """The versions."""
        return {**super().discover(_), "supportedVersions": [NEW, OLD] if "lies" in sys.argv else [NEW]}

    def initialize(self, params: Json) -> Json:
        """Refuses, as any request without what each has to say."""
        if "refusal" in sys.argv:
            return super().initialize(params)
        raise RefusedError(-32602, "Invalid params: _meta lacks the protocol version")


Newer().stdio()
