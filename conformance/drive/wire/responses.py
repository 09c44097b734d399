"""What an HTTP response holds: one JSON value, or a stream of events. Both are read within bounds."""

import asyncio
from collections.abc import AsyncIterator, Callable

import httpx2

from conformance.drive.errors import SilenceError
from conformance.drive.frames import CUT, Frame, broken, frame
from conformance.drive.wire.sse import EventParser
from conformance.drive.wire.transport import LOST
from conformance.model.events import Http

EVENTS = "text/event-stream"
KEPT = (
    "content-type",
    "content-encoding",
    "x-conformance-effects",
    "mcp-session-id",
    "www-authenticate",
    "x-request-id",
    "retry-after",
    "location",
    "allow",
)
AFTER_S = 0.05
"""What a stream is given after its answer, for a second one that has no business there."""
RETRY_S = 1.0
"""What is waited before a stream is resumed, where the server asks for nothing else."""
SOONEST_S = 0.05
"""The least that is waited: a server may ask for nothing at all, again and again."""
ASIDE_S = 1.0
ASIDE_BYTES = 65_536
"""What is read of an answer to a notification: it has no business there either."""


def side_of(response: httpx2.Response, method: str | None = None) -> Http:
    """A response's status and headers as they are kept. Header bytes beyond ASCII are read as Latin-1, as HTTP says."""
    headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in response.headers.raw}
    return Http(
        method=method, status=response.status_code, headers={name: headers[name] for name in KEPT if name in headers}
    )


def streams(side: Http) -> bool:
    """Whether a response says that it is a stream of events."""
    return side.headers.get("content-type", "").partition(";")[0].strip().lower() == EVENTS


async def whole(response: httpx2.Response, most: int, *, streamed: bool = False) -> list[Frame]:
    """The body as one frame; of a refusal that comes as a stream, its messages. SilenceError where it is larger."""
    body = bytearray()
    async for chunk in response.aiter_raw():
        body += chunk
        if len(body) > most:
            raise SilenceError("size", f"more than {most} bytes")
    if streamed and (found := messages(EventParser(), bytes(body))):
        return found
    only = frame(bytes(body))
    coding = response.headers.get("content-encoding", "identity")
    if only.raw is not None and coding != "identity":
        only = broken(bytes(body), f"it is encoded as {coding}, though only identity was asked for")
    elif only.fault == CUT and (length := response.headers.get("content-length")):
        # some servers count characters, and clients read bytes
        only = broken(bytes(body), f"{CUT}: its Content-Length is {length}")
    return [only]


def messages(parser: EventParser, data: bytes) -> list[Frame]:
    """What these bytes end of a stream; clients hear events of the default name alone."""
    return [frame(event.data) for event in parser.feed(data) if event.name == "message" and event.data]


async def beginning(response: httpx2.Response) -> Frame:
    """What comes of a body that has no business there, as far as it comes soon; no value where nothing does."""
    body = bytearray()
    try:
        async with asyncio.timeout(ASIDE_S):
            async for chunk in response.aiter_raw():
                body += chunk
                if len(body) > ASIDE_BYTES:
                    return broken(bytes(body), f"longer than {ASIDE_BYTES} bytes")
    except (TimeoutError, *LOST):
        return broken(bytes(body), "the body does not end")
    return frame(bytes(body)) if body else Frame()


class Stream:
    """One stream of events, over as many responses as it takes. Each event's data is a frame."""

    def __init__(self, heard: Callable[[Frame], bool], most: int, after_s: float = AFTER_S) -> None:
        self.answered = False
        self.left_open = False
        """Whether it had not ended so many seconds after the answer."""
        self._after_s = after_s
        self.last_id = b""
        self.retry_ms: int | None = None
        self.events = 0
        self._heard = heard
        self._left = most
        self._most = most
        self._unnamed = ""

    @property
    def lacking(self) -> str:
        """Why no answer was found in it."""
        return "the stream ended without an answer" + self._unnamed

    @property
    def pause_s(self) -> float:
        """What is waited before it is resumed, in seconds: what its server asks for."""
        return RETRY_S if self.retry_ms is None else max(self.retry_ms / 1000, SOONEST_S)

    async def read(self, response: httpx2.Response) -> None:
        """Hears a response to its end, or shortly beyond the answer; `heard` tells which frame that is."""
        parser = EventParser()
        chunks = response.aiter_raw()
        until: float | None = None
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(None) as clock:
                async for chunk in self._bounded(chunks):
                    self._take(parser, chunk)
                    if self.answered and until is None:
                        until = loop.time() + self._after_s
                        clock.reschedule(until)
        except TimeoutError:
            self.left_open = True
        finally:
            self.last_id, self.retry_ms = parser.last_id or self.last_id, parser.retry_ms or self.retry_ms
        if parser.unfinished.strip() and not self.answered:
            self._unnamed = ", within an event: an empty line ends each"

    def _take(self, parser: EventParser, chunk: bytes) -> None:
        for event in parser.feed(chunk):
            self.events += 1
            if event.name != "message":
                # clients hear events of the default name alone
                self._unnamed = f"; what it held was named {event.name[:40]!r}, and a message is not"
            elif event.data:
                self.answered = self._heard(frame(event.data)) or self.answered

    async def _bounded(self, chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        async for chunk in chunks:
            self._left -= len(chunk)
            if self._left < 0:
                raise SilenceError("size", f"more than {self._most} bytes")
            yield chunk
