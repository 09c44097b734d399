"""A server on stdin and stdout: one JSON-RPC message a line. Every byte of stdout is looked at."""

import asyncio
import re
from collections.abc import Mapping, Sequence

import msgspec

from conformance.drive.errors import SilenceError
from conformance.drive.frames import Frame, broken, frame
from conformance.drive.process import Process
from conformance.drive.wire.base import Ending, Hear
from conformance.model.events import Http, Json

CHUNK = 262_144
_ID = re.compile(rb'"id"\s*:\s*(\d{1,12})\b')


class StdioWire:
    """A process of ours that speaks MCP."""

    transport = "stdio"
    binding = "mcp"

    def __init__(self, command: str | Sequence[str], env: Mapping[str, str], hear: Hear, max_bytes: int) -> None:
        self._command, self._env = command, env
        self._hear = hear
        self._max = max_bytes
        self._waiting: dict[int, asyncio.Future[None]] = {}
        self._asked: set[int] = set()
        self._process: Process | None = None
        self._reader: asyncio.Task[None] | None = None
        self._over = False

    @property
    def alive(self) -> bool:
        """Whether the process still reads and writes."""
        return self._process is not None and not self._over

    @property
    def tail(self) -> str:
        """The last of what the server wrote to stderr."""
        return self._process.tail.decode("utf-8", "replace") if self._process is not None else ""

    async def open(self) -> None:
        """Starts the process."""
        self._process = await Process.start(self._command, self._env)
        self._reader = asyncio.create_task(self._read())

    async def ask(self, call: int, payload: Json, http: Http, limit_s: float) -> None:  # noqa: ARG002 -- no HTTP here
        """Writes a line and waits for the line that answers it."""
        future = self._waiting[call] = asyncio.get_running_loop().create_future()
        self._asked.add(call)
        try:
            async with asyncio.timeout(limit_s):
                await self._write(payload)
                await future
        except TimeoutError:
            raise SilenceError("time") from None
        finally:
            self._waiting.pop(call, None)

    async def tell(self, payload: Json, http: Http) -> None:  # noqa: ARG002 -- no HTTP here
        """Writes a line."""
        await self._write(payload)

    async def _write(self, payload: Json) -> None:
        stdin = self._process.process.stdin if self._process is not None else None
        if stdin is None or self._over:
            raise SilenceError("lost", "the server's process has ended")
        try:
            stdin.write(msgspec.json.encode(payload) + b"\n")
            await stdin.drain()
        except (BrokenPipeError, ConnectionResetError) as error:
            raise SilenceError("lost", "the server closed its stdin") from error

    async def _read(self) -> None:
        """Cuts stdout into lines. A line beyond the size limit is passed over to its end, and named once."""
        stdout = self._process.process.stdout if self._process is not None else None
        line, passed = bytearray(), 0
        while stdout is not None and (chunk := await stdout.read(CHUNK)):
            *whole, rest = chunk.split(b"\n")
            for part in whole:
                if passed:
                    passed = 0
                else:
                    line += part
                    self._line(bytes(line))
                line.clear()
            if passed:
                passed += len(rest)
            else:
                line += rest
                if len(line) > self._max:
                    passed = len(line)
                    self._flood(bytes(line[:65_536]), passed)
                    line.clear()
        if line:
            self._hear(broken(bytes(line), "the stream ended within a line"), None, None)
        self._over = True
        for future in self._waiting.values():
            if not future.done():
                future.set_exception(SilenceError("lost", "the server closed its stdout"))

    def _line(self, data: bytes) -> None:
        if not data.strip():
            if data.strip(b"\r"):
                self._hear(broken(data, "an empty line"), None, None)
            return
        heard = frame(data)
        call = self._belongs(heard)
        self._hear(heard, call, None)
        if call is not None and isinstance(heard.payload, dict) and "method" not in heard.payload:
            future = self._waiting.get(call)
            if future is not None and not future.done():
                future.set_result(None)

    def _belongs(self, heard: Frame) -> int | None:
        payload = heard.payload
        if not isinstance(payload, dict):
            return None
        number = payload.get("id")
        if "method" in payload:
            params = payload.get("params")
            number = params.get("progressToken") if isinstance(params, dict) else None
        return number if type(number) is int and number in self._asked else None

    def _flood(self, beginning: bytes, size: int) -> None:
        """An answer beyond the limit ends the call that it names, or the only one that waits."""
        found = _ID.search(beginning)
        call = int(found.group(1)) if found else next(iter(self._waiting)) if len(self._waiting) == 1 else None
        self._hear(broken(beginning, f"longer than {self._max} bytes", size), None, None)
        future = self._waiting.get(call) if call is not None else None
        if future is not None and not future.done():
            future.set_exception(SilenceError("size", f"more than {self._max} bytes"))

    async def close(self) -> Ending:
        """Closes stdin and sees how long the server takes to end."""
        if self._process is None:
            return Ending()
        by = "server" if self._over else "suite"
        status, lingered = await self._process.end()
        if self._reader is not None:
            self._reader.cancel()
        return Ending(by=by, exit=status, lingered_ms=None if by == "server" else lingered)
