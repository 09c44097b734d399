"""Answers everything with one status: argv[1]."""

import sys

from httpbase import Handler, serve

STATUS = int(sys.argv[1])
BODIES = {
    200: (b"<!doctype html>\n<title>Hello</title>", "text/html", {}),
    307: (b"", "text/plain", {"Location": "/mcp/"}),
    401: (b'{"error": "invalid_token"}', "application/json", {"WWW_Authenticate": 'Bearer resource_metadata="/x"'}),
    403: (b"only localhost:4140\nmore", "text/plain", {}),
    404: (b"<html>nothing here</html>", "text/html", {}),
    405: (b"", "text/plain", {"Allow": "GET"}),
    421: (b"Invalid Host header", "text/plain", {}),
    502: (b"Bad Gateway", "text/plain", {}),
}


class Door(Handler):
    """Lets nobody in."""

    def do_POST(self) -> None:
        """Refuses."""
        self.rfile.read(int(self.headers["content-length"]))
        body, kind, headers = BODIES[STATUS]
        self.reply(body, kind, STATUS, **headers)


serve(Door)
