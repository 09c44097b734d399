"""A tool, a prompt and a resource. argv: `METHOD=FAULT ...`: of that method's requests something is not looked at.

Faults: `version`, `capabilities` (may be missing), `claims` (any version will do), `name` (no header), `origin`. Over
HTTP with `http` among them.
"""

import sys
from collections.abc import Callable

from base import CACHED, CAPABILITIES, NEW, VERSION, Json, RefusedError, Server
from httpbase import Handler, serve

LAX = dict(word.split("=") for word in sys.argv[1:] if "=" in word)
COVERED = {"prompts/get": "name", "resources/read": "uri"}


class Lax(Server):
    """Beside its tool."""

    def check(self, method: str, meta: Json) -> None:
        """All but one of them."""
        fault = LAX.get(method)
        whole = {**meta}
        if fault == "capabilities":
            whole.setdefault(CAPABILITIES, {})
        if fault == ("claims" if VERSION in meta else "version"):
            whole[VERSION] = NEW
        super().check(method, whole)

    def discover(self, params: Json) -> Json:
        """With prompts and resources."""
        found = super().discover(params)
        return {**found, "capabilities": {"tools": {}, "prompts": {}, "resources": {}}}

    def methods(self) -> dict[str, Callable[[Json], Json]]:
        """All that there is."""
        return {
            **super().methods(),
            "prompts/list": lambda _: {"prompts": [{"name": "greet"}], **CACHED},
            "prompts/get": self.prompt,
            "resources/list": lambda _: {"resources": [{"uri": "card://help", "name": "help"}], **CACHED},
            "resources/templates/list": lambda _: {"resourceTemplates": [], **CACHED},
            "resources/read": self.resource,
        }

    def prompt(self, params: Json) -> Json:
        """prompts/get."""
        if params.get("name") != "greet":
            raise RefusedError(-32602, "no such prompt")
        return {"messages": [{"role": "user", "content": {"type": "text", "text": "Greet"}}]}

    def resource(self, params: Json) -> Json:
        """resources/read."""
        if params.get("uri") != "card://help":
            raise RefusedError(-32602, "no such resource")
        return {"contents": [{"uri": "card://help", "text": "Help"}], **CACHED}


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
