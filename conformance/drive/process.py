"""A server's process: started in a group of its own, its stderr drained, ended with all its children."""

import asyncio
import contextlib
import os
import re
import shlex
import signal
import sys
from collections.abc import Mapping, Sequence

from conformance.drive.errors import UsageError

GRACE_S = 5.0
"""What a server is given to end after its stdin closed, and again after SIGTERM."""
TAIL = 4_000
"""Bytes of stderr that are kept for the report."""
LISTENING = re.compile(rb"(https?://(?:127\.0\.0\.1|localhost|\[::1\]):\d+)")


def argv(command: str | Sequence[str]) -> list[str]:
    """The command's words; `python` means the interpreter that runs the suite where there is none on the path."""
    words = shlex.split(command) if isinstance(command, str) else list(command)
    if not words:
        raise UsageError("the server command is empty", todo="give the words that start your server")
    return words


class Process:
    """A running server."""

    def __init__(self, process: asyncio.subprocess.Process, words: list[str]) -> None:
        self.process = process
        self.words = words
        self.tail = b""
        self.address: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._drains: list[asyncio.Task[None]] = []
        if process.stderr is not None:
            self.drain(process.stderr)

    @classmethod
    async def start(cls, command: str | Sequence[str], env: Mapping[str, str]) -> "Process":
        """Starts a command; UsageError where the system cannot."""
        words = argv(command)
        pipe = asyncio.subprocess.PIPE
        try:
            process = await asyncio.create_subprocess_exec(
                *words, stdin=pipe, stdout=pipe, stderr=pipe, env={**os.environ, **env}, start_new_session=True
            )
        except OSError as error:
            raise UsageError(
                f"the server command cannot be started: {shlex.join(words)}",
                why=f"{error.strerror or error}",
                todo="check the command in a shell; its first word is a program on the path or a full path",
            ) from error
        return cls(process, words)

    def drain(self, stream: asyncio.StreamReader) -> None:
        """Reads a stream to its end so that the server never blocks on it; keeps its last bytes."""
        self._drains.append(asyncio.create_task(self._drain(stream)))

    async def _drain(self, stream: asyncio.StreamReader) -> None:
        while chunk := await stream.read(65_536):
            self.tail = (self.tail + chunk)[-TAIL:]
            found = LISTENING.search(self.tail) if not self.address.done() else None
            if found:
                self.address.set_result(found.group(1).decode())

    async def end(self) -> tuple[int | None, int]:
        """Closes stdin, then asks, then kills the group. Gives the exit status and the ms that it went on."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        if self.process.stdin is not None:
            self.process.stdin.close()
        status = await self._wait(GRACE_S)
        lingered = round((loop.time() - began) * 1000)
        for name in (signal.SIGTERM, signal.SIGKILL):
            if status is None:
                self._signal(name)
                status = await self._wait(GRACE_S)
        self._signal(signal.SIGKILL)
        for task in self._drains:
            task.cancel()
        return status, lingered

    async def _wait(self, seconds: float) -> int | None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                return await self.process.wait()
        return None

    def _signal(self, name: signal.Signals) -> None:
        if sys.platform != "win32":
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, name)
        elif self.process.returncode is None:
            self.process.kill()
