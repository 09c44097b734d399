"""The tools over streamable HTTP and plain HTTP, on one port; and what deviates there."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx2

from reference_server import target
from reference_server.bindings.serving import http_app
from reference_server.host import Host
from reference_server.tokens import Trust

from .conftest import CLAIMS, Run, bearer, request
from .processes import over_http

ADDRESS = "http://127.0.0.1:8000"
CREATE = {"workspace_id": CLAIMS["workspace_id"], "title": "t", "type": "workflow", "participants": ["a"]}


def headers(message: dict[str, Any], **more: str) -> dict[str, str]:
    name = message["params"].get("name")
    return {
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": message["method"],
        **({"mcp-name": name} if name else {}),
        **more,
    }


@asynccontextmanager
async def served(*deviations: str, page_size: int | None = None) -> AsyncIterator[Callable[[int], httpx2.AsyncClient]]:
    """Opens clients of the ASGI application, each on the port that is given as its end of a connection."""
    settings = {"page_size": page_size}
    app = http_app(
        Host("threads", test_conditions=True, deviations=deviations, settings=settings, trust=Trust.for_tests())
    )

    def client(port: int) -> httpx2.AsyncClient:
        transport = httpx2.ASGITransport(app, client=("127.0.0.1", port))
        return httpx2.AsyncClient(transport=transport, base_url=ADDRESS)

    async with app.router.lifespan_context(app):
        yield client


async def send(client: httpx2.AsyncClient, url: str, message: dict[str, Any], **more: str) -> httpx2.Response:
    return await client.post(f"{url}/mcp", json=message, headers=headers(message, **more))


async def create(client: httpx2.AsyncClient, url: str) -> str:
    message = request("tools/call", name="create_thread", arguments=CREATE)
    made = (await send(client, url, message, authorization=bearer())).json()
    return str(made["result"]["structuredContent"]["thread_id"])


def test_one_store_behind_both_bindings(run: Run) -> None:
    async def session() -> None:
        async with over_http() as url, httpx2.AsyncClient() as client:
            thread = await create(client, url)
            message = request("tools/call", name="get_thread", arguments={"thread_id": thread})
            over_mcp = (await send(client, url, message, authorization=bearer())).json()["result"]["structuredContent"]
            over_v1 = await client.post(
                f"{url}/v1/mcp/get_thread", json={"thread_id": thread}, headers={"authorization": bearer()}
            )
            assert over_v1.json() == over_mcp
            refused = await send(client, url, message)
            assert refused.json()["result"]["structuredContent"]["error"]["code"] == "UNAUTHORIZED"
            echoed = await send(client, url, message, **{"x-request-id": "req-7"})
            assert echoed.json()["result"]["structuredContent"]["error"]["request_id"] == "req-7"
            assert (await client.get(f"{url}/nowhere")).headers["content-type"] == "application/json"

    run(session())


def test_both_eras_and_refusals(run: Run) -> None:
    async def session() -> None:
        async with served(page_size=5) as open_client, open_client(1) as client:
            first = (await send(client, ADDRESS, request("tools/list"))).json()["result"]
            cursor = first["nextCursor"]
            second = (await send(client, ADDRESS, request("tools/list", cursor=cursor))).json()["result"]
            in_process = await target.open("threads").handle(request("tools/list"))
            assert in_process is not None
            assert first["tools"] + second["tools"] == in_process["result"]["tools"]
            assert (await send(client, ADDRESS, request("tools/list", cursor="zz"))).json()["error"]["code"] == -32602
            assert (await send(client, ADDRESS, request("nope"))).json()["error"]["code"] == -32601
            params = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
            hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}
            accept = {"accept": "application/json, text/event-stream"}
            greeted = await client.post("/mcp", json=hello, headers=accept)
            assert greeted.json()["result"]["protocolVersion"] == "2025-06-18"

    run(session())


def test_a_foreign_origin_is_refused_and_served_where_that_deviates(run: Run) -> None:
    async def status(origin: str, *deviations: str) -> int:
        async with served(*deviations) as open_client, open_client(1) as client:
            return (await send(client, ADDRESS, request("server/discover"), origin=origin)).status_code

    foreign = "http://elsewhere.example"
    assert run(status(ADDRESS)) == 200
    assert run(status(foreign)) == 403
    assert run(status(foreign, "MC-RPC-09")) == 200


def test_a_thread_is_lost_on_another_connection_where_that_deviates(run: Run) -> None:
    async def seen(*deviations: str) -> list[bool]:
        async with served(*deviations) as open_client, open_client(1) as one, open_client(2) as other:
            thread = await create(one, ADDRESS)
            message = request("tools/call", name="get_thread", arguments={"thread_id": thread})
            answers = [await send(client, ADDRESS, message, authorization=bearer()) for client in (one, other)]
            return [answer.json()["result"]["isError"] for answer in answers]

    assert run(seen()) == [False, False]
    assert run(seen("MC-RPC-10")) == [False, True]
