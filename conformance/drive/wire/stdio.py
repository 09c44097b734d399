"""A server on stdin and stdout: one JSON-RPC message a line. Every byte of stdout is looked at."""

import asyncio

from conformance.drive import volley, words
from conformance.drive.errors import SilenceError
from conformance.drive.frames import Frame, broken, encoded, frame, id_of
from conformance.drive.patience import Patience
from conformance.drive.process import Process
from conformance.drive.start import Start
from conformance.drive.tokens import call_of
from conformance.drive.wire.base import KILLED, LINGER_S, Ending, Hear
from conformance.drive.wire.lines import LineCutter
from conformance.drive.wire.pace import Pace
from conformance.model.events import Http, Json

CHUNK = 65_536
BEGUN, SHOWN = 10_000, 100
"""Bytes of a line without an end that are looked at for secrets, and characters that are shown."""
TURN = 500
"""Lines after which others get their turn: a server that floods is not to hold up the rest of the run."""
AT_ONCE_S = 0.2
"""What a process is given to end that said too much."""
LAST_S = 1.0
"""What a process is given to end after it closed its stdout, before it is said that it goes on."""


class StdioWire:
    """A process of ours that speaks MCP."""

    transport = "stdio"
    binding = "mcp"

    def __init__(self, start: Start, hear: Hear, max_bytes: int) -> None:
        self._start = start
        self.pace = Pace()
        self._hear = hear
        self._max = max_bytes
        self._waiting: dict[int, asyncio.Future[None]] = {}
        self._asked: set[int] = set()
        self._named: dict[str, int] = {}
        """Calls whose messages have other ids than their numbers, by how those are written."""
        self._process: Process | None = None
        self._reader: asyncio.Task[None] | None = None
        self._over = False
        self._killed = False
        self._fault: Exception | None = None
        self._cutter = LineCutter(max_bytes)

    @property
    def alive(self) -> bool:
        """Whether the process still reads and writes."""
        return self._process is not None and not self._over

    @property
    def fate(self) -> str:
        """What has become of the process."""
        if self._process is None:
            return ""
        text = self._cutter.rest[:BEGUN].decode("utf-8", "replace")
        begun = words.line(self._start.masking.beginning(text, SHOWN), 2 * SHOWN)
        open_ = (
            f"; it began a line and has not ended it by \\n: {begun!r}"
            if begun and self._process.status is None
            else ""
        )
        return self._process.fate + open_

    async def open(self) -> None:
        """Starts the process."""
        start = self._start
        self._process = await Process.start(start.command, start.env, start.cwd, start.masking)
        self._reader = asyncio.create_task(self._read(self._process))

    async def ask(self, call: int, payload: Json, http: Http, patience: Patience) -> None:  # noqa: ARG002 -- no HTTP here
        """Writes a line and waits for the line that answers it."""
        future = self._waiting[call] = asyncio.get_running_loop().create_future()
        self._asked.add(call)
        number = payload.get("id", call) if isinstance(payload, dict) else call
        if number != call:
            self._named[repr(number)] = call
        try:
            await self._write(payload, patience, call)
            await future
        finally:
            self._waiting.pop(call, None)
            # asked for, it is no exception that nobody retrieved
            if not future.cancel() and not future.cancelled():
                future.exception()

    def forget(self, call: int) -> None:
        """An answer that still comes is heard as any other line."""

    async def tell(self, aside: int, payload: Json, http: Http) -> None:  # noqa: ARG002 -- no HTTP here
        """Writes a line; GET and DELETE have none."""
        if payload is not None:
            await self._write(payload)

    async def listen(self, aside: int, http: Http) -> None:
        """All that the server says comes by the one stdout."""

    def linger(self, seconds: float | None) -> None:
        """No answer has a stream of its own."""

    async def _write(self, payload: Json, patience: Patience | None = None, call: int | None = None) -> None:
        stdin = self._process.stdin if self._process is not None else None
        if self._fault is not None:
            raise self._fault
        if stdin is None or self._over:
            raise self._lost(self.fate or "the server's process was never started")
        try:
            data = encoded(payload) + b"\n"
            several = call is not None and await volley.ready()
            if patience is not None:
                patience.left()
            if several:
                # the others are written down as well: their lines leave in a row, before a quick server answers one
                await asyncio.sleep(0)
            stdin.write(data)
            if call is not None and self._process is not None:
                volley.gone(call, self._process.arrivals())
            await stdin.drain()
        except (BrokenPipeError, ConnectionResetError) as error:
            if self._process is not None:
                await self._process.gone(LAST_S)
            raise self._lost(f"the server closed its stdin; {self.fate}") from error

    async def _read(self, process: Process) -> None:
        """Reads stdout to its end, whatever comes; who still waits then is told why."""
        why: Exception = self._lost("the suite's reader was ended")
        try:
            await self._lines(process)
            await process.gone(LAST_S)
            closed = "" if process.status is not None else "the server closed its stdout; "
            why = self._lost(closed + process.fate)
        except Exception as error:  # noqa: BLE001 -- a fault of ours: whoever waits or writes has to hear of it
            why = self._fault = error
        finally:
            self._over = True
            for future in self._waiting.values():
                if not future.done():
                    future.set_exception(why)

    def _lost(self, detail: str) -> SilenceError:
        return SilenceError("killed" if self._killed else "lost", detail)

    async def _lines(self, process: Process) -> None:
        """Hears stdout line by line."""
        cutter, number = self._cutter, 0
        while process.stdout is not None and (chunk := await process.stdout.read(CHUNK)):
            for line in cutter.feed(chunk):
                number += 1
                if number % TURN == 0:
                    await asyncio.sleep(0)
                if line.size:
                    self._flood(line.data, line.size)
                else:
                    self._line(line.data)
        if cutter.rest:
            self._hear(broken(cutter.rest, "the stream ended within a line"))

    def _line(self, data: bytes) -> None:
        if not data.strip():
            if data.strip(b"\r"):
                self._hear(broken(data, "an empty line"))
            return
        heard = frame(data)
        call = self._belongs(heard, data)
        self._hear(heard, call)
        if call is not None and (heard.raw is not None or "method" not in heard.payload):
            self._settle(call)

    def _belongs(self, heard: Frame, data: bytes) -> int | None:
        """The call that a frame answers or is about; of one that cannot be read, the one that it seems to answer."""
        payload = heard.payload
        if heard.raw is not None:
            number = id_of(data)
            return number if number in self._waiting else None
        if not isinstance(payload, dict):
            return None
        number = payload.get("id")
        if "method" in payload:
            params = payload.get("params")
            number = call_of(params.get("progressToken")) if isinstance(params, dict) else None
        named = self._named.get(repr(number)) if self._named and isinstance(number, str | int) else None
        return named or (number if type(number) is int and number in self._asked else None)

    def _flood(self, beginning: bytes, size: int) -> None:
        """An answer beyond the limit ends the call that it names, or the only one that waits."""
        call = id_of(beginning + b"}")
        if call not in self._waiting:
            call = next(iter(self._waiting)) if len(self._waiting) == 1 else None
        self._hear(broken(beginning, f"longer than {self._max} bytes", size))
        if call is not None:
            self._settle(call, SilenceError("size", f"more than {self._max} bytes"))

    def _settle(self, call: int, error: Exception | None = None) -> None:
        future = self._waiting.get(call)
        if future is None or future.done():
            return
        if error is None:
            future.set_result(None)
        else:
            future.set_exception(error)

    async def kill(self) -> None:
        """Kills the process; what is in its stdout is read to the end."""
        self._killed = True
        if self._process is not None and self._reader is not None:
            await self._process.kill()
            await asyncio.wait([self._reader], timeout=LAST_S)

    async def close(self, grace_s: float = LINGER_S) -> Ending:
        """Closes stdin and sees how long the server takes to end."""
        if self._process is None:
            return Ending()
        flooded = isinstance(self._fault, SilenceError)
        by = "server" if self._over and not flooded and not self._killed else "suite"
        # whoever says too much is not waited for
        ended = await self._process.end(min(grace_s, AT_ONCE_S) if flooded else grace_s)
        if self._reader is not None:
            self._reader.cancel()
            await asyncio.wait([self._reader])
        return Ending(
            by=by,
            why=KILLED if self._killed else "",
            exit=ended.status,
            lingered_ms=None if by == "server" or self._killed else ended.lingered_ms,
            allowed_ms=None if by == "server" or self._killed else round((AT_ONCE_S if flooded else grace_s) * 1000),
            forced=ended.forced,
            tail=self._process.last_words,
            left=ended.left,
        )
