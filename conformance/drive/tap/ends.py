"""The client's side of a tap over stdio: our own stdin and stdout."""

import asyncio
import os
import stat
from io import FileIO
from typing import Protocol

CHUNK = 65_536


class Out(Protocol):
    """Where bytes go that the server said."""

    def write(self, data: bytes) -> None:
        """Takes them."""

    async def drain(self) -> None:
        """Waits until there is room for more; OSError where nobody reads any more."""


class _File:
    """What is no pipe and no terminal takes all at once."""

    def __init__(self, file: FileIO) -> None:
        self._number = file.fileno()

    def write(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._number, data) :]

    async def drain(self) -> None:
        await asyncio.sleep(0)


async def incoming(file: FileIO) -> asyncio.StreamReader:
    """What a client says."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    if _waited_for(file):
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), file)
    else:
        # a file, or /dev/null: it is read whole, as it has all that it will ever have
        reader.feed_data(await asyncio.to_thread(file.read))
        reader.feed_eof()
    return reader


def _waited_for(file: FileIO) -> bool:
    """Whether the system can say when there is more to read."""
    mode = os.fstat(file.fileno()).st_mode
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or file.isatty()


async def outgoing(file: FileIO) -> Out:
    """What a client reads."""
    loop = asyncio.get_running_loop()
    try:
        transport, protocol = await loop.connect_write_pipe(
            lambda: asyncio.StreamReaderProtocol(asyncio.StreamReader()), file
        )
    except ValueError:
        return _File(file)
    return asyncio.StreamWriter(transport, protocol, None, loop)
