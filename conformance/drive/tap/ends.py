"""The client's side of a tap over stdio: our own stdin and stdout."""

import asyncio
import os
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
    try:
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), file)
    except ValueError:
        # a file: it is read whole, as it has all that it will ever have
        reader.feed_data(await asyncio.to_thread(file.read))
        reader.feed_eof()
    return reader


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
