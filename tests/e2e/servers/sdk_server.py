"""A small server on the official SDK: it adds, it fails, it reports progress. `http` serves it on a free port."""

import asyncio
import socket
import sys

import uvicorn
from mcp.server.mcpserver import Context, MCPServer
from mcp.types import ToolAnnotations

server = MCPServer("small", version="1.0")
READS = ToolAnnotations(read_only_hint=True)


@server.tool(annotations=READS)
def add(a: int, b: int) -> dict[str, int]:
    """Adds two numbers."""
    return {"sum": a + b}


@server.tool(annotations=READS)
def fail(why: str) -> str:
    """Fails."""
    raise ValueError(why)


@server.tool(annotations=READS)
async def count(to: int, ctx: Context) -> str:
    """Counts."""
    for number in range(to):
        await ctx.report_progress(number + 1, to)
    return str(to)


if sys.argv[1:] == ["http"]:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    sys.stderr.write(f"listening on http://127.0.0.1:{listener.getsockname()[1]}\n")
    sys.stderr.flush()
    config = uvicorn.Config(server.streamable_http_app(), log_level="error", access_log=False)
    asyncio.run(uvicorn.Server(config).serve(sockets=[listener]))
else:
    server.run("stdio")
