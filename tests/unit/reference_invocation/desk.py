"""A desk at which one instance is invoked, on a stopwatch that runs as fast as nothing happens."""

import asyncio
import time
from collections.abc import Coroutine
from typing import Any

import jwt

from reference_server.application import Answer, Request
from reference_server.conditions import Clock
from reference_server.invocation import Invocations, open_invocation
from reference_server.tokens import TEST_ISSUER, TEST_KEY, Trust

AUDIENCE = "invocation.reference"
START = 1_790_000_000.0
TURNS = 20
"""Turns of the loop in which whoever has something to do has done it."""


class Jumping:
    """A stopwatch. Where everybody waits, it jumps to the moment at which the first of them goes on."""

    def __init__(self) -> None:
        self.time = 0.0
        self.waiting: list[float] = []

    def now(self) -> float:
        return self.time

    async def sleep(self, seconds: float) -> None:
        until, turns = self.time + seconds, 0
        self.waiting.append(until)
        try:
            while self.time < until:
                await asyncio.sleep(0)
                turns = turns + 1 if until == min(self.waiting) else 0
                if turns > TURNS:
                    self.time = until
        finally:
            self.waiting.remove(until)


def bearer(*scopes: str, **claims: Any) -> str:
    """An Authorization value."""
    now = int(time.time())
    whole = {"iat": now - 1, "exp": now + 600, "iss": TEST_ISSUER, "aud": AUDIENCE, "scopes": list(scopes), **claims}
    key = jwt.PyJWK(dict(TEST_KEY)).key
    return f"Bearer {jwt.encode(whole, key, algorithm='EdDSA', headers={'kid': TEST_KEY['kid']})}"


class Desk:
    """Invokes tools of one instance."""

    def __init__(self, settings: dict[str, Any] | None = None, stopwatch: Any = None) -> None:
        self.stopwatch = stopwatch or Jumping()
        self.clock = Clock(source=lambda: START)
        trust = Trust.for_tests(AUDIENCE)
        self.app: Invocations = open_invocation(settings, trust=trust, clock=self.clock, stopwatch=self.stopwatch)
        self.runner = asyncio.Runner()

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        return self.runner.run(work)

    async def call(self, tool: str, arguments: Any, authorization: str | None = None, stream: Any = None) -> Answer:
        return await self.app.call(Request(tool, arguments, authorization, stream=stream))

    async def invoked(self, tool: str, given: Any, by: str | None = None, stream: Any = None, **fields: Any) -> Any:
        """The Result."""
        answer = await self.call("invoke", {"toolName": tool, "input": given, **fields}, by, stream)
        assert answer.failed is (answer.envelope["status"] != "Ok")
        return answer.envelope

    def invoke(self, tool: str, given: Any, by: str | None = None, **fields: Any) -> Any:
        """The Result, when it is there."""
        return self.run(self.invoked(tool, given, by, **fields))

    def ok(self, tool: str, given: Any, by: str | None = None, **fields: Any) -> Any:
        """The output of an invocation that succeeds."""
        result = self.invoke(tool, given, by, **fields)
        assert result["status"] == "Ok", result
        return result["output"]

    def code(self, tool: str, given: Any, by: str | None = None, **fields: Any) -> str:
        """The code of an invocation that fails."""
        return self.invoke(tool, given, by, **fields)["error"]["code"]

    def together(self, *calls: tuple[str, dict[str, Any]], **fields: Any) -> Any:
        """The Results of invocations made at once."""

        async def gathered() -> list[Any]:
            return await asyncio.gather(*(self.invoked(tool, given, **fields) for tool, given in calls))

        return self.run(gathered())

    def records(self, kind: str, **asked: Any) -> Any:
        """The records of a kind."""
        answer = self.run(self.call("read_records", {"kind": kind, **asked}, bearer("records")))
        assert not answer.failed, answer.envelope
        return answer.envelope["records"]

    def executions(self, tool: str) -> int:
        """How often a tool's own code began."""
        return len(self.records("execution", tool=tool))

    def wait(self, seconds: float) -> None:
        """Lets time pass."""
        self.stopwatch.time += seconds
