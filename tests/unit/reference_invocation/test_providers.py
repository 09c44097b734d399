"""The MCP server behind the runtime: a real process that comes and goes with it."""

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest

from reference_server.invocation import Invocations
from reference_server.invocation.course import Caller
from reference_server.invocation.providers.mcp import McpProvider
from reference_server.invocation.stopwatch import RealStopwatch

from .desk import Desk

ECHO = "mcp::kit::echo"
SERVER = "reference_server.mcp_kit"


def children() -> list[int]:
    """The servers that this process has started and that live."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
            command = status.with_name("cmdline").read_text()
        except OSError:
            continue
        if int(fields[1]) == os.getpid() and fields[0] != "Z" and SERVER in command:
            found.append(int(status.parent.name))
    return found


@pytest.fixture
def desk() -> Desk:
    """A desk on the machine's stopwatch: no other one waits for a process."""
    return Desk(stopwatch=RealStopwatch())


def test_a_call_reaches_the_server_with_its_correlation(desk: Desk) -> None:
    with desk.runner:
        result = desk.invoke(ECHO, {"text": "a"}, correlationId="c-1")
        assert result["output"] == {"text": "a", "correlationId": "c-1"}
        assert [result["origin"], result["resolvedVersion"]] == ["mcp::kit", "1.0.0"]


def test_the_servers_own_code_is_told(desk: Desk) -> None:
    with desk.runner:
        error = desk.invoke("mcp::kit::fail", {"code": "E-4711"})["error"]
        assert [error["code"], error["origin"]] == ["DownstreamFailed", "mcp::kit"]
        assert error["details"]["providerCode"] == "E-4711"


def test_one_server_starts_with_the_first_call_and_ends_with_the_loop(desk: Desk) -> None:
    with desk.runner:
        desk.ok("local::kit.echo", {"text": "a"})
        assert children() == []
        desk.together(*[(ECHO, {"text": "a"})] * 5)
        assert len(children()) == 1
    assert children() == []


def test_closing_ends_the_server_and_a_later_call_starts_another(desk: Desk) -> None:
    with desk.runner:
        desk.ok(ECHO, {"text": "a"})
        first = children()
        desk.run(desk.app.close())
        assert children() == []
        desk.ok(ECHO, {"text": "a"})
        assert children() != first


def test_a_server_that_died_is_replaced(desk: Desk) -> None:
    with desk.runner:
        desk.ok(ECHO, {"text": "a"})
        os.kill(children()[0], 9)
        codes = [desk.invoke(ECHO, {"text": "a"})["status"] for _ in range(3)]
        assert codes[-1] == "Ok"


def test_a_server_that_does_not_start_is_a_failure_downstream(desk: Desk) -> None:
    desk.app.pipeline.executing.providers["mcp::kit"] = McpProvider(["/nonexistent/server"])
    with desk.runner:
        error = desk.invoke(ECHO, {"text": "a"})["error"]
        assert [error["code"], error["isRetryable"]] == ["DownstreamFailed", True]


def test_another_loop_gets_a_server_of_its_own() -> None:
    desk = Desk(stopwatch=RealStopwatch())

    async def once(app: Invocations) -> Any:
        result = await app.pipeline.invoke({"toolName": ECHO, "input": {"text": "a"}}, Caller())
        return result["status"]

    desk.runner.close()
    assert [asyncio.run(once(desk.app)) for _ in range(2)] == ["Ok", "Ok"]
    assert children() == []
