"""Serves one connection until it is closed, and keeps it open: whoever comes on another waits."""

import sys
from http.server import HTTPServer

from httpbase import Handler, OlderHandler

listener = HTTPServer(("127.0.0.1", 0), OlderHandler if "older" in sys.argv else Handler)
print(f"listening on http://127.0.0.1:{listener.server_port}", file=sys.stderr, flush=True)
listener.serve_forever()
