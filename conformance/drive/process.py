"""A server's process: started in a group of its own, its output drained, ended with whatever it started."""

import asyncio
import contextlib
import itertools
import os
import select
import shlex
import signal
import sys
import tempfile
from asyncio import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from conformance.drive.command_line import hidden
from conformance.drive.errors import UsageError
from conformance.drive.kin import MARK, SHOWN, end_marked, tied
from conformance.drive.lateness import Lateness
from conformance.drive.masking import Masking
from conformance.drive.words import line

STDOUT = 1
FEW = 1024
"""Files that select can look at."""
PULL_S = 3.0
"""What a process is given to end after SIGTERM."""
LAST_S = 0.3
"""What the last words of a process that has ended are waited for; a child of its may hold the pipe open."""
CHILDREN_S = 1.0
"""What those that it started are waited for: they may end a moment after it."""
TAIL = 4_000
"""Characters of its output that are told."""
BEFORE = 16_000
"""Bytes before them that are kept as well, so that of a secret across the cut nothing stays."""
WORDS = 600
"""Characters of it that an error shows."""
_STARTED = itertools.count(1)
_RUNNING: dict[str, int] = {}
"""The group of each server that was started and has not been ended yet, by its mark."""


@contextlib.contextmanager
def none_left() -> Iterator[None]:
    """However what is within ends, no server that was started in it goes on."""
    before = set(_RUNNING)
    try:
        yield
    finally:
        for mark in set(_RUNNING) - before:
            _kill(_RUNNING.pop(mark))
            end_marked(mark)


def argv(command: str | Sequence[str]) -> list[str]:
    """The command's words; UsageError where there is none."""
    words = shlex.split(command) if isinstance(command, str) else list(command)
    if not words:
        raise UsageError("the server command is empty", todo="give the words that start your server")
    return words


@dataclass(frozen=True, slots=True)
class Ended:
    """How a process ended."""

    status: int | None
    lingered_ms: int
    """From when it was asked to end, by closing its stdin, until it did or was made to."""
    forced: str = ""
    """The signal that it took; empty where it ended by itself."""
    left: tuple[str, ...] = ()
    """The commands of the processes that it left behind, which were ended as well."""


class _Streams(subprocess.SubprocessStreamProtocol):
    """Tells when the process itself ends. `Process.wait` waits for its pipes too, which a child of it may hold."""

    def __init__(self) -> None:
        super().__init__(limit=2**18, loop=asyncio.get_running_loop())
        self.ended = asyncio.Event()
        self.came = 0
        """Octets of its stdout that were read from the pipe."""

    def pipe_data_received(self, fd: int, data: bytes | str) -> None:
        if fd == STDOUT:
            self.came += len(data)
        super().pipe_data_received(fd, data)

    def process_exited(self) -> None:
        self.ended.set()
        super().process_exited()


