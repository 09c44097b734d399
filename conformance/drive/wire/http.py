"""A server behind HTTP: MCP's streamable HTTP, and a contract's plain HTTP binding."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from urllib.parse import urlsplit

import httpx2
import msgspec

from conformance.drive.errors import SilenceError, UsageError
from conformance.drive.frames import broken, frame
from conformance.drive.wire.base import Ending, Hear
from conformance.model.events import Http, Json

KEPT_HEADERS = (
    "content-type",
    "x-conformance-effects",
    "mcp-session-id",
    "www-authenticate",
    "x-request-id",
    "retry-after",
    "location",
)
AFTER_S = 0.05
"""What a stream is given after its answer, for a second one that has no business there."""


class HttpWire:
    """A pool of connections to one server."""

    transport = "http"

    def __init__(self, url: str, binding: str, headers: Mapping[str, str], hear: Hear, max_bytes: int) -> None:
        self.binding = binding
        self._origin = "{0.scheme}://{0.netloc}".format(urlsplit(url))
        self._url = url
        self._headers = dict(headers)
        self._hear = hear
        self._max = max_bytes
        self.alive = True
        # Bounded: a server that is flooded with connections of ours tells nothing about its contract.
        limits = httpx2.Limits(max_connections=64, max_keepalive_connections=64)
        self._client = httpx2.AsyncClient(timeout=None, limits=limits, follow_redirects=False, trust_env=False)

    async def open(self) -> None:
        """Looks whether anything listens there."""
        parts = urlsplit(self._url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
        try:
            async with asyncio.timeout(5):
                _, writer = await asyncio.open_connection(parts.hostname, port)
            writer.close()
        except (OSError, TimeoutError) as error:
            raise UsageError(
                f"no server answers at {self._url}",
                why=str(error) or "the connection timed out",
                todo="start the server first, or give --server-command to have the suite start it",
            ) from error

    async def ask(self, call: int, payload: Json, http: Http, limit_s: float) -> None:
        """Sends a request and reads its response to the first answer and a moment beyond."""
        try:
            async with asyncio.timeout(limit_s):
                await self._exchange(call, payload, http)
        except TimeoutError:
            raise SilenceError("time") from None
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
            raise SilenceError("lost", f"{type(error).__name__}: {error}"[:300]) from error

    async def tell(self, payload: Json, http: Http) -> None:
        """Sends a notification; what is answered to it is read and not kept."""
        try:
            async with asyncio.timeout(5):
                await self._client.request(
                    http.method or "POST",
                    self._origin + (http.path or "/"),
                    content=msgspec.json.encode(payload),
                    headers={**self._headers, **http.headers},
                )
        except (TimeoutError, httpx2.HTTPError, OSError) as error:
            raise SilenceError("lost", f"{type(error).__name__}: {error}"[:300]) from error

    async def _exchange(self, call: int, payload: Json, http: Http) -> None:
        content = None if payload is None else msgspec.json.encode(payload)
        headers = {"accept-encoding": "identity", **self._headers, **http.headers}
        url = self._origin + (http.path or "/")
        async with self._client.stream(http.method or "POST", url, content=content, headers=headers) as response:
            kept = {name: response.headers[name] for name in KEPT_HEADERS if name in response.headers}
            side = Http(status=response.status_code, headers=kept)
            if kept.get("content-type", "").partition(";")[0].strip() == "text/event-stream":
                await self._stream(call, side, response)
            else:
                self._hear(frame(await self._whole(response)), call, side)

    async def _whole(self, response: httpx2.Response) -> bytes:
        body = bytearray()
        async for chunk in response.aiter_raw():
            body += chunk
            if len(body) > self._max:
                raise SilenceError("size", f"more than {self._max} bytes")
        return bytes(body)

    async def _stream(self, call: int, side: Http, response: httpx2.Response) -> None:
        """Server-sent events: each one's data is a frame."""
        answered = False
        events = self._events(response)
        while True:
            try:
                async with asyncio.timeout(AFTER_S if answered else None):
                    data = await anext(events)
            except (StopAsyncIteration, TimeoutError):
                break
            heard = frame(data)
            self._hear(heard, call, side)
            answered = answered or (isinstance(heard.payload, dict) and "method" not in heard.payload)
        if not answered:
            self._hear(broken(b"", "the stream ended without an answer"), call, side)

    async def _events(self, response: httpx2.Response) -> AsyncIterator[bytes]:
        buffer, data, total = b"", [], 0
        async for chunk in response.aiter_raw():
            *lines, buffer = (buffer + chunk).replace(b"\r\n", b"\n").split(b"\n")
            total += len(chunk)
            if total > self._max:
                raise SilenceError("size", f"more than {self._max} bytes")
            for line in lines:
                if line.startswith(b"data:"):
                    data.append(line[5:].removeprefix(b" "))
                elif not line and data:
                    yield b"\n".join(data)
                    data = []

    async def close(self) -> Ending:
        """Closes the pool."""
        self.alive = False
        await self._client.aclose()
        return Ending()
