"""Over HTTP: each call gets one response and, at once, more that belongs to no response; or nothing that is HTTP."""

import json
import sys

from base import Json
from httpbase import Handler, serve


def response(answer: Json) -> bytes:
    """A whole response."""
    body = json.dumps(answer).encode()
    return b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body) + body


class Twice(Handler):
    """Keeps the connection open: whoever reads the next response on it is told lies."""

    def answered(self, message: Json, answer: Json) -> None:
        """Two responses to a call, the second under another id; or blank lines after one; or none."""
        if message["method"] != "tools/call" or "error" in answer:
            super().answered(message, answer)
            return
        if "garbled" in sys.argv:
            self.wfile.write(b"SSH-2.0-OpenSSH_9.6\r\n" + b"\r\n" * ("closes" not in sys.argv))
            self.close_connection = True
            return
        own = answer["id"]
        other = own + 1_000_000 if isinstance(own, int) else f"{own} again"
        more = b"\r\n\r\n" if "blank" in sys.argv else response({**answer, "id": other})
        self.wfile.write(response(answer) + more)


serve(Twice)
