"""The reference over HTTP, as a server that ends once, at a call, and loses what it was told.

    ends_once.py FLAG NUMBER PORT WORDS…

WORDS start the reference. At the call of this number the process ends, unless the file FLAG is there.
"""

import asyncio
import os
import re
import subprocess
import sys
from pathlib import Path

flag, number, port, words = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]
command = [sys.executable, "-m", "reference_server", *words, "--transport", "http", "--port", "0"]
behind = subprocess.Popen(command, stderr=subprocess.PIPE)
assert behind.stderr is not None
said = re.search(rb":(\d+)", behind.stderr.readline())
assert said is not None
inner = int(said[1])
calls = 0


def end_once() -> None:
    """Ends, unless it did so before."""
    if not flag.exists():
        flag.touch()
        behind.kill()
        os._exit(1)


async def passed(source: asyncio.StreamReader, sink: asyncio.StreamWriter, *, counted: bool) -> None:
    """Passes on what comes, and counts the calls in it."""
    global calls  # noqa: PLW0603 -- of all connections
    try:
        while chunk := await source.read(65_536):
            calls += chunk.count(b'"tools/call"') if counted else 0
            if calls >= number:
                end_once()
            sink.write(chunk)
            await sink.drain()
    except OSError:
        pass
    finally:
        sink.close()


async def both(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    """Passes on one connection."""
    answers, asks = await asyncio.open_connection("127.0.0.1", inner)
    await asyncio.gather(passed(source, asks, counted=True), passed(answers, sink, counted=False))


async def main() -> None:
    """Listens."""
    server = await asyncio.start_server(both, "127.0.0.1", port)
    async with server:
        await server.serve_forever()


asyncio.run(main())
