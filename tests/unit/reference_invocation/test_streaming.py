"""Partial results as notifications of their call: in process, over stdio and over HTTP, in both eras."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest

from reference_server import target
from reference_server.bindings.serving import http_app
from reference_server.host import Host
from reference_server.tokens import Trust
from tests.unit.reference_bindings.conftest import request
from tests.unit.reference_bindings.processes import Lines, start

from .desk import AUDIENCE, Desk

STREAM = "local::kit.stream"
LOGS = {"io.modelcontextprotocol/logLevel": "debug"}
ASKED = {"progressToken": "p"}
HELLO = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "t", "version": "1"},
    },
}


def streamed(meta: dict[str, Any], *, modern: bool = True, **given: Any) -> dict[str, Any]:
    """A call of the stream, in one era or the other."""
    arguments = {"toolName": STREAM, "input": given, "correlationId": "c"}
    message = request("tools/call", meta, name="invoke", arguments=arguments)
    if not modern:
        message["params"]["_meta"] = meta
    return message


def frames(heard: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    """What came of each notification, in order."""
    told = []
    for message in heard:
        params = message["params"]
        if message["method"] == "notifications/message":
            data = params["data"]
            told.append(("log", data["correlationId"], data["sequence"], data["event"], data["data"]["frame"]))
        else:
            told.append(("progress", params["progressToken"], params["progress"]))
    return told


TWO = [
    ("log", "c", 1, "partial", 1),
    ("progress", "p", 1),
    ("log", "c", 2, "partial", 2),
    ("progress", "p", 2),
]
PROGRESS = [each for each in TWO if each[0] == "progress"]


def test_frames_reach_whoever_takes_them(desk: Desk) -> None:
    taken: list[Any] = []

    async def take(frame: Any) -> None:
        taken.append(frame["sequence"])

    result = desk.run(desk.invoked(STREAM, {"frames": 3, "failAt": 3}, stream=take))
    assert [taken, result["status"], result["error"]["code"]] == [[1, 2], "Retryable", "DownstreamFailed"]


@pytest.mark.parametrize(
    ("meta", "told"), [({**ASKED, **LOGS}, TWO), (ASKED, PROGRESS), (LOGS, []), ({"progressToken": True}, [])]
)
def test_in_process_a_stateless_caller_gets_what_it_asked_for(meta: dict[str, Any], told: list[Any]) -> None:
    heard: list[Any] = []
    answer: Any = asyncio.run(target.open("invocation").handle(streamed(meta, frames=2), heard.append))
    assert answer["result"]["structuredContent"]["output"] == {"frames": 2}
    assert frames(heard) == told


@pytest.mark.parametrize(("level", "told"), [(None, TWO), ("info", TWO), ("warning", PROGRESS)])
def test_in_process_a_handshake_has_a_level_for_the_connection(level: str | None, told: list[Any]) -> None:
    heard: list[Any] = []

    async def session() -> Any:
        server = target.open("invocation")
        hello: Any = await server.handle(HELLO)
        assert hello["result"]["capabilities"]["logging"] == {}
        if level is not None:
            params = {"level": level}
            message = {"jsonrpc": "2.0", "id": 1, "method": "logging/setLevel", "params": params}
            assert await server.handle(message) == {"jsonrpc": "2.0", "id": 1, "result": {}}
        return await server.handle(streamed(ASKED, modern=False, frames=2), heard.append)

    assert asyncio.run(session())["result"]["isError"] is False
    assert frames(heard) == told


def test_a_level_that_there_is_not_is_refused_and_only_a_handshake_has_levels() -> None:
    async def session(*messages: Any) -> Any:
        server = target.open("invocation")
        return [await server.handle(message) for message in messages][-1]

    wrong = {"jsonrpc": "2.0", "id": 1, "method": "logging/setLevel", "params": {"level": "loud"}}
    assert asyncio.run(session(HELLO, wrong))["error"]["code"] == -32602
    assert asyncio.run(session(request("logging/setLevel", level="debug")))["error"]["code"] == -32601


def test_in_process_a_cancelled_call_stops_and_has_no_answer() -> None:
    arguments = {"toolName": "local::kit.narrow", "input": {"ms": 2000}}

    async def session() -> Any:
        server = target.open("invocation")
        call = asyncio.ensure_future(server.handle(request("tools/call", name="invoke", arguments=arguments)))
        await asyncio.sleep(0.01)
        params = {"requestId": 1}
        await server.handle({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params})
        assert await call is None
        arguments["input"] = {"ms": 0}
        return await server.handle(request("tools/call", name="invoke", arguments=arguments))

    assert asyncio.run(session())["result"]["structuredContent"]["status"] == "Ok"


async def until_answered(server: Lines, message: dict[str, Any]) -> tuple[list[Any], Any]:
    """The notifications before an answer, and the answer."""
    heard, came = [], await server.ask(message)
    while "id" not in came:
        heard.append(came)
        came = json.loads(await server.line())
    return heard, came


@pytest.mark.parametrize("modern", [True, False], ids=["stateless", "handshake"])
def test_over_stdio(modern: bool) -> None:
    async def session() -> None:
        process = await start("invocation", "--transport", "stdio", "--test-conditions")
        server = Lines(process)
        try:
            if not modern:
                await server.ask(HELLO)
            meta = {**ASKED, **LOGS} if modern else ASKED
            heard, answer = await until_answered(server, streamed(meta, modern=modern, frames=2))
            assert frames(heard) == TWO
            assert answer["result"]["structuredContent"]["status"] == "Ok"
            assert await server.close() == 0
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()

    asyncio.run(asyncio.wait_for(session(), 20))


@asynccontextmanager
async def client() -> AsyncIterator[httpx2.AsyncClient]:
    """A client of the ASGI application."""
    app = http_app(Host("invocation", test_conditions=True, trust=Trust.for_tests(AUDIENCE)))
    transport = httpx2.ASGITransport(app, client=("127.0.0.1", 1))
    async with (
        app.router.lifespan_context(app),
        httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as opened,
    ):
        yield opened


def events(response: httpx2.Response) -> list[Any]:
    """The messages of a stream of events."""
    assert response.headers["content-type"] == "text/event-stream"
    lines = [line for line in response.text.splitlines() if line.startswith("data: ")]
    return [json.loads(line.removeprefix("data: ")) for line in lines]


def test_over_http_a_stateless_call_is_a_stream_only_where_it_has_frames() -> None:
    async def session() -> None:
        async with client() as opened:
            headers = {
                "accept": "application/json, text/event-stream",
                "mcp-protocol-version": "2026-07-28",
                "mcp-method": "tools/call",
                "mcp-name": "invoke",
            }
            *heard, answer = events(
                await opened.post("/mcp", json=streamed({**ASKED, **LOGS}, frames=2), headers=headers)
            )
            assert frames(heard) == TWO
            assert answer["result"]["structuredContent"]["status"] == "Ok"
            silent = await opened.post("/mcp", json=streamed({}, frames=2), headers=headers)
            assert silent.headers["content-type"] == "application/json"

    asyncio.run(asyncio.wait_for(session(), 20))


def test_over_http_a_handshake_has_a_level_for_its_session() -> None:
    async def session() -> None:
        async with client() as opened:
            headers = {"accept": "application/json, text/event-stream"}
            hello = await opened.post("/mcp", json=HELLO, headers=headers)
            headers |= {"mcp-session-id": hello.headers["mcp-session-id"], "mcp-protocol-version": "2025-11-25"}
            message = streamed(ASKED, modern=False, frames=2)
            *heard, _ = events(await opened.post("/mcp", json=message, headers=headers))
            assert frames(heard) == TWO
            params = {"level": "error"}
            level = {"jsonrpc": "2.0", "id": 1, "method": "logging/setLevel", "params": params}
            await opened.post("/mcp", json=level, headers=headers)
            *heard, _ = events(await opened.post("/mcp", json=message, headers=headers))
            assert frames(heard) == PROGRESS

    asyncio.run(asyncio.wait_for(session(), 20))
