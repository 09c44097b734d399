"""An argument at its bounds and beyond them."""

from copy import deepcopy

from conformance.contract import promises as p
from conformance.drive.bench import Bench
from conformance.drive.errors import SkipError
from conformance.drive.promised.workshop import Workshop, asks, having
from conformance.drive.sweeps.texts import longest
from conformance.drive.sweeps.variants import LONG
from conformance.model.events import Json

MANY = 2_000
"""Entries of the longest list that is made."""


async def bounds_are_tried(bench: Bench, promise: p.Bounded) -> None:
    """Calls with an argument beyond its bounds, then at them, then an ordinary one."""
    shop = Workshop(bench)
    for size in _sizes(promise):
        ready = await shop.ready(promise.tool)
        value = _value(size, promise, asks(ready, promise.argument))
        await bench.call(promise.tool, having(ready, promise.argument, value).arguments)
        # the same entity, with what it was called with but for that: what shows that this was all that was wrong
        await shop.good(shop.again(ready)) if ready.entity is None else await shop.call(shop.again(ready))


def _sizes(promise: p.Bounded) -> list[float]:
    found: list[float] = []
    for bound, step in ((promise.least, -1), (promise.most, 1)):
        if bound is not None:
            found += [bound + step, bound]
    known = [size for size in found if promise.unit == "number" or size >= 0]
    return [size for size in known if promise.unit == "number" or size <= (MANY if promise.unit == "entries" else LONG)]


def _value(size: float, promise: p.Bounded, given: Json) -> Json:
    """A value of a size."""
    match promise.unit:
        case "number":
            return int(size) if float(size).is_integer() else size
        case "entries":
            if not isinstance(given, list) or not given:
                message = f"the list {promise.argument} has no entry in contract.toml that could be repeated"
                raise SkipError(message)
            return [_entry(given[0], number) for number in range(int(size))]
        case _:
            return longest(int(size)) if size else ""


def _entry(one: Json, number: int) -> Json:
    """An entry like another, told from it where it is a text or a number."""
    match one:
        case str():
            return f"{one}-{number}"
        case int() if not isinstance(one, bool):
            return one + number
        case _:
            return deepcopy(one)
