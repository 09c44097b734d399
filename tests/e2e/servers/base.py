"""An ordinary server of one tool, over stdio, in either era. The files beside it change one thing each."""

import json
import sys
from collections.abc import Callable
from typing import Any

Json = dict[str, Any]
TOOL: Json = {
    "name": "echo",
    "description": "Gives back the text that it is given.",
    "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}},
    "annotations": {"readOnlyHint": True},
}
NEW, OLD = "2026-07-28", "2025-11-25"
VERSION, CAPABILITIES = "io.modelcontextprotocol/protocolVersion", "io.modelcontextprotocol/clientCapabilities"
REQUIRED = {VERSION, CAPABILITIES}
"""What every request of the newer era says of itself in its _meta."""
CACHED: Json = {"ttlMs": 0, "cacheScope": "private"}


class RefusedError(Exception):
    """A JSON-RPC error."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.error: Json = {"code": code, "message": message, **({"data": data} if data is not None else {})}


def parsed(text: str | bytes) -> tuple[Json, Json | None]:
    """A message, or the refusal of what is none."""
    try:
        message = json.loads(text)
    except ValueError:
        return {}, {"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "Parse error"}}
    sound = isinstance(message, dict) and message.get("jsonrpc") == "2.0"
    if not sound or not {"method", "result", "error"} & message.keys():
        return {}, {"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": "Invalid Request"}}
    return message, None


class Server:
    """Answers messages. `era` is the only revision that it speaks."""

    era = NEW
    tools = (TOOL,)

    def discover(self, _: Json) -> Json:
        """server/discover."""
        if self.era != NEW:
            raise RefusedError(-32601, "Method not found")
        return {"supportedVersions": [NEW], "capabilities": {"tools": {}}, **CACHED}

    def initialize(self, _: Json) -> Json:
        """Initialize."""
        if self.era == NEW:
            raise RefusedError(-32022, "Unsupported protocol version", {"supported": [NEW]})
        return {"protocolVersion": self.era, "capabilities": {"tools": {}}, "serverInfo": {"name": "s", "version": "1"}}

    def list(self, _: Json) -> Json:
        """tools/list."""
        return {"tools": list(self.tools), **(CACHED if self.era == NEW else {})}

    def call(self, params: Json) -> Json:
        """tools/call."""
        arguments = params.get("arguments") or {}
        if params.get("name") not in [tool["name"] for tool in self.tools]:
            raise RefusedError(-32602, "Unknown tool")
        if not isinstance(arguments.get("text", ""), str):
            return {"content": [{"type": "text", "text": "text is no string"}], "isError": True}
        return {"content": [{"type": "text", "text": str(arguments.get("text"))}]}

    def check(self, method: str, meta: Json) -> None:
        """Refuses a request that does not say what every request has to."""
        del method
        claimed = meta.get(VERSION, self.era)
        if claimed != NEW:
            about = {"supported": [NEW], "requested": claimed}
            raise RefusedError(-32022, "Unsupported protocol version", about)
        if not meta.keys() >= REQUIRED:
            raise RefusedError(-32602, f"_meta lacks {', '.join(REQUIRED - meta.keys())}")

    def methods(self) -> dict[str, Callable[[Json], Json]]:
        """What it answers, by method."""
        return {
            "server/discover": self.discover,
            "initialize": self.initialize,
            "tools/list": self.list,
            "tools/call": self.call,
            "ping": lambda _: {},
        }

    def answer(self, message: Json) -> Json | None:
        """The answer to a message; None to one that wants none."""
        if "method" not in message or "id" not in message:
            self.told(message)
            return None
        methods = self.methods()
        try:
            params = message.get("params", {})
            if self.era == NEW and message["method"] != "initialize":
                self.check(message["method"], params.get("_meta", {}))
            if message["method"] not in methods:
                raise RefusedError(-32601, "Method not found")
            result = methods[message["method"]](params)
            if self.era == NEW:
                result = {"resultType": "complete", **result}
            return {"jsonrpc": "2.0", "id": message["id"], "result": result}
        except RefusedError as refused:
            return {"jsonrpc": "2.0", "id": message["id"], "error": refused.error}

    def told(self, message: Json) -> None:
        """A notification, or an answer to a request of ours."""

    def write(self, message: Json) -> None:
        """One line."""
        sys.stdout.write(json.dumps(message) + "\n")
        sys.stdout.flush()

    def read(self) -> Json | None:
        """The next message; None where stdin is closed. What is none is refused under no id."""
        while line := sys.stdin.readline():
            message, refusal = parsed(line)
            if refusal is None:
                return message
            self.write(refusal)
        return None

    def stdio(self) -> None:
        """Serves until stdin is closed."""
        while (message := self.read()) is not None:
            answer = self.answer(message)
            if answer is not None:
                self.write(answer)


class Older(Server):
    """The same in the era of the handshake."""

    era = OLD


if __name__ == "__main__":
    (Older if "older" in sys.argv else Server)().stdio()
