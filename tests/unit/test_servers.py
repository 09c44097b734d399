"""So many servers at once that were started for instances, and their end with the stimulus."""

import asyncio
from pathlib import Path

import pytest

from conformance.drive import session as sessions
from conformance.drive.errors import UsageError
from conformance.drive.servers import Servers
from conformance.model.events import Closed
from tests.unit.test_starting import session_at

SOON_S = 0.02


class Started:
    """Servers with the order in which they ended."""

    def __init__(self, places: int) -> None:
        self.servers = Servers(places, self.end)
        self.ended: list[str] = []
        self.allowed = asyncio.Event()
        """Whether servers end when they are told to."""

    async def end(self, instance: str) -> None:
        await self.allowed.wait()
        self.ended.append(instance)
        await self.servers.left(instance)

    async def start(self, instance: str, holder: str, *, at_once: bool = False) -> None:
        await self.servers.enter(holder, at_once=at_once)
        self.servers.add(instance, holder)

    async def waits(self, instance: str, holder: str) -> asyncio.Task[None]:
        """Has another one want to start, which has to wait."""
        task = asyncio.create_task(self.start(instance, holder))
        await asyncio.sleep(SOON_S)
        assert not task.done()
        return task


async def _in_turn() -> None:
    started = Started(2)
    await started.start("a1", "a")
    await started.start("b1", "b")
    another = await started.waits("c1", "c")
    await started.start("a2", "a")
    await started.start("d1", "d", at_once=True)
    await started.servers.over("a")
    await started.servers.over("d")
    await asyncio.sleep(SOON_S)
    assert not another.done(), "servers that are about to end are still there"
    started.allowed.set()
    await asyncio.wait_for(another, 10)
    assert sorted(started.ended) == ["a1", "a2", "d1"]


def test_another_stimulus_waits_for_a_server_and_one_that_has_some_does_not() -> None:
    asyncio.run(_in_turn())


async def _without_one() -> None:
    started = Started(1)
    await started.servers.enter("a", at_once=False)
    another = await started.waits("b1", "b")
    await started.servers.over("a")
    await asyncio.wait_for(another, 10)


def test_who_could_start_none_leaves_its_place() -> None:
    asyncio.run(_without_one())


async def _before_it_is_over() -> None:
    started = Started(1)
    started.allowed.set()
    await started.start("a1", "a")
    await started.start("a2", "a")
    another = await started.waits("b1", "b")
    await started.end("a1")
    await started.servers.over("a")
    await started.servers.ended()
    await asyncio.wait_for(another, 10)
    assert started.ended == ["a1", "a2"]


def test_a_server_ends_once() -> None:
    asyncio.run(_before_it_is_over())


@pytest.mark.parametrize("alone", [False, True])
def test_processes_end_with_the_stimulus_that_had_them_started(tmp_path: Path, *, alone: bool) -> None:
    asyncio.run(_processes(tmp_path, alone=alone))


async def _processes(folder: Path, *, alone: bool) -> None:
    session = session_at(folder, {"transport": "stdio"}, limits={"servers": 1})
    async with session.held(), asyncio.timeout(60):
        await session.connection(0, "main", "one")
        first = await session.instance(0, {}, "one", "one")
        opened = await session.connection(0, first, "one")
        if alone:
            await session.bring_about({"x": "forbidden"}, "main", "two")
        second = asyncio.create_task(session.instance(0, {}, "two", "two"))
        await asyncio.sleep(SOON_S)
        assert second.done() is alone, "who has the target for itself waits for nobody"
        await session.undo("two")
        await session.servers.over("one")
        name = await second
        await session.servers.ended()
        assert not opened.wire.alive
        assert (await session.connection(0, name, "two")).wire.alive
        assert (await session.connection(0, "main", "one")).wire.alive


async def _staying(folder: Path) -> list[Closed]:
    session = session_at(folder, {"transport": "stdio", "command": ["stays"]})
    async with session.held(), asyncio.timeout(60):
        await session.connection(0, "main", "one")
        for _ in range(2):
            name = await session.instance(0, {}, "one", "one")
            await session.connection(0, name, "one")
            await session.end(name)
    closed = [each.closed for each in session.recorder.history.connections.values()]
    return [each for each in closed if each is not None]


def test_a_server_that_does_not_end_holds_the_others_up_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "LINGER_S", 2.0)
    main, first, second = asyncio.run(_staying(tmp_path))
    assert [(each.allowed_ms, bool(each.forced)) for each in (first, second)] == [(2_000, True), (500, True)]
    assert main.allowed_ms == 2_000, "in the end it is given its time again"


async def _not_started(folder: Path) -> None:
    at = {"transport": "http", "url": "http://127.0.0.1:{port}/mcp", "command": ["no", "{port}"]}
    async with session_at(folder, at).held() as session, asyncio.timeout(60):
        name = await session.instance(0, {}, "one", "one")
        with pytest.raises(UsageError, match="did not start to listen"):
            await session.connection(0, name, "one")
        await session.servers.over("one")
        await session.servers.ended()


def test_one_that_did_not_start_has_nothing_to_end(tmp_path: Path) -> None:
    asyncio.run(_not_started(tmp_path))
