"""A call whose server is killed over HTTP says so, whichever way its connection was lost, and whoever listens next."""

import asyncio
import sys

import pytest

from conformance.drive.caller import Caller
from conformance.drive.connection import Connection
from conformance.drive.place import Place
from conformance.drive.process import Process
from conformance.drive.recorder import Recorder
from conformance.drive.wire.http import HttpWire
from conformance.model.envelope import PLAIN
from conformance.model.exchange import Exchange

IDLE = [sys.executable, "-c", "import time; time.sleep(60)"]


async def killed(*, again: bool, late: bool) -> Exchange:
    """A call that is under way, or is made, as a process is killed whose port still accepts.

    again: by then another process listens there.
    """
    here, over = asyncio.Event(), asyncio.Event()

    async def serve(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        here.set()
        await over.wait()
        writer.transport.abort()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/mcp"
    place = Place(url)
    processes = [await Process.start(IDLE, {}) for _ in range(2)]
    place.begins(processes[0])
    connection = Connection("c1", "main", Recorder(PLAIN), limit_s=20, start_s=20, url=url)
    wire = connection.wire = HttpWire(url, "mcp", {}, connection.hear, max_bytes=1_000, place=place)
    try:
        kill = asyncio.create_task(wire.kill()) if late else None
        await asyncio.sleep(0)
        call = asyncio.create_task(connection.call("echo", {}, Caller("a test")))
        if kill is None:
            await here.wait()
            kill = asyncio.create_task(wire.kill())
            await asyncio.sleep(0)
        if again:
            place.begins(processes[1])
        over.set()
        await kill
        return await call
    finally:
        await wire.close()
        server.close()
        for process in processes:
            await process.end(0.1, by_signal=True)


@pytest.mark.parametrize("again", [False, True])
@pytest.mark.parametrize("late", [False, True])
def test_it_says_what_became_of_the_process(*, again: bool, late: bool) -> None:
    call = asyncio.run(killed(again=again, late=late))
    assert call.unanswered == "killed"
    assert "has ended with signal SIGKILL" in call.detail
    assert "still" not in call.detail
