"""The gate: so many calls at once, places for those that are to overlap, and one stimulus alone."""

import asyncio
from collections.abc import Awaitable

from conformance.drive.gate import Gate


def finished(what: Awaitable[object]) -> None:
    async def bounded() -> None:
        async with asyncio.timeout(10):
            await what

    asyncio.run(bounded())


class Calls:
    """Calls through a gate, and how many were in flight at once."""

    def __init__(self, width: int) -> None:
        self.gate = Gate(width)
        self.log: list[str] = []
        self.now = self.most = 0

    async def one(self, stimulus: str, takes_s: float = 0.001) -> None:
        async with self.gate.one(stimulus):
            self.now += 1
            self.most = max(self.most, self.now)
            self.log.append(stimulus)
            await asyncio.sleep(takes_s)
            self.now -= 1


def test_no_more_than_its_width() -> None:
    calls = Calls(3)
    finished(_many(calls))
    assert (len(calls.log), calls.most) == (20, 3)


async def _many(calls: Calls) -> None:
    await asyncio.gather(*(calls.one("a") for _ in range(20)))


def test_places_that_are_reserved_are_free_together() -> None:
    calls = Calls(4)

    async def overlap(stimulus: str) -> None:
        async with calls.gate.several(6, stimulus):
            await asyncio.gather(*(calls.one(stimulus) for _ in range(6)))

    async def both() -> None:
        await asyncio.gather(overlap("a"), overlap("b"), *(calls.one("c") for _ in range(9)))

    finished(both())
    assert (len(calls.log), calls.most) == (21, 6)


def test_who_has_it_alone_waits_for_the_others_and_they_for_it() -> None:
    calls = Calls(4)

    async def alone(stimulus: str) -> None:
        await calls.gate.own(stimulus)
        calls.log.append(f"{stimulus} begins")
        for _ in range(3):
            await calls.one(stimulus)
        calls.log.append(f"{stimulus} ends")
        await calls.gate.disown(stimulus)

    async def busy() -> None:
        for _ in range(10):
            await calls.one("others", 0.002)

    async def all_of_them() -> None:
        first = [asyncio.create_task(busy()) for _ in range(8)]
        await asyncio.sleep(0.005)
        await asyncio.gather(alone("a"), alone("b"), *first)

    finished(all_of_them())
    for name in "ab":
        begin, end = calls.log.index(f"{name} begins"), calls.log.index(f"{name} ends")
        assert set(calls.log[begin + 1 : end]) == {name}
    assert calls.log.count("others") == 80


def test_what_is_reserved_is_over_before_another_has_it_alone() -> None:
    calls = Calls(2)

    async def overlap() -> None:
        async with calls.gate.several(2, "a"):
            await asyncio.sleep(0.01)
            await asyncio.gather(calls.one("a"), calls.one("a"))

    async def alone() -> None:
        await asyncio.sleep(0.002)
        await calls.gate.own("b")
        await calls.one("b")
        await calls.gate.disown("b")

    async def both() -> None:
        await asyncio.gather(overlap(), alone(), calls.one("c"))

    finished(both())
    assert calls.log.index("b") > max(place for place, name in enumerate(calls.log) if name == "a")


def test_one_that_is_cut_while_it_waits_holds_nobody_up() -> None:
    calls = Calls(2)

    async def cut() -> None:
        slow = asyncio.create_task(calls.one("a", 0.05))
        await asyncio.sleep(0.001)
        waiting = asyncio.create_task(calls.gate.own("b"))
        await asyncio.sleep(0.001)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        await calls.one("c")
        await slow

    finished(cut())
    assert calls.log == ["a", "c"]


def test_places_that_were_reserved_in_part_are_let_go_of_for_who_has_it_alone() -> None:
    calls = Calls(4)

    async def overlap(stimulus: str) -> None:
        async with calls.gate.several(4, stimulus):
            await asyncio.gather(*(calls.one(stimulus) for _ in range(4)))

    async def alone() -> None:
        await asyncio.sleep(0.01)
        await calls.gate.own("alone")
        await overlap("alone")
        await calls.gate.disown("alone")

    async def all_of_them() -> None:
        others = [asyncio.create_task(calls.one("other", 0.05)) for _ in range(2)]
        await asyncio.sleep(0.001)
        await asyncio.gather(overlap("many"), alone(), *others)

    finished(all_of_them())
    assert calls.log == ["other"] * 2 + ["alone"] * 4 + ["many"] * 4


def test_who_is_to_be_first_passes_those_who_came_earlier() -> None:
    calls = Calls(1)
    calls.gate.first.add("urgent")

    async def all_of_them() -> None:
        await asyncio.gather(*(calls.one(name) for name in ("a", "b", "c", "urgent", "d")))

    finished(all_of_them())
    assert calls.log == ["a", "urgent", "b", "c", "d"]


def test_a_call_that_is_given_up_while_it_waits_keeps_no_place() -> None:
    calls = Calls(1)

    async def one_is_given_up(*, at_last: bool) -> None:
        async with calls.gate.one("a"):
            waits = asyncio.create_task(calls.one("b"))
            await asyncio.sleep(0)
            if not at_last:
                waits.cancel()
        # its turn has come by now, and it does not know yet
        waits.cancel()
        await asyncio.wait([waits])
        assert waits.cancelled()
        await calls.one("c")

    finished(one_is_given_up(at_last=False))
    finished(one_is_given_up(at_last=True))
    assert calls.log == ["c", "c"]


def test_nothing_begins_while_another_has_it_alone() -> None:
    calls = Calls(1)

    async def begins(stimulus: str) -> None:
        async with calls.gate.start(stimulus):
            calls.log.append(f"{stimulus} starts")
            await asyncio.sleep(0.005)
            calls.log.append(f"{stimulus} started")

    async def alone() -> None:
        await asyncio.sleep(0.001)
        await calls.gate.own("b")
        await begins("b")
        await calls.one("b", 0.005)
        await calls.gate.disown("b")

    async def late() -> None:
        await asyncio.sleep(0.002)
        await begins("c")

    async def all_of_them() -> None:
        await asyncio.gather(begins("a"), alone(), late())

    finished(all_of_them())
    assert calls.log == ["a starts", "a started", "b starts", "b started", "b", "c starts", "c started"]


def test_what_is_waited_for_may_begin() -> None:
    """One that waits to have it alone waits for places that another holds, and that one needs a server first."""
    calls = Calls(2)

    async def overlap() -> None:
        async with calls.gate.several(2, "a"):
            await asyncio.sleep(0.002)
            async with calls.gate.start("a"):
                calls.log.append("a starts")

    async def alone() -> None:
        await asyncio.sleep(0.001)
        await calls.gate.own("b")
        calls.log.append("b")
        await calls.gate.disown("b")

    async def both() -> None:
        await asyncio.gather(overlap(), alone())

    finished(both())
    assert calls.log == ["a starts", "b"]


def test_a_start_that_is_cut_holds_nobody_up() -> None:
    calls = Calls(1)

    async def begins() -> None:
        async with calls.gate.start("a"):
            await asyncio.sleep(5)

    async def cut() -> None:
        slow = asyncio.create_task(begins())
        await asyncio.sleep(0.001)
        slow.cancel()
        await asyncio.gather(slow, return_exceptions=True)
        await calls.gate.own("b")
        await calls.one("b")

    finished(cut())
    assert calls.log == ["b"]
