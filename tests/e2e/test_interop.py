"""The SDK's own client and the reference understand each other: nothing of ours needs our raw client."""

import sys

import pytest

pytest.importorskip("mcp")

from mcp import Client, StdioServerParameters

from conformance.drive.listening import announced
from conformance.drive.process import Process

COMMAND = [sys.executable, "-m", "reference_server", "threads", "--test-conditions"]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.anyio
@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_over_stdio(mode: str) -> None:
    server = StdioServerParameters(command=COMMAND[0], args=[*COMMAND[1:], "--transport", "stdio"])
    async with Client(server, mode=mode) as client:
        listed = await client.list_tools()
        assert len(listed.tools) == 9
        refused = await client.call_tool("get_thread", {"thread_id": "x"})
        assert refused.is_error
        assert refused.structured_content["error"]["code"] == "UNAUTHORIZED"


@pytest.mark.anyio
async def test_over_http() -> None:
    process = await Process.start([*COMMAND, "--transport", "http", "--port", "0"], {})
    try:
        async with Client(f"{await announced(process, 20)}/mcp") as client:
            assert len((await client.list_tools()).tools) == 9
    finally:
        await process.end(1.0, by_signal=True)
