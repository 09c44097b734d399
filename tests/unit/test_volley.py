"""Calls that leave together, and what is said of whether they did."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from conformance.drive import volley

Told = list[tuple[tuple[int, ...], tuple[int, ...]]]


def flown(number: int, call: Callable[[int], Awaitable[None]], *, of: int | None = None) -> Told:
    """What is told of a volley of so many calls."""
    told: Told = []

    async def all_of_them() -> None:
        with volley.volley(of or number, lambda calls, together: told.append((calls, together))):
            await asyncio.gather(*(asyncio.create_task(call(each)) for each in range(number)))

    asyncio.run(all_of_them())
    return told


@pytest.mark.parametrize(("arrived", "together"), [([], (0, 1, 2)), ([1], (0, 2)), ([0, 2], ()), ([0, 1, 2], ())])
def test_an_answer_that_lies_there_when_the_next_one_leaves(arrived: list[int], together: tuple[int, ...]) -> None:
    async def call(number: int) -> None:
        await volley.ready()
        volley.gone(number, lambda: number in arrived)

    assert flown(3, call) == [((0, 1, 2), together)]


def test_the_most_that_were_on_their_way_at_one_time_are_told() -> None:
    """The first two and the last three overlap; the first is answered before the third leaves."""
    there: set[int] = set()

    async def call(number: int) -> None:
        await volley.ready()
        if number == 2:
            there.update((0, 1))
        volley.gone(number, lambda: number in there)

    assert flown(5, call) == [((0, 1, 2, 3, 4), (2, 3, 4))]


def test_an_answer_that_was_read_before_the_last_one_leaves() -> None:
    async def call(number: int) -> None:
        await asyncio.sleep(0.02 * number)
        volley.gone(number, lambda: False)
        volley.answered(number)

    assert flown(3, call) == [((0, 1, 2), ())]


def test_answers_after_that() -> None:
    async def call(number: int) -> None:
        await volley.ready()
        volley.gone(number, lambda: False)
        await asyncio.sleep(0)
        volley.answered(number)

    assert flown(3, call) == [((0, 1, 2), (0, 1, 2))]


def test_one_that_never_leaves_tells_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(volley, "LONGEST_S", 0.01)

    async def call(number: int) -> None:
        await volley.ready()
        volley.gone(number, lambda: False)

    assert flown(2, call, of=3) == []


def test_a_call_that_is_sent_again_counts_once() -> None:
    async def call(number: int) -> None:
        volley.gone(number, lambda: False)
        volley.gone(number, lambda: False)

    assert flown(2, call) == [((0, 1), (0, 1))]


@pytest.mark.parametrize(("turned_away", "together"), [((), (0, 1, 2)), ((1,), (0, 2)), ((0, 1), ())])
def test_one_that_is_turned_away_and_leaves_again_was_on_its_way_with_nobody(
    turned_away: tuple[int, ...], together: tuple[int, ...]
) -> None:
    async def call(number: int) -> None:
        await volley.ready()
        volley.gone(number, lambda: False)
        if number in turned_away:
            volley.apart(number)
            volley.gone(number, lambda: False)

    assert flown(3, call) == [((0, 1, 2), together)]


def test_whoever_is_ready_last_leaves_last() -> None:
    """Nothing else gets its turn between the first that leaves and the last."""
    order: list[str] = []

    async def busy() -> None:
        for _ in range(50):
            order.append("-")
            await asyncio.sleep(0)

    async def call(number: int) -> None:
        if not number:
            await busy()
        else:
            await asyncio.sleep(0)
            await volley.ready()
            order.append(str(number))

    flown(4, call, of=3)
    assert "123" in "".join(order)


def test_without_a_volley_nobody_waits() -> None:
    async def call(_: int) -> None:
        with volley.alone():
            await volley.ready()
            volley.gone(1, lambda: True)

    assert flown(2, call) == []