class Process:
    """A running server."""

    def __init__(
        self, transport: asyncio.SubprocessTransport, streams: _Streams, words: list[str], mark: str, masking: Masking
    ) -> None:
        process = subprocess.Process(transport, streams, asyncio.get_running_loop())
        self.words = words
        self.pid = process.pid
        self.stdin, self.stdout = process.stdin, process.stdout
        self.tail = b""
        """The last of what it wrote where nothing else reads it: stderr, and stdout once that is drained."""
        self.heard: Callable[[bytes], None] | None = None
        """Called with whatever is drained, as it comes."""
        self.mark = mark
        """What it and all that it starts have in their environment under kin.MARK."""
        self._transport, self._streams, self._masking = transport, streams, masking
        _RUNNING[mark] = process.pid
        self._drains: list[asyncio.Task[None]] = []
        self._ending: asyncio.Task[Ended] | None = None
        self._hurry = asyncio.Event()
        self._grace_s = 0.0
        if process.stderr is not None:
            self.drain(process.stderr)

    def arrivals(self) -> Callable[[], bool]:
        """Tells whether anything has come by its stdout since now, read or not."""
        before, pipe = self._streams.came, self._transport.get_pipe_transport(STDOUT)
        held = pipe.get_extra_info("pipe") if pipe is not None else None

        def arrived() -> bool:
            if held is None or held.closed or self._streams.came != before:
                return True
            return bool(select.select([held], [], [], 0)[0]) if held.fileno() < FEW else True

        return arrived

    @classmethod
    async def start(
        cls,
        command: str | Sequence[str],
        env: Mapping[str, str],
        cwd: str | None = None,
        masking: Masking | None = None,
        *,
        mute: bool = True,
    ) -> "Process":
        """Starts a command; UsageError where the system cannot. What it says is told without what `masking` knows.

        Not `mute`: its stderr is ours.
        """
        words = argv(command)
        mark = f"{os.getpid()}.{next(_STARTED)}"
        pipe = subprocess.PIPE
        try:
            transport, streams = await asyncio.get_running_loop().subprocess_exec(
                _Streams, *words, stdin=pipe, stdout=pipe, stderr=pipe if mute else None, cwd=cwd,
                env={**os.environ, **env, MARK: mark}, start_new_session=True, preexec_fn=tied(),
            )  # fmt: skip
        except (OSError, ValueError) as error:
            if cwd is not None and not os.path.isdir(cwd):  # noqa: ASYNC240, PTH112 -- for an error alone
                raise UsageError(
                    "the server command cannot be started: its folder is not there",
                    why=f"no folder: {cwd}",
                    todo="--cwd or cwd of the endpoint names the folder that it is started in",
                ) from error
            raise UsageError(
                f"the server command cannot be started: {shlex.join(hidden(words))}",
                why=getattr(error, "strerror", None) or str(error),
                todo="check the command in a shell; its first word is a program on the path, a full path, or a path "
                f"from {cwd or 'the folder where conformance is started'}",
            ) from error
        return cls(transport, streams, words, mark, masking or Masking())

    @property
    def status(self) -> int | None:
        """Its exit status; negative: the signal that ended it; None: it runs."""
        return self._transport.get_returncode()

    @property
    def last_words(self) -> str:
        """The end of what it wrote to stderr, as text."""
        text = self.tail.decode("utf-8", "replace").strip()
        return self._masking.end(text, TAIL).strip()

    @property
    def fate(self) -> str:
        """What has become of it, in words."""
        how = "still runs" if self.status is None else f"has ended with {_spelled(self.status)}"
        said = line(self.last_words, WORDS)
        return f"the server's process {how}; it last wrote: {said}" if said else f"the server's process {how}"

    def drain(self, stream: asyncio.StreamReader) -> None:
        """Reads a stream to its end so that the server never blocks on it; keeps its last bytes."""
        self._drains.append(asyncio.create_task(self._drain(stream)))

    async def _drain(self, stream: asyncio.StreamReader) -> None:
        while chunk := await stream.read(65_536):
            self.tail = (self.tail + chunk)[-(TAIL + BEFORE) :]
            if self.heard is not None:
                self.heard(chunk)

    async def gone(self, seconds: float) -> bool:
        """Whether the process ends within so many seconds. Its last words are in by then."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._streams.ended.wait()
        if self.status is not None and self._drains:
            await asyncio.wait(self._drains, timeout=LAST_S)
        return self.status is not None

    async def kill(self) -> None:
        """Ends it and its group at once, as a crash would; `end` clears up behind it."""
        self._signal(signal.SIGKILL)
        await self._first_of(self._streams.ended, within_s=PULL_S)

    async def end(self, grace_s: float, *, by_signal: bool = False) -> Ended:
        """Ends it and whatever it started. First its stdin is closed; `by_signal`: it is asked by SIGTERM at once.

        Asked again with a shorter grace, the shorter one holds. Who waits may be cancelled; the end itself goes on.
        """
        if self._ending is None:
            self._grace_s = grace_s
            self._ending = asyncio.create_task(self._end(by_signal=by_signal))
        elif grace_s < self._grace_s:
            self._grace_s = grace_s
            asyncio.get_running_loop().call_later(grace_s, self._hurry.set)
        return await asyncio.shield(self._ending)

    async def _end(self, *, by_signal: bool) -> Ended:
        loop = asyncio.get_running_loop()
        began = loop.time()
        if self.stdin is not None:
            self.stdin.close()
        if not by_signal:
            await self._first_of(self._streams.ended, self._hurry)
        lingered = round((loop.time() - began) * 1000)
        forced = ""
        for name in (signal.SIGTERM, signal.SIGKILL):
            if self.status is None:
                forced = name.name
                self._signal(name)
                await self._first_of(self._streams.ended, within_s=min(PULL_S, self._grace_s))
        found = await asyncio.to_thread(end_marked, self.mark, CHILDREN_S)
        left = [self._masking.beginning(each, SHOWN) for each in found]
        self._signal(signal.SIGKILL)
        if self._drains:
            await asyncio.wait(self._drains, timeout=LAST_S)
        for task in self._drains:
            task.cancel()
        self._transport.close()
        _RUNNING.pop(self.mark, None)
        await asyncio.sleep(0)
        return Ended(self.status, lingered, forced, tuple(left))

    async def _first_of(self, *events: asyncio.Event, within_s: float | None = None) -> None:
        """Waits for one of these, as long as the process is given; what the suite was late meanwhile is given again."""
        waits = [asyncio.ensure_future(event.wait()) for event in events]
        lateness, left = Lateness.here(), self._grace_s if within_s is None else within_s
        lateness.wait()
        try:
            while left > 0:
                lost = lateness.lost_s
                done, _ = await asyncio.wait(waits, timeout=left, return_when=asyncio.FIRST_COMPLETED)
                left = 0.0 if done else lateness.lost_s - lost
        finally:
            lateness.leave()
            for each in waits:
                each.cancel()

    def _signal(self, name: signal.Signals) -> None:
        if sys.platform != "win32":
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, name)
        elif self.status is None:
            self._transport.kill()


def _kill(group: int) -> None:
    """Ends a process and those of its group that are still there."""
    if sys.platform != "win32":
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGKILL)


async def ran(words: Sequence[str], limit_s: float, masking: Masking | None = None) -> str:
    """Runs a command to its end; gives why it failed, empty where it did not. What it left running stays."""
    null = subprocess.DEVNULL
    # a file, not a pipe: what the command leaves in the background may hold it open
    with tempfile.TemporaryFile() as said:
        try:
            process = await asyncio.create_subprocess_exec(
                *words, stdin=null, stdout=null, stderr=said, start_new_session=True
            )
        except (OSError, ValueError) as error:
            return f"{words[0]} cannot be started: {getattr(error, 'strerror', None) or error}"
        try:
            async with asyncio.timeout(limit_s):
                status = await process.wait()
        except TimeoutError:
            return f"it did not end within {limit_s:g} s"
        finally:
            if process.returncode is None:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.pid, signal.SIGKILL) if sys.platform != "win32" else process.kill()
                await process.wait()
        said.seek(max(0, said.tell() - WORDS - BEFORE))
        last = line((masking or Masking()).end(said.read().decode("utf-8", "replace"), WORDS), WORDS)
    return f"exit {status}{f': {last}' if last else ''}" if status else ""


def _spelled(status: int) -> str:
    if status >= 0:
        return f"status {status}"
    try:
        return f"signal {signal.Signals(-status).name}"
    except ValueError:
        return f"signal {-status}"
