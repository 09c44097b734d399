"""In process there is no transport: a message goes in as a dict and comes out as a dict."""

import asyncio
from collections.abc import Callable
from typing import Protocol

from conformance.drive.errors import SilenceError
from conformance.drive.frames import Frame
from conformance.drive.wire.base import Ending, Hear
from conformance.model.events import Http, Json


class InProcessServer(Protocol):
    """What an entry point of the group conformance.targets opens."""

    async def handle(self, message: Json, notify: Callable[[Json], None] | None = None) -> Json:
        """One JSON-RPC message in, its answer out; None where it has none."""


class MemoryWire:
    """A server in this process."""

    transport = "in-process"
    binding = "mcp"

    def __init__(self, server: InProcessServer, hear: Hear) -> None:
        self._server = server
        self._hear = hear
        self.alive = True

    async def open(self) -> None:
        """Nothing is to be opened."""

    async def ask(self, call: int, payload: Json, http: Http, limit_s: float) -> None:  # noqa: ARG002 -- no HTTP here
        """Hands the message over, after those that were made together with it have been written down as sent.

        Without that turn of the loop calls made at once would follow one another, and laws on concurrency see nothing.
        """
        try:
            async with asyncio.timeout(limit_s):
                await asyncio.sleep(0)
                answer = await self._server.handle(payload, lambda message: self._hear(Frame(message), call, None))
        except TimeoutError:
            raise SilenceError("time") from None
        if answer is not None:
            self._hear(Frame(answer), call, None)

    async def tell(self, payload: Json, http: Http) -> None:  # noqa: ARG002 -- no HTTP here
        """Hands a notification over."""
        await self._server.handle(payload, lambda message: self._hear(Frame(message), None, None))

    async def close(self) -> Ending:
        """The server is forgotten."""
        self.alive = False
        return Ending()
