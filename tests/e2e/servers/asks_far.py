"""A server whose tools ask a service for argv[1] seconds, one call after another: `answers`, or is `away`."""

import sys
import time

from base import Json, RefusedError, Server

SECONDS, AWAY = float(sys.argv[1]), "away" in sys.argv
TOOLS = 16
PARAMETERS: Json = {"query": {"type": "string"}, "limit": {"type": "integer", "minimum": 1, "maximum": 50}}


class Far(Server):
    """Looks at the arguments before it asks."""

    tools = tuple(
        {
            "name": f"search_{number}",
            "description": "Searches.",
            "inputSchema": {"type": "object", "properties": PARAMETERS, "required": ["query"]},
            "annotations": {"readOnlyHint": True},
        }
        for number in range(TOOLS)
    )

    def call(self, params: Json) -> Json:
        """Takes its time."""
        if params.get("name") not in [tool["name"] for tool in self.tools]:
            raise RefusedError(-32602, f"Unknown tool: {params.get('name')}")
        arguments = params.get("arguments") or {}
        if not isinstance(arguments.get("query"), str):
            return _told("query: Input should be a valid string", failed=True)
        limit = arguments.get("limit", 1)
        if not isinstance(limit, int) or isinstance(limit, bool) or not 1 <= limit <= 50:
            return _told("limit: Input should be a valid integer from 1 to 50", failed=True)
        time.sleep(SECONDS)
        return _told("getaddrinfo ENOTFOUND far.example", failed=True) if AWAY else _told("found")


def _told(text: str, *, failed: bool = False) -> Json:
    return {"content": [{"type": "text", "text": text}], "isError": failed}


if __name__ == "__main__":
    Far().stdio()
