"""How calls of a tool with a limit of its own are made further apart, and when that ends."""

import asyncio
from types import SimpleNamespace

import pytest

from conformance.contracts.mcp.spacing import Spacing
from conformance.drive.wire import pace
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
    WAITED.append(round(seconds, 3))
    Clock.now += seconds


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    WAITED.clear()
    Clock.now = 0.0
    monkeypatch.setattr(pace, "asyncio", SimpleNamespace(sleep=_sleep, get_running_loop=Clock))


def answer(text: str, *, failed: bool = True) -> Exchange:
    """A tool's answer of one text."""
    told = answered({"content": [{"type": "text", "text": text}], "isError": failed})
    return next(iter(told.history().calls("read")))


def called(place: Spacing, *answers: Exchange) -> int:
    """How often one call is made that gets these answers, the last again and again."""
    made = 0

    async def make() -> Exchange:
        nonlocal made
        made += 1
        return answers[min(made, len(answers)) - 1]

    asyncio.run(place.call(make))
    return made


def test_a_call_is_made_again_further_apart_up_to_an_end() -> None:
    place, refused, served = Spacing(), answer(LIMIT), answer("here", failed=False)
    assert called(place, refused) > 5
    assert sorted(WAITED) == WAITED
    assert 2 < sum(WAITED) < 5
    # it is refused for good: nothing is waited for until one is served
    WAITED.clear()
    assert called(place, refused) == called(place, served) == 1
    assert not WAITED
    assert called(place, refused, refused, served) == 3
    # those after it leave as far apart
    assert called(place, served) == 1
    assert WAITED[-1] > 0


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
    assert (called(Spacing(), answer(text)) > 1) is again


def test_an_accepted_call_that_tells_of_limits_is_none_that_was_refused() -> None:
    assert called(Spacing(), answer(LIMIT, failed=False)) == 1
