"""A server whose tool wants a key that makes it repeatable, and looks at the key before anything else.

`lax` looks at nothing but the key; `client` takes the ids of two clients alone, under a name that keys have, too.
"""

import json
import sys

from base import Json, RefusedError, Server

HOW = sys.argv[1]
NAME = "client_id" if HOW == "client" else "request_key"
CLIENTS = ("c-1", "c-2")
LEAST, MOST = 1, 9


class Orders(Server):
    """Keeps what was ordered."""

    tools = (
        {
            "name": "add_order",
            "description": f"Adds an order. {NAME}: for example c-1",
            "inputSchema": {
                "type": "object",
                "properties": {
                    "count": {"type": "integer", "minimum": LEAST, "maximum": MOST},
                    NAME: {"type": "string", "minLength": 1, **({"examples": ["c-1"]} if HOW == "client" else {})},
                },
                "required": ["count", NAME],
                "additionalProperties": False,
            },
        },
    )

    def __init__(self) -> None:
        self.orders: dict[str, tuple[str, str]] = {}

    def call(self, params: Json) -> Json:
        """The same order for the same key, and none for another one under it."""
        if params.get("name") != "add_order":
            raise RefusedError(-32602, "Unknown tool")
        arguments = params.get("arguments") or {}
        count, key = arguments.get("count"), arguments.get(NAME)
        sound = isinstance(key, str) and key and set(arguments) == {"count", NAME}
        if not sound or (HOW == "client" and key not in CLIENTS):
            return told(f"no such {NAME}", failed=True)
        said = json.dumps(arguments, sort_keys=True)
        if HOW != "client" and key in self.orders:
            first, order = self.orders[key]
            return told(order if first == said else f"{NAME} was used for another order", failed=first != said)
        if HOW != "lax" and not (type(count) is int and LEAST <= count <= MOST):
            return told("count is wrong", failed=True)
        self.orders[key] = (said, f"order {len(self.orders)}x")
        return told(self.orders[key][1])


def told(text: str, *, failed: bool = False) -> Json:
    """A result."""
    return {"content": [{"type": "text", "text": text}], "isError": failed}


Orders().stdio()
