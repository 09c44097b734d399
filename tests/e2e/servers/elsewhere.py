"""Serves at /mcp/?key=abc alone; any other address is sent there."""

import json

from httpbase import Handler, serve


class Elsewhere(Handler):
    """Strict about its address."""

    def do_POST(self) -> None:
        """Redirects."""
        message = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if self.path != "/mcp/?key=abc-secret":
            self.reply(b"", "text/plain", 307, Location="/mcp/?key=...")
        elif (self.headers.get("origin") or "").startswith("https://"):
            self.reply(b"foreign origin", "text/plain", 403)
        else:
            self.message(message)


serve(Elsewhere)
