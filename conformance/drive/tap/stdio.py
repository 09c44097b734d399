"""A tap over stdio: to its client it is the server, whose process it starts."""

import asyncio
import contextlib
from io import FileIO

from conformance.drive.frames import broken, frame
from conformance.drive.process import PULL_S, Ended, Process
from conformance.drive.start import Start
from conformance.drive.tap.ends import CHUNK, Out, incoming, outgoing
from conformance.drive.tap.talk import Talk
from conformance.drive.tap.tape import Tape
from conformance.drive.wire.base import LINGER_S, Ending
from conformance.drive.wire.lines import Line, LineCutter

GONE_S = 1.0
"""What a server is given to end that closed its stdout, or whose client is gone."""


class StdioTap:
    """Passes on what comes, byte for byte, and only then looks at it."""

    def __init__(self, tape: Tape, talk: Talk, max_bytes: int) -> None:
        self._tape, self._talk, self._max = tape, talk, max_bytes

    async def run(self, start: Start, stdin: FileIO, stdout: FileIO) -> int:
        """Goes on until client or server ends; gives the exit status that the client is to see.

        UsageError where the command cannot be started. Cancelled, it ends the server.
        """
        process = await Process.start(start.command, start.env, start.cwd, mute=False)
        by, grace_s, asked = "server", GONE_S, False
        tasks: list[asyncio.Task[None]] = []
        try:
            heard = asyncio.create_task(self._outward(process, await outgoing(stdout)))
            said = asyncio.create_task(self._inward(await incoming(stdin), process))
            tasks = [heard, said]
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            if not heard.done():
                # the client has said all: the server may still answer, as long as it takes to end
                by = "client"
                if process.stdin is not None:
                    process.stdin.close()
                await asyncio.wait([heard], timeout=LINGER_S)
            elif not isinstance(heard.exception(), OSError):
                heard.result()
            else:
                by = "client"
            await process.gone(GONE_S)
        except asyncio.CancelledError:
            by, grace_s, asked = "client", PULL_S, True
        for task in tasks:
            task.cancel()
        ended = await process.end(grace_s, by_signal=asked)
        await asyncio.gather(*tasks, return_exceptions=True)
        self._close(ended, by)
        return _status(ended.status) if by == "server" else 0

    def _close(self, ended: Ended, by: str) -> None:
        ending = Ending(by=by, exit=ended.status, forced=ended.forced, left=ended.left)
        if by == "server":
            self._talk.close(ending, "lost", "the server ended")
        else:
            self._talk.close(ending)

    async def _inward(self, client: asyncio.StreamReader, process: Process) -> None:
        """What the client says, to its end."""
        cutter, server = LineCutter(self._max), process.stdin
        assert server is not None, "a process that was started has a stdin"
        while chunk := await client.read(CHUNK):
            t = self._tape.now()
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                server.write(chunk)
            for line in cutter.feed(chunk):
                self._said(line, t)
            # a server that closed its stdin may still speak: what is said to it then is lost, as without a tap
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                await server.drain()

    def _said(self, line: Line, t: int) -> None:
        if line.size:
            self._talk.sent(broken(line.data, f"longer than {self._max} bytes", line.size), t)
        elif line.data.strip():
            self._talk.sent(frame(line.data), t)

    async def _outward(self, process: Process, client: Out) -> None:
        """What the server says, to its end; OSError where the client is gone."""
        cutter, server = LineCutter(self._max), process.stdout
        assert server is not None, "a process that was started has a stdout"
        while chunk := await server.read(CHUNK):
            client.write(chunk)
            t = self._tape.now()
            for line in cutter.feed(chunk):
                self._heard(line, t)
            await client.drain()
        if cutter.rest:
            self._talk.heard(broken(cutter.rest, "the stream ended within a line"), self._tape.now())

    def _heard(self, line: Line, t: int) -> None:
        if line.size:
            self._talk.too_long(broken(line.data, f"longer than {self._max} bytes", line.size), t)
        elif line.data.strip():
            self._talk.heard(frame(line.data), t)
        elif line.data.strip(b"\r"):
            self._talk.heard(broken(line.data, "an empty line"), t)


def _status(status: int | None) -> int:
    """An exit status as a shell has it."""
    return 0 if status is None else status if status >= 0 else 128 - status
