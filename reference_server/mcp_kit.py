"""The MCP server behind the invocation runtime: `python -m reference_server.mcp_kit`, messages over stdio.

It imports nothing of the runtime or the SDK, so that it is there in a few hundredths of a second.
"""

import json
import sys
from typing import Any, Final

Json = Any
Message = dict[str, Json]

VERSIONS: Final = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
CORRELATION_KEY: Final = "dev.conformance/correlationId"
STRING: Final = {"type": "string"}
TOOLS: Final[list[Json]] = [
    {
        "name": "echo",
        "description": "Gives back the text, and the correlationId that came with the call.",
        "inputSchema": {"type": "object", "properties": {"text": STRING}, "required": ["text"]},
    },
    {
        "name": "fail",
        "description": "Fails with this code.",
        "inputSchema": {"type": "object", "properties": {"code": STRING}, "required": ["code"]},
    },
]


class RefusalError(Exception):
    """A request that is answered with a JSON-RPC error."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


def initialize(params: Message) -> Message:
    """The result of the handshake."""
    asked = params.get("protocolVersion")
    return {
        "protocolVersion": asked if asked in VERSIONS else VERSIONS[-1],
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "kit", "version": "1.0.0"},
    }


def call(params: Message) -> Message:
    """The result of tools/call."""
    name, arguments = params.get("name"), params.get("arguments") or {}
    if name == "echo":
        correlation = (params.get("_meta") or {}).get(CORRELATION_KEY, "")
        return _result({"text": arguments.get("text"), "correlationId": correlation})
    if name == "fail":
        return {**_result({"code": arguments.get("code")}), "isError": True}
    raise RefusalError(-32602, f"Unknown tool: {name}")


def answered(method: Json, params: Message) -> Message:
    """The result of a request."""
    if method == "initialize":
        return initialize(params)
    if method == "ping":
        return {}
    if method == "tools/list":
        return {"tools": TOOLS}
    if method == "tools/call":
        return call(params)
    raise RefusalError(-32601, f"Method not found: {method}")


def _result(content: Message) -> Message:
    return {"content": [{"type": "text", "text": json.dumps(content)}], "structuredContent": content}


def main() -> None:
    """Answers each line until stdin closes."""
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message or "method" not in message:
            continue
        answer: Message = {"jsonrpc": "2.0", "id": message["id"]}
        try:
            answer["result"] = answered(message["method"], message.get("params") or {})
        except RefusalError as refusal:
            answer["error"] = {"code": refusal.code, "message": str(refusal)}
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
