"""Arguments may be left out, which takes a while, and are never null."""

import time

from base import Json, Older, RefusedError


class Strict(Older):  # type: ignore[misc]
    """Tells null from nothing."""

    def call(self, params: Json) -> Json:
        """tools/call."""
        if params.get("arguments", {}) is None:
            raise RefusedError(-32602, "arguments is no object")
        if "arguments" not in params:
            time.sleep(0.3)
        return super().call(params)


Strict().stdio()
