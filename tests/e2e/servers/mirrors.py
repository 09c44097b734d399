"""Compares the headers of 2026-07-28 with the body, for a tool whose name no header can carry as it is."""

import base64

from base import TOOL, Json, RefusedError, Server
from httpbase import Handler, serve

REGION = {"type": "string", "x-mcp-header": "Region"}


def decoded(value: str | None) -> str | None:
    """A header's value."""
    if value is not None and value.startswith("=?base64?") and value.endswith("?="):
        return base64.b64decode(value[9:-2]).decode()
    return value


class Named(Server):
    """One tool beyond ASCII."""

    tools = ({**TOOL, "name": "ツール", "inputSchema": {"type": "object", "properties": {"region": REGION}}},)


class Mirroring(Handler):
    """Strict about headers."""

    server_of = Named()

    def message(self, message: Json) -> None:
        """Compares."""
        params = message.get("params", {})
        wanted = {"mcp-method": message["method"]}
        if message["method"] == "tools/call":
            region = params.get("arguments", {}).get("region")
            wanted |= {"mcp-name": params["name"]} | ({"mcp-param-region": region} if isinstance(region, str) else {})
        wrong = [name for name, value in wanted.items() if decoded(self.headers.get(name)) != value]
        if wrong:
            refused = RefusedError(-32020, f"Header mismatch: {wrong}")
            self.answered(message, {"jsonrpc": "2.0", "id": message.get("id"), "error": refused.error})
        else:
            super().message(message)


serve(Mirroring)
