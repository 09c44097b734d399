"""Where a server listens: whether another process has taken the place of the one that was there."""

import asyncio
import socket

import pytest

from conformance.drive import place as module
from conformance.drive.place import Place


def closed() -> Place:
    """An address of which the port is free."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return Place(f"http://127.0.0.1:{found.getsockname()[1]}/mcp", back_s=10.0)


async def serve(there: Place) -> asyncio.Server:
    return await asyncio.start_server(lambda _, writer: writer.close(), there.host, there.port)


async def back(there: Place, *, answered_first: bool) -> int:
    """The number of the server that listens there after one has ended, and nobody listened for three looks."""
    async with await serve(there):
        assert not await there.accepts()
    for _ in range(3):
        assert await there.accepts()
        await asyncio.sleep(0.01)
    async with await serve(there):
        if answered_first:
            there.tells(None)
        assert not await there.accepts()
    return there.pace.number


@pytest.mark.parametrize("answered_first", [False, True])
@pytest.mark.parametrize(("away_s", "number"), [(0.005, 2), (60, 1)])
def test_another_one_listens_where_nobody_did_for_long_enough(
    away_s: float, number: int, answered_first: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "AWAY_S", away_s)
    assert asyncio.run(back(closed(), answered_first=answered_first)) == number


def test_one_that_did_not_listen_yet_takes_nobodys_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "AWAY_S", 0.0)

    async def starts() -> int:
        there = closed()
        assert await there.accepts()
        async with await serve(there):
            assert not await there.accepts()
        return there.pace.number

    assert asyncio.run(starts()) == 1
