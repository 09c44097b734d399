"""A tool, a prompt and a resource. argv: `METHOD=FAULT ...`: of that method's requests something is not looked at.

Faults: `version`, `capabilities` (may be missing), `bare` (both may), `claims` (any version will do), `name` (no
header), `origin`. Over HTTP with `http` among them.
"""

import sys

from base import CAPABILITIES, NEW, VERSION, Json
from httpbase import Handler, serve
from offering import Offering

LAX = dict(word.split("=") for word in sys.argv[1:] if "=" in word)
COVERED = {"prompts/get": "name", "resources/read": "uri"}


class Lax(Offering):
    """Beside its tool."""

    def check(self, method: str, meta: Json) -> None:
        """All but one of them."""
        fault = LAX.get(method)
        whole = {**meta}
        if fault == "bare" and not meta:
            whole = {VERSION: NEW, CAPABILITIES: {}}
        if fault == "capabilities":
            whole.setdefault(CAPABILITIES, {})
        if fault == ("claims" if VERSION in meta else "version"):
            whole[VERSION] = NEW
        super().check(method, whole)


class LaxHandler(Handler):
    """Looks at the names, too."""

    server_of = Lax()

    def foreign(self, message: Json) -> bool:
        """Unless it asks for that one thing."""
        return super().foreign(message) and LAX.get(message.get("method", "")) != "origin"

    def misheaded(self, message: Json) -> Json | None:
        """As for tools."""
        key = COVERED.get(message["method"])
        looked_at = key is not None and LAX.get(message["method"]) != "name"
        if looked_at and self.headers.get("mcp-name") != message["params"].get(key):
            return {"jsonrpc": "2.0", "id": message["id"], "error": {"code": -32020, "message": "Header mismatch"}}
        return super().misheaded(message)


serve(LaxHandler) if "http" in sys.argv else Lax().stdio()
