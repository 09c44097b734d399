"""What a bench still has to look at is looked at however its stimulus ends."""

import asyncio
import contextlib
import inspect
from collections.abc import Callable
from typing import Any, cast

import pytest

from conformance.contracts.tuitbot.bench import apart
from conformance.drive.bench import Bench, in_turn
from conformance.drive.errors import SkipError, StuckError, UnsupportedError
from conformance.drive.runner import driven
from conformance.drive.stimulus import StimulusPlan


class Noting:
    """A bench that notes when it is over."""

    ended = 0

    async def over(self) -> None:
        self.ended += 1


def plan(error: BaseException | None) -> StimulusPlan:
    async def run(_: Any) -> str:
        if error is not None:
            raise error
        return "said"

    return StimulusPlan(name="tests.ends", contract="mcp", exercises=(), run=run)


def test_a_stimulus_that_ends_gives_what_it_says() -> None:
    bench = Noting()
    assert asyncio.run(driven(plan(None), cast("Bench", bench))) == "said"
    assert bench.ended == 1


@pytest.mark.parametrize("error", [SkipError("skipped"), StuckError("stuck"), UnsupportedError("unsupported")])
def test_a_stimulus_that_cannot_go_on_is_looked_at_as_well(error: Exception) -> None:
    bench = Noting()
    with pytest.raises(type(error)):
        asyncio.run(driven(plan(error), cast("Bench", bench)))
    assert bench.ended == 1


def test_one_that_is_cancelled_by_nobody_is_an_error_of_the_suite() -> None:
    with pytest.raises(RuntimeError, match="nobody had asked"):
        asyncio.run(driven(plan(asyncio.CancelledError()), cast("Bench", Noting())))


def test_one_that_is_cancelled_ends() -> None:
    async def cancelled() -> None:
        waits = StimulusPlan(name="tests.ends", contract="mcp", exercises=(), run=lambda _: asyncio.sleep(60))
        task = asyncio.create_task(driven(waits, cast("Bench", Noting())))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())


@pytest.mark.parametrize("each_in_turn", [in_turn, apart])
def test_parts_that_never_began_are_closed_where_a_run_is_cut(each_in_turn: Callable[..., Any]) -> None:
    async def cut() -> str:
        began = asyncio.Event()

        async def first() -> None:
            began.set()
            await asyncio.sleep(60)

        second = asyncio.sleep(60)
        task = asyncio.create_task(each_in_turn(first(), second))
        await began.wait()
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
        return inspect.getcoroutinestate(second)

    assert asyncio.run(cut()) == inspect.CORO_CLOSED
