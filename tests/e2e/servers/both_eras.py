"""Speaks either era, as the client begins. argv: `MEMBER=VALUE`: what an answer to the client's greeting has there.

A value is JSON; none at all leaves the member out. `discover.`, before a member, changes it in server/discover alone.
"""

import json
import sys

from base import NEW, OLD, Json, Server

CHANGED = dict(word.split("=", 1) for word in sys.argv[1:])


def changed(result: Json, prefix: str = "") -> Json:
    """A result as the arguments have it."""
    mine = {name.removeprefix(prefix): value for name, value in CHANGED.items() if name.startswith(prefix)}
    given = {**result, **{name: json.loads(value) for name, value in mine.items() if value and name in result}}
    return {name: each for name, each in given.items() if mine.get(name) != ""}


class Both(Server):
    """One process serves one client, and so one era."""

    def discover(self, params: Json) -> Json:
        """Both eras."""
        found = super().discover(params)
        return changed({**found, "supportedVersions": [NEW, OLD]}, "discover.")

    def initialize(self, params: Json) -> Json:
        """From here on the older era, whatever was asked for."""
        self.era = OLD
        return changed(super().initialize(params))


Both().stdio()
