"""How calls of a tool with a limit of its own are made further apart, and when that ends."""

import asyncio
from types import SimpleNamespace

import pytest

from conformance.contracts.mcp import spacing
from conformance.contracts.mcp.spacing import Spacing
from conformance.model.exchange import Exchange
from tests.laws.mcp.reader import answered

WAITED: list[float] = []
"""What was waited, in seconds."""
LIMIT = "Error: Rate limit exceeded"


class Clock:
    """Goes on by what is waited."""

    now = 0.0

    def time(self) -> float:
        """Seconds."""
        return Clock.now


async def _sleep(seconds: float) -> None:
    WAITED.append(round(seconds, 1))
    Clock.now += seconds


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    WAITED.clear()
    Clock.now = 0.0
    monkeypatch.setattr(spacing, "asyncio", SimpleNamespace(sleep=_sleep, get_running_loop=Clock))


def answer(text: str, *, failed: bool = True) -> Exchange:
    """A tool's answer of one text."""
    told = answered({"content": [{"type": "text", "text": text}], "isError": failed})
    return next(iter(told.history().calls("read")))


def tried(place: Spacing, *answers: Exchange) -> list[bool]:
    """Whether each is to be made again, as answers to one call after the other."""

    async def run() -> list[bool]:
        return [place.again(each, await place.turn()) for each in answers]

    return asyncio.run(run())


def test_a_call_is_made_again_further_apart_up_to_an_end() -> None:
    place = Spacing()
    assert tried(place, *[answer(LIMIT)] * 7) == [True] * 6 + [False]
    assert WAITED == [0.1, 0.2, 0.4, 0.8, 1.6, 2.0]
    # it is refused for good: nothing is waited for until one is served
    assert tried(place, answer(LIMIT)) == [False]
    assert tried(place, answer("here", failed=False), answer(LIMIT)) == [False, True]


def test_calls_that_are_refused_at_once_use_up_no_time() -> None:
    place = Spacing()
    assert all(place.again(answer(LIMIT), 0.0) for _ in range(20))
    assert tried(place, answer(LIMIT), answer("here", failed=False), answer(LIMIT)) == [True, False, True]
    assert WAITED == [0.1, 0.2, 0.2], "they were all made before any was refused"


@pytest.mark.parametrize(
    ("text", "again"),
    [
        (LIMIT, True),
        ("Too many requests, retry in 1 s", True),
        ("Too many requests, retry in 60 s", False),
        ("no such note", False),
        ("", False),
    ],
)
def test_what_tells_of_a_limit(text: str, again: bool) -> None:
    assert tried(Spacing(), answer(text)) == [again]


def test_an_accepted_call_that_tells_of_limits_is_none_that_was_refused() -> None:
    assert tried(Spacing(), answer(LIMIT, failed=False)) == [False]
