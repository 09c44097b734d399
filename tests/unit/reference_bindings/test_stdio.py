"""The tools over stdio: both eras, nothing but messages on stdout, an end when stdin closes; and what deviates."""

from typing import Any

import anyio
import pytest

from reference_server.bindings.serving import stdio_server
from reference_server.host import Host
from reference_server.tokens import Trust

from .conftest import CLAIMS, Run, bearer, request
from .processes import over_stdio

CREATE = {"workspace_id": CLAIMS["workspace_id"], "title": "t", "type": "workflow", "participants": ["a"]}


def test_a_modern_connection_lists_calls_refuses_and_ends(run: Run) -> None:
    async def session() -> None:
        async with over_stdio("--page-size", "5") as server:
            discovered = await server.ask(request("server/discover"))
            assert discovered["result"]["supportedVersions"] == ["2026-07-28"]
            first = (await server.ask(request("tools/list")))["result"]
            second = (await server.ask(request("tools/list", cursor=first["nextCursor"])))["result"]
            assert [len(first["tools"]), len(second["tools"])] == [5, 4]
            token = {"dev.conformance/authorization": bearer()}
            made = await server.ask(request("tools/call", token, name="create_thread", arguments=CREATE))
            assert made["result"]["structuredContent"]["status"] == "active"
            refused = await server.ask(request("tools/call", name="create_thread", arguments=CREATE))
            assert refused["result"]["structuredContent"]["error"]["code"] == "UNAUTHORIZED"
            assert (await server.ask(request("tools/call", token, name="nope")))["error"]["code"] == -32602
            assert (await server.ask(request("nope")))["error"]["code"] == -32601
            assert await server.close() == 0
            assert await server.line() == b""

    run(session())


def test_a_connection_with_a_handshake_lists_and_calls(run: Run) -> None:
    def older(method: str, **params: Any) -> dict[str, Any]:
        return {"jsonrpc": "2.0", "id": method, "method": method, "params": params}

    async def session() -> None:
        async with over_stdio() as server:
            client = {"name": "test", "version": "1"}
            hello = older("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo=client)
            assert (await server.ask(hello))["result"]["protocolVersion"] == "2025-06-18"
            assert len((await server.ask(older("tools/list")))["result"]["tools"]) == 9
            meta = {"dev.conformance/authorization": bearer()}
            made = await server.ask(older("tools/call", name="create_thread", arguments=CREATE, _meta=meta))
            assert made["result"]["isError"] is False

    run(session())


def test_a_banner_deviates_on_stdout_and_only_there(run: Run) -> None:
    async def session() -> None:
        async with over_stdio("--deviate", "MC-RPC-07") as server:
            assert await server.line() == b"reference-server: ready to serve\n"
            assert (await server.ask(request("server/discover")))["result"]

    run(session())


def test_lingering_deviates_after_stdin_closed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    monkeypatch.setattr(anyio, "sleep", sleep)
    host = Host("threads", trust=Trust.for_tests(), deviations=["MC-RPC-08"])
    run(stdio_server(host).finish())
    assert slept == [30]
