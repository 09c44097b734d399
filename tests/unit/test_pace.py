"""How quickly requests leave once a limit has turned one away, and how long that one is made again."""

import asyncio
from types import SimpleNamespace

import pytest

from conformance.drive.wire import pace
from conformance.drive.wire.pace import Pace, after_s
from conformance.model.events import Http, Json

WAITED: list[float] = []
"""What was waited in turns, in seconds."""


async def _sleep(seconds: float) -> None:
    WAITED.append(seconds)
    await asyncio.sleep(seconds)


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace, "asyncio", SimpleNamespace(sleep=_sleep, get_running_loop=asyncio.get_running_loop))
    monkeypatch.setattr(pace, "PAUSE_S", 0.001)
    monkeypatch.setattr(pace, "FIRST_APART_S", 0.01)
    monkeypatch.setattr(pace, "MOST_APART_S", 0.02)


@pytest.mark.parametrize(
    ("asked", "seconds"), [("7", 7.0), ("0", 0.0), ("", None), ("-1", None), ("soon", None), ("\u0667", None)]
)
def test_what_a_response_asks_to_wait(asked: str, seconds: float | None) -> None:
    assert after_s(Http(status=429, headers={"retry-after": asked})) == seconds
    assert after_s(Http(status=429)) is None
    assert after_s(None) is None


@pytest.mark.parametrize(
    ("message", "seconds"),
    [
        ("rate limit exceeded, retry in 3600 s", 3600.0),
        ("Rate limited. Try again in 2 minutes.", 120.0),
        ("Too many requests: retry after 250ms", 0.25),
        ("Too many requests, please wait 1.5 seconds", 1.5),
        ("throttled; retry after: 1 hour", 3600.0),
        ("Too many requests. Retry after 30", None),
        ("rate limit of 10 requests in 60 s", None),
        ("retry in 3 shops", None),
        ("no " * 350_000 + "retry in 3 s", None),
        (7, None),
    ],
)
def test_what_a_message_asks_to_wait(message: Json, seconds: float | None) -> None:
    assert after_s(None, {"code": -32000, "message": message}) == seconds
    assert after_s(Http(status=429, headers={"retry-after": "7"}), {"message": message}) == 7.0


async def _waits(place: Pace, number: int) -> list[float]:
    """What so many requests wait that want to leave at once, in seconds; nothing where nobody has to."""
    WAITED.clear()
    await asyncio.gather(*(place.turn() for _ in range(number)))
    return [*WAITED]


def test_requests_leave_further_apart_from_the_first_that_a_limit_turns_away() -> None:
    async def run() -> tuple[list[float], list[float], list[float]]:
        place = Pace()
        before = await _waits(place, 4)
        first, other = place.visit(), place.visit()
        place.again(first)
        # this one was made before they left further apart: it says nothing of that
        place.again(other)
        once = await _waits(place, 4)
        place.again(place.visit())
        place.again(place.visit())
        return before, once, await _waits(place, 4)

    before, once, most = asyncio.run(run())
    assert not before
    assert once[-1] - once[0] == pytest.approx(0.03, abs=0.005)
    assert most[-1] - most[0] == pytest.approx(0.06, abs=0.005)


def test_one_that_waits_its_turn_leaves_as_far_apart_as_is_known_by_then() -> None:
    async def run() -> list[float]:
        place = Pace()
        place.again(place.visit())
        await place.turn()
        WAITED.clear()
        waiting = asyncio.create_task(place.turn())
        await asyncio.sleep(0)
        place.again(place.visit())
        await waiting
        return [*WAITED]

    assert len(asyncio.run(run())) == 2


def test_a_limit_is_waited_for_so_long_and_no_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace, "WINDOW_S", 0.2)
    monkeypatch.setattr(pace, "BRIEF_S", 0.05)

    async def run() -> tuple[float, list[bool], list[float]]:
        place = Pace()
        began, first = asyncio.get_running_loop().time(), place.visit()
        while place.again(first):
            await place.turn()
        took = asyncio.get_running_loop().time() - began
        assert place.barred == "a limit on requests did not end in 0.2 s: raise it for the run"
        # nothing is waited for any more, until something is served
        again, waits = place.again(place.visit()), await _waits(place, 5)
        place.served()
        return took, [again, place.again(place.visit()), place.again(place.visit(), 0.1)], waits

    took, again, waits = asyncio.run(run())
    assert took >= 0.2
    assert again == [False, True, False], "what did not end once is waited for briefly"
    assert not waits


def test_a_limit_that_asks_for_more_is_not_waited_for() -> None:
    async def run() -> tuple[bool, str]:
        place = Pace()
        return place.again(place.visit(), 3600.0), place.barred

    assert asyncio.run(run()) == (False, "a limit on requests asks to wait for 3600 s: raise it for the run")


def test_one_that_is_refused_for_itself_slows_nobody_down() -> None:
    async def run() -> tuple[int, list[float], str]:
        place = Pace()
        own = place.visit()
        while place.again(own):
            await place.turn()
            place.served()
            place.served()
        return own.times, await _waits(place, 5), place.barred

    times, waits, barred = asyncio.run(run())
    assert times == pace.ITS_OWN
    assert not waits
    assert not barred


def test_a_limit_that_may_have_been_asked_for_is_waited_for_briefly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace, "BRIEF_S", 0.1)

    async def run() -> tuple[bool, bool, float, list[float], str]:
        place = Pace()
        at_once = place.again(place.visit(), 60.0, as_found=False)
        first, began = place.visit(), asyncio.get_running_loop().time()
        once = place.again(first, as_found=False)
        while place.again(first, as_found=False):
            await place.turn()
        took = asyncio.get_running_loop().time() - began
        return at_once, once, took, await _waits(place, 3), place.barred

    at_once, once, took, waits, barred = asyncio.run(run())
    assert not at_once, "a minute is what a quota asks for"
    assert once
    assert took >= 0.1
    assert not waits
    assert not barred


def test_how_long_a_limit_asks_to_wait_holds_for_all() -> None:
    async def run() -> list[float]:
        place = Pace()
        place.again(place.visit(), 0.2)
        return await _waits(place, 2)

    assert min(asyncio.run(run())) == pytest.approx(0.2, abs=0.05)
