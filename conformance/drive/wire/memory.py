"""In process there is no transport: a message goes in as a dict and comes out as a dict."""

import asyncio
from collections.abc import Callable
from typing import Protocol

from conformance.drive import volley
from conformance.drive.errors import SilenceError
from conformance.drive.frames import Frame
from conformance.drive.patience import Patience
from conformance.drive.wire.base import KILLED, LINGER_S, Ending, Hear
from conformance.drive.wire.pace import Pace
from conformance.model.events import Http, Json
from conformance.model.numbers import whole


def _never() -> bool:
    """In process nothing can arrive before it is heard."""
    return False


class InProcessServer(Protocol):
    """What an entry point of the group conformance.targets opens."""

    async def handle(self, message: Json, notify: Callable[[Json], None] | None = None) -> Json:
        """One JSON-RPC message in, its answer out; None where it has none."""


class MemoryWire:
    """A server in this process."""

    transport = "in-process"
    binding = "mcp"
    fate = ""

    def __init__(self, server: InProcessServer, hear: Hear) -> None:
        self._server = server
        self._hear = hear
        self.pace = Pace()
        self.alive = True
        self._killed = False

    async def open(self) -> None:
        """Nothing is to be opened."""

    async def ask(self, call: int, payload: Json, http: Http, patience: Patience) -> None:  # noqa: ARG002 -- no HTTP here
        """Hands the message over, after those that were made together with it have been written down as sent.

        Without that turn of the loop calls made at once would follow one another, and laws on concurrency see nothing.
        """
        patience.left()
        volley.gone(call, _never)
        await asyncio.sleep(0)
        if self._killed:
            raise SilenceError("killed", "the server was let go of")
        answer = await self._handled(payload, lambda message: self._hear(Frame(whole(message)), call))
        if answer is not None:
            self._hear(Frame(whole(answer)), call)

    def forget(self, call: int) -> None:
        """A call that was given up was cancelled with it."""

    async def tell(self, aside: int, payload: Json, http: Http) -> None:  # noqa: ARG002 -- no HTTP here
        """Hands over what makes no call; GET and DELETE are of HTTP alone."""
        if payload is not None:
            answer = await self._handled(payload, lambda message: self._hear(Frame(whole(message))))
            if answer is not None:
                self._hear(Frame(whole(answer)), None, None, aside)

    async def listen(self, aside: int, http: Http) -> None:
        """What the server says unasked comes with what it is told."""

    def linger(self, seconds: float | None) -> None:
        """No answer has a stream of its own."""

    async def _handled(self, payload: Json, notify: Callable[[Json], None]) -> Json:
        try:
            return await self._server.handle(payload, notify)
        except Exception as error:
            # Over a wire its caller would see that no answer comes.
            raise SilenceError("lost", f"the server raised {type(error).__name__}: {error}"[:300]) from error

    async def kill(self) -> None:
        """From here on the server gets nothing."""
        self.alive, self._killed = False, True

    async def close(self, grace_s: float = LINGER_S) -> Ending:  # noqa: ARG002 -- nothing is to be waited for
        """The server is forgotten."""
        self.alive = False
        return Ending(why=KILLED if self._killed else "")
