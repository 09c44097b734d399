"""One tool that does nothing, on the low-level server of the SDK: what the reference's speed is measured by."""

import asyncio
import logging
import socket
import sys

import uvicorn
from mcp.server import Server
from mcp.types import CallToolResult, ListToolsResult, TextContent, Tool

SCHEMA = {"type": "object"}
TOOL = Tool(name="nothing", description="Does nothing.", input_schema=SCHEMA)
RESULT = CallToolResult(content=[TextContent(type="text", text="{}")], structured_content={})


async def listed(_context: object, _params: object) -> ListToolsResult:
    return ListToolsResult(tools=[TOOL])


async def called(_context: object, _params: object) -> CallToolResult:
    return RESULT


def main() -> None:
    logging.disable(logging.CRITICAL)
    # asyncio sets TCP_NODELAY only where the socket names its protocol: without it an answer waits 40 ms
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    server = Server(
        "empty", version="0", on_list_tools=listed, on_call_tool=called, get_tool_input_schema=lambda _: SCHEMA
    )
    app = server.streamable_http_app(json_response=True)
    sys.stderr.write(f"listening on http://127.0.0.1:{listener.getsockname()[1]}\n")
    sys.stderr.flush()
    config = uvicorn.Config(app, log_level="error", access_log=False)
    asyncio.run(uvicorn.Server(config).serve(sockets=[listener]))


main()
