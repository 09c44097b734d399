"""Gives no response to a notification: it leaves the request open, or closes the connection; argv[1] says which."""

import sys

from base import Json
from httpbase import Handler, OlderHandler, serve


class Unheard(OlderHandler if "older" in sys.argv else Handler):  # type: ignore[misc]
    """What has an id is answered."""

    def message(self, message: Json) -> None:
        """A message that was let in."""
        if isinstance(message, dict) and "id" in message:
            super().message(message)
        else:
            self.close_connection = sys.argv[1] == "closes"


serve(Unheard)
