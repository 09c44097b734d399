"""A caller of the reference: tokens signed with the published test key, messages of both eras."""

import asyncio
import time
from collections.abc import Callable, Coroutine
from typing import Any

import jwt
import pytest

from reference_server import target
from reference_server.tokens import TEST_AUDIENCE, TEST_ISSUER, TEST_KEY

MODERN = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
CLAIMS = {"agent_id": "coordinator", "workspace_id": "wk_mobile", "role": "orchestrator", "session_id": "sess_1"}


def bearer(**claims: Any) -> str:
    """An Authorization value for these claims, those of an orchestrator for the rest."""
    now = int(time.time())
    whole = {**CLAIMS, "iat": now, "exp": now + 600, "jti": "j", "iss": TEST_ISSUER, "aud": TEST_AUDIENCE, **claims}
    key = jwt.PyJWK(dict(TEST_KEY)).key
    return f"Bearer {jwt.encode(whole, key, algorithm='EdDSA', headers={'kid': TEST_KEY['kid']})}"


def request(method: str, meta: dict[str, Any] | None = None, request_id: int = 1, **params: Any) -> dict[str, Any]:
    """A request of 2026-07-28; `meta` adds to the `_meta` that every one has."""
    return {
        "jsonrpc": "2.0",
        "id": request_id,
        "method": method,
        "params": {**params, "_meta": {**MODERN, **(meta or {})}},
    }


class Caller:
    """Speaks to one in-process target."""

    def __init__(self, server: target.InProcess, **claims: Any) -> None:
        self.server = server
        self.heard: list[dict[str, Any]] = []
        self._authorization = bearer(**claims)

    async def ask(self, method: str, meta: dict[str, Any] | None = None, **params: Any) -> Any:
        """The whole answer to a request."""
        return await self.server.handle(request(method, meta, **params), self.heard.append)

    async def call(self, tool: str, meta: dict[str, Any] | None = None, **arguments: Any) -> Any:
        """The whole answer to a call of a tool, with a token."""
        whole = {"dev.conformance/authorization": self._authorization, **(meta or {})}
        return await self.ask("tools/call", whole, name=tool, arguments=arguments)

    async def done(self, tool: str, meta: dict[str, Any] | None = None, **arguments: Any) -> Any:
        """The envelope of a call that succeeds."""
        answer = await self.call(tool, meta, **arguments)
        assert answer["result"]["isError"] is False, answer
        return answer["result"]["structuredContent"]

    async def thread(self, meta: dict[str, Any] | None = None) -> str:
        """The id of a new thread."""
        made = await self.done(
            "create_thread",
            meta,
            workspace_id=CLAIMS["workspace_id"],
            title="t",
            type="workflow",
            participants=["a", "b"],
        )
        return str(made["thread_id"])


Run = Callable[[Coroutine[Any, Any, Any]], Any]


@pytest.fixture
def run() -> Run:
    """Runs a coroutine to its end; a minute is an age, even where a process has to start on a busy machine."""

    def within(coroutine: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run(asyncio.wait_for(coroutine, 60))

    return within


@pytest.fixture
def caller() -> Caller:
    """Of a fresh threads server, correct in all."""
    return Caller(target.open("threads"))
