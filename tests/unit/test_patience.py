"""The time limit of a call: what the suite itself was late by is no lateness of the server's."""

import asyncio
import time

import pytest

from conformance.drive.lateness import Lateness
from conformance.drive.patience import LONGEST, Patience

LIMIT_S = 0.4


async def _answered(after_s: float, *, blocked_s: float = 0.0, limit_s: float = LIMIT_S) -> bool:
    """Whether an answer that comes after this time is taken, where the loop stands still for a while meanwhile."""
    loop = asyncio.get_running_loop()
    patience = Patience(limit_s, lambda: None)
    answer = loop.create_future()
    try:
        async with patience:
            patience.left()
            loop.call_later(after_s, answer.set_result, True)
            if blocked_s:
                await asyncio.sleep(0)
                time.sleep(blocked_s)  # noqa: ASYNC251 -- that the loop stands still is the point
            await answer
    except TimeoutError:
        return False
    return True


def test_an_answer_in_time_and_one_that_is_late() -> None:
    assert asyncio.run(_answered(0.01))
    assert not asyncio.run(_answered(30.0))


def test_an_answer_that_was_there_while_the_loop_stood_still_is_in_time() -> None:
    assert asyncio.run(_answered(0.2, blocked_s=1.0))


def test_what_did_not_count_is_told_where_the_limit_was_passed() -> None:
    async def late(blocked_s: float) -> int:
        patience = Patience(LIMIT_S, lambda: None)
        async with patience:
            patience.left()
            await asyncio.sleep(0)
            time.sleep(blocked_s)  # noqa: ASYNC251 -- that the loop stands still is the point
            return patience.late_ms

    assert asyncio.run(late(0.0)) == 0
    assert asyncio.run(late(1.0)) > 400


def test_the_time_of_a_request_that_is_sent_again_begins_anew() -> None:
    async def run(pause_s: float) -> int:
        patience = Patience(LIMIT_S, lambda: None)
        async with patience:
            patience.left()
            for _ in range(3):
                patience.put_off(pause_s)
                await asyncio.sleep(pause_s)
            return patience.late_ms

    # more than a limit each time, and more in all than progress could extend it by
    assert asyncio.run(run(LONGEST * LIMIT_S)) >= 3 * LONGEST * LIMIT_S * 1000


def test_one_that_did_not_come_is_not_waited_for_for_ever() -> None:
    began = time.monotonic()
    assert not asyncio.run(_answered(60.0, blocked_s=0.6))
    assert time.monotonic() - began < 30


def test_what_is_lost_counts_while_somebody_waits_and_once() -> None:
    async def lost() -> tuple[float, float, float]:
        lateness = Lateness.here()
        time.sleep(0.3)  # noqa: ASYNC251 -- nobody waits
        before = lateness.lost_s
        lateness.wait()
        await asyncio.sleep(0)
        time.sleep(0.5)  # noqa: ASYNC251
        during = lateness.lost_s
        await asyncio.sleep(0.01)
        lateness.leave()
        return before, during, lateness.lost_s

    before, during, after = asyncio.run(lost())
    assert before == 0
    assert 0.3 < during <= after < during + 0.3


def test_a_loop_that_is_never_in_time_does_not_make_a_call_endless(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Lateness, "lost_s", property(lambda _: time.monotonic()))
    began = time.monotonic()
    assert not asyncio.run(_answered(60.0, limit_s=0.1))
    assert time.monotonic() - began < 30 * LONGEST * 0.1
