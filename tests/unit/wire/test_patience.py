"""How long a call is waited for, and how calls are made to leave together."""

import asyncio
import time

import pytest

from conformance.drive import patience as waits
from conformance.drive.patience import Patience
from conformance.drive.volley import LONGEST_S, alone, ready, volley


async def waited(limit_s: float, *renewals_s: float) -> float:
    began = time.monotonic()
    sent: list[bool] = []

    async def story() -> None:
        async with Patience(limit_s, lambda: sent.append(True)) as patience:
            patience.left()
            patience.left()
            for pause in renewals_s:
                await asyncio.sleep(pause)
                patience.renew()
            await asyncio.sleep(60)

    with pytest.raises(TimeoutError):
        await story()
    assert sent == [True], "it leaves once"
    return time.monotonic() - began


def test_the_limit_ends_the_wait() -> None:
    assert 0.2 <= asyncio.run(waited(0.2)) < 10


def test_progress_begins_it_anew() -> None:
    assert 0.6 <= asyncio.run(waited(0.3, 0.15, 0.15)) < 10


def test_progress_extends_it_up_to_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waits, "LONGEST", 2)
    assert asyncio.run(waited(0.3, *[0.1] * 200)) < 15


def test_what_a_call_waits_for_those_before_it_counts_for_no_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waits, "LONGEST", 1)

    async def story() -> None:
        async with Patience(2, lambda: None) as patience:
            patience.left()
            for _ in range(5):
                await asyncio.sleep(0.5)
                patience.advance(asyncio.get_running_loop().time())

    asyncio.run(story())


def test_what_has_not_left_is_granted_the_time_that_its_server_needs_to_come_back() -> None:
    async def story() -> None:
        async with Patience(0.2, lambda: None) as patience:
            patience.grant(5)
            await asyncio.sleep(0.4)
            patience.left()
            patience.grant(5)
            await asyncio.sleep(60)

    began = time.monotonic()
    with pytest.raises(TimeoutError):
        asyncio.run(story())
    assert time.monotonic() - began < 30


def test_a_volley_leaves_when_all_are_ready() -> None:
    told: list[str] = []

    async def one(turns: int) -> None:
        for _ in range(turns):
            await asyncio.sleep(0)
        told.append("ready")
        await ready()
        told.append("left")

    async def story() -> None:
        with volley(3):
            await asyncio.gather(one(0), one(5), one(10))
        await ready()

    asyncio.run(story())
    assert told == ["ready"] * 3 + ["left"] * 3


def test_what_begins_a_connection_is_of_no_volley() -> None:
    async def story() -> None:
        with volley(2), alone():
            await ready()

    began = time.monotonic()
    asyncio.run(story())
    assert time.monotonic() - began < LONGEST_S


def test_a_volley_waits_no_longer_than_that_for_who_never_comes() -> None:
    async def story() -> None:
        with volley(3):
            await asyncio.gather(ready(), ready())

    began = time.monotonic()
    asyncio.run(story())
    assert time.monotonic() - began < 30
