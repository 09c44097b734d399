"""Serves one connection after the other, and lets one wait: what comes besides is broken before it is heard."""

import os
import sys
from http.server import HTTPServer

from httpbase import OlderHandler


class Single(OlderHandler):
    """A connection for each request."""

    protocol_version = "HTTP/1.0"


class Listener(HTTPServer):
    """The smallest line of waiting connections that there is."""

    request_queue_size = 1


listener = Listener(("127.0.0.1", int(os.environ.get("PORT", "0"))), Single)
print(f"listening on http://127.0.0.1:{listener.server_port}", file=sys.stderr, flush=True)
listener.serve_forever()
