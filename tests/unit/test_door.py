"""Requests that are turned away before anybody looks at them: how they are sent again, and how far apart."""

import asyncio

import pytest

from conformance.drive.frames import Frame, frame
from conformance.drive.wire import door
from conformance.drive.wire.door import LIMIT, Door, TurnedAway, turned_away
from conformance.model.events import Http

ERROR = b'{"jsonrpc": "2.0", "id": null, "error": {"code": -32000, "message": "Too many requests"}}'
RESULT = b'{"jsonrpc": "2.0", "id": 1, "result": {}}'


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "PAUSE_S", 0.001)
    monkeypatch.setattr(door, "FIRST_APART_S", 0.01)
    monkeypatch.setattr(door, "MOST_APART_S", 0.02)


@pytest.mark.parametrize(
    ("status", "body", "mcp", "away"),
    [
        (200, b"<h1>", True, None),
        (500, b"<h1>", True, None),
        (503, b"draining", True, TurnedAway(limit=False)),
        (503, ERROR, True, None),
        (429, b"Too many", True, LIMIT),
        (429, b"", False, LIMIT),
        (429, ERROR, True, LIMIT),
        (429, RESULT, True, None),
        (429, b'{"error": {"code": "RATE_LIMITED"}}', True, LIMIT),
        (429, b'{"error": {"code": "RATE_LIMITED"}}', False, None),
    ],
)
def test_what_turns_a_request_away(status: int, body: bytes, mcp: bool, away: TurnedAway | None) -> None:
    found: Frame = frame(body)
    assert turned_away(Http(status=status), found, mcp=mcp) == away
    asked = Http(status=status, headers={"retry-after": "7"})
    again = turned_away(asked, found, mcp=mcp)
    assert again is None if away is None else again is not None and again.after_s == 7
    dated = Http(status=status, headers={"retry-after": "Sun, 29 Nov 2026 00:00:00 GMT"})
    assert turned_away(dated, found, mcp=mcp) == away


async def _waits(place: Door, number: int) -> list[float]:
    """What so many requests wait that want to leave at once, in seconds; nothing where nobody has to."""
    waits: list[float] = []
    await asyncio.gather(*(place.turn(waits.append) for _ in range(number)))
    return waits


def test_requests_leave_further_apart_from_the_first_that_a_limit_turns_away() -> None:
    async def run() -> tuple[list[float], list[float], list[float]]:
        place = Door()
        before = await _waits(place, 4)
        first, other = place.visit(), place.visit()
        await place.again(first, LIMIT)
        # this one was sent before they left further apart: it says nothing of that
        await place.again(other, LIMIT)
        once = await _waits(place, 4)
        await place.again(place.visit(), LIMIT)
        await place.again(place.visit(), LIMIT)
        return before, once, await _waits(place, 4)

    before, once, most = asyncio.run(run())
    assert not before
    assert once[-1] - once[0] == pytest.approx(0.03, abs=0.005)
    assert most[-1] - most[0] == pytest.approx(0.06, abs=0.005)


def test_one_that_waits_its_turn_leaves_as_far_apart_as_is_known_by_then() -> None:
    async def run() -> list[float]:
        place, waits = Door(), list[float]()
        await place.again(place.visit(), LIMIT)
        await place.turn()
        waiting = asyncio.create_task(place.turn(waits.append))
        await asyncio.sleep(0)
        await place.again(place.visit(), LIMIT)
        await waiting
        return waits

    assert len(asyncio.run(run())) == 2


def test_nobody_is_served_so_often_and_no_more() -> None:
    async def run() -> tuple[int, int, int]:
        place, away = Door(), TurnedAway(limit=False)
        first, second = place.visit(), place.visit()
        while await place.again(first, away):
            pass
        await place.again(second, away)
        place.served()
        third = place.visit()
        while await place.again(third, away):
            pass
        return first.times, second.times, third.times

    assert asyncio.run(run()) == (door.TRIES, 1, door.TRIES)


def test_a_limit_is_waited_for_so_long_and_no_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "WINDOW_S", 0.2)

    async def run() -> tuple[float, bool, list[float]]:
        place = Door()
        began, first = asyncio.get_running_loop().time(), place.visit()
        while await place.again(first, LIMIT):
            pass
        took = asyncio.get_running_loop().time() - began
        # nothing is waited for any more, until something is served
        assert place.barred
        return took, await place.again(place.visit(), LIMIT), await _waits(place, 5)

    took, again, waits = asyncio.run(run())
    assert took >= 0.2
    assert not again
    assert not waits


def test_one_that_is_refused_for_itself_slows_nobody_down() -> None:
    async def run() -> tuple[int, list[float]]:
        place = Door()
        own = place.visit()
        while await place.again(own, LIMIT):
            place.served()
            place.served()
        return own.times, await _waits(place, 5)

    times, waits = asyncio.run(run())
    assert times == door.ITS_OWN
    assert not waits


def test_how_long_a_limit_asks_to_wait_holds_for_all() -> None:
    async def run() -> float:
        place = Door()
        began = asyncio.get_running_loop().time()
        await asyncio.gather(place.again(place.visit(), TurnedAway(after_s=0.2)), _later(place))
        return asyncio.get_running_loop().time() - began

    async def _later(place: Door) -> None:
        await asyncio.sleep(0)
        await place.turn()

    assert asyncio.run(run()) >= 0.2
