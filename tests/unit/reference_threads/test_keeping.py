"""A store on disk: a server started on it is the one that was there before, but for what its deviations break."""

import asyncio
import pickle
from collections import deque
from pathlib import Path
from typing import Any

import pytest

from reference_server.conditions import Clock
from reference_server.contracts import served
from reference_server.deviations.registry import find
from reference_server.keeping import Kept, Shelf
from reference_server.threads import Threads, open_threads
from reference_server.tokens import Trust

from .desk import START, Desk, result

PARTS = served("threads").state
NOT_KEPT = {
    "identity.known": "verified tokens are not written down",
    "arguments.validators": "compiled when they are first wanted",
    "ids.count": "the ids of a process begin with what no other has",
    "instants.latest": "the calendar is the machine's",
    "audit.entries": "for whoever runs the server",
}


def begun(shelf: Shelf, *deviations: str, name: str = "", **settings: Any) -> Desk:
    """A server that is started on a shelf."""
    kept = Kept(open_threads(settings, trust=Trust.for_tests(), clock=Clock(source=lambda: START)), PARTS, shelf, name)
    for each in deviations:
        find(each).apply(kept)
    return Desk(kept)  # type: ignore[arg-type] # it is called in the same way


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(str(tmp_path / "store"))


async def used(desk: Desk) -> str:
    """A thread in which everything was done that leaves something behind."""
    thread = await desk.thread()
    first = await desk.post(thread, "first", idempotency_key="k")
    await desk.post(thread, "second", by="bob", metadata={"a": [1, {"b": None}]}, in_reply_to=first["message_id"])
    await desk.move(thread, "blocked")
    await desk.ok("ack_read", "ann", thread_id=thread, last_read_seq=2)
    await desk.beat()
    await desk.at(5, human_input=["bob"])
    assert result(await desk.trigger(thread)) == "deferred"
    return thread


async def seen(desk: Desk, thread: str) -> list[Any]:
    """What is shown of it."""
    given = [await desk.ok(tool, thread_id=thread) for tool in ("get_thread", "read_messages", "summarize_thread")]
    return [*given, (await desk.trigger(thread)).envelope]


def test_a_server_goes_on_from_where_another_was(shelf: Shelf) -> None:
    async def scene() -> None:
        first = begun(shelf, quota_per_minute=4)
        thread = await used(first)
        shown = await seen(first, thread)
        again = begun(shelf, quota_per_minute=4)
        assert await seen(again, thread) == shown
        assert (await again.post(thread, "first", idempotency_key="k"))["seq"] == 1
        assert await again.code("post_message", "ann", **_message(thread, "other")) == "IDEMPOTENCY_CONFLICT"
        assert await again.code("ack_read", "ann", thread_id=thread, last_read_seq=1) == "CONFLICT"
        assert [(await again.post(thread, f"{number}"))["seq"] for number in range(3)] == [3, 4, 5]
        assert await again.code("post_message", "ann", **_message(thread, "x", key="l")) == "RATE_LIMITED"
        assert [means for means, _ in await again.at(65)] == ["trigger_runtime"]
        assert [means for means, _ in await begun(shelf).at(130)] == []

    asyncio.run(scene())


def _message(thread: str, body: str, key: str = "k") -> dict[str, Any]:
    return {"thread_id": thread, "schema_version": 1, "kind": "chat", "body": body, "idempotency_key": key}


def test_an_accepted_call_is_on_disk_when_it_is_answered(tmp_path: Path) -> None:
    async def scene() -> None:
        desk = begun(Shelf(str(tmp_path / "store")))
        thread = await desk.thread()
        for number in range(1, 4):
            await desk.post(thread, f"{number}")
            elsewhere = begun(Shelf(str(tmp_path / "store")))
            assert [each["seq"] for each in await elsewhere.read(thread)] == list(range(1, number + 1))

    asyncio.run(scene())


def test_each_instance_has_a_place_of_its_own(shelf: Shelf) -> None:
    async def scene() -> None:
        thread = await begun(shelf, name="one").thread()
        assert await begun(shelf, name="one").code("get_thread", thread_id=thread) == "ok"
        assert await begun(shelf, name="two").code("get_thread", thread_id=thread) == "NOT_FOUND"

    asyncio.run(scene())


def test_what_changes_nothing_is_not_written(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        desk = begun(shelf)
        thread = await desk.thread()
        await desk.post(thread, "first", idempotency_key="k")
        monkeypatch.setattr(Shelf, "keep", lambda *_: pytest.fail("nothing has changed"))
        await desk.read(thread)
        await desk.post(thread, "first", idempotency_key="k")
        assert await desk.code("post_message", "eve", **_message(thread, "x")) == "FORBIDDEN"

    asyncio.run(scene())


def test_all_that_calls_change_is_kept() -> None:
    """Whatever a domain holds that differs after it was used is in its state, or is named here with the reason."""
    desk = Desk()
    before = held(desk.threads)
    asyncio.run(used(desk))
    after = held(desk.threads)
    assert {name for name, value in after.items() if value != before[name]} <= {*PARTS, *NOT_KEPT}
    assert {name for name in PARTS if after[name] == before[name]} == set()


def held(threads: Threads) -> dict[str, str]:
    """The data of each collaborator, by its dotted name."""
    kinds = (dict, list, deque, set, int, float, str, bytes, tuple)
    parts = {name: vars(part) for name, part in vars(threads).items() if hasattr(part, "__dict__")}
    parts["clock"] = {"ahead": threads.clock.ahead}
    parts["ids"] = {"count": repr(threads.ids.count)}
    return {f"{name}.{key}": repr(value) for name, part in parts.items() for key, value in part.items()
            if isinstance(value, kinds)}  # fmt: skip


def test_a_file_from_elsewhere_runs_nothing(shelf: Shelf) -> None:
    class Evil:
        def __reduce__(self) -> tuple[Any, ...]:
            return (print, ("run",))

    shelf.keep("", pickle.dumps([Evil()]))
    with pytest.raises(pickle.UnpicklingError, match=r"a store holds no builtins\.print"):
        begun(shelf)


async def lost(desk: Desk, shelf: Shelf) -> bool:
    thread = await used(desk)
    await desk.post(thread, "the last")
    return len(await begun(shelf).read(thread)) == 2


def test_the_last_write_can_be_lost(shelf: Shelf, tmp_path: Path) -> None:
    assert asyncio.run(lost(begun(shelf, "TH-SRV-05"), shelf))
    other = Shelf(str(tmp_path / "other"))
    assert not asyncio.run(lost(begun(other), other))


def test_more_can_be_broken_at_a_start(shelf: Shelf) -> None:
    async def scene() -> None:
        thread = await used(begun(shelf))
        assert len(await begun(shelf, "TH-SRV-05:twice").read(thread)) == 3
        assert (await begun(shelf, "TH-SRV-05:keys").post(thread, "first", idempotency_key="k"))["seq"] == 4
        back = {"thread_id": thread, "last_read_seq": 1}
        assert await begun(shelf, "TH-SRV-05:cursors").code("ack_read", "ann", **back) == "ok"

    asyncio.run(scene())
