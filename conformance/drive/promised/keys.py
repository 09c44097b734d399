"""Writes under keys: made again, one after another and at once, and made with something else."""

from conformance.contract import promises as p
from conformance.contract.asked import asked_as
from conformance.contract.promises import Place
from conformance.contract.templates import FRESH, slots
from conformance.drive.bench import Bench
from conformance.drive.errors import SkipError
from conformance.drive.promised.pages import walked
from conformance.drive.promised.workshop import Ready, Workshop, asks, having
from conformance.model.pointer import ABSENT

AT_ONCE = 4
ROUNDS = 3
LATER = 4
"""Writes between a write and its last repeat."""


async def a_write_is_repeated(bench: Bench, promise: p.Replayed) -> None:
    """A write is made again at once, over another connection, after others, and by several calls at once."""
    shop = Workshop(bench)
    ready = keyed(shop, await shop.ready(promise.tool), promise.key)
    first = await shop.good(ready)
    make = next((each for each in bench.contract.makes.values() if each.make.tool == promise.tool), None)
    entity = shop.made(make, first) if make is not None else ready.entity
    if entity is not None:
        for _ in range(2):
            await shop.read(entity)
    await bench.call(promise.tool, ready.arguments)
    if entity is not None:
        await shop.read(entity)
    lane = await bench.lane()
    await lane.call(promise.tool, ready.arguments)
    for _ in range(LATER):
        await shop.call(keyed(shop, await shop.ready(promise.tool), promise.key))
    if make is not None and make.change is not None and entity is not None:
        # the answer is the first one, whatever became of what was made
        await shop.call(await shop.filled(make.change, entity))
    await bench.call(promise.tool, ready.arguments)
    if make is not None:
        await listed(shop, make.entity)
    if promise.concurrent:
        await _at_once(shop, promise)


async def _at_once(shop: Workshop, promise: p.Replayed) -> None:
    bench = shop.bench
    for _ in bench.rounds(ROUNDS):
        ready = keyed(shop, await shop.ready(promise.tool), promise.key)
        await bench.together(*(bench.call(promise.tool, ready.arguments) for _ in range(AT_ONCE)))


async def listed(shop: Workshop, entity: str) -> None:
    """Lists a kind of entity, on from page to page as far as the contract says how."""
    make = shop.kind(entity)
    paged = (each for each in shop.bench.contract.promises.values() if isinstance(each, p.Paged))
    promise = next((each for each in paged if each.entity == entity), None)
    if promise is not None:
        await walked(shop, promise, None)
    else:
        await shop.list(make)


async def a_key_is_used_for_something_else(bench: Bench, promise: p.Conflicting) -> None:
    """A write, then other arguments under its key, then those under a key of their own."""
    shop = Workshop(bench)
    ready = keyed(shop, await shop.ready(promise.tool), promise.key)
    first = await shop.good(ready)
    make = next((each for each in bench.contract.makes.values() if each.make.tool == promise.tool), None)
    entity = shop.made(make, first) if make is not None else ready.entity
    for _ in range(2 if entity is not None else 0):
        assert entity is not None, "none was made"
        await shop.read(entity)
    other = otherwise(shop, ready, promise.key)
    await bench.call(promise.tool, having(other, promise.key, asks(ready, promise.key)).arguments)
    if entity is not None:
        await shop.read(entity)
    await shop.good(keyed(shop, other, promise.key))
    if make is not None:
        await listed(shop, make.entity)


def keyed(shop: Workshop, ready: Ready, key: Place) -> Ready:
    """A call under a fresh key, also where the contract's example of it has none."""
    if any(f"@{slot.at}" == key and slot.kind in FRESH for slot in slots(ready.template.arguments)):
        # what the template makes fresh has the form that the contract wants
        fresh = shop.again(ready)
        return having(ready, key, asks(fresh, key))
    return having(ready, key, shop.fresh(_kind(shop, ready.tool, key), "key"))


def _kind(shop: Workshop, tool: str, key: Place) -> str:
    """What a key is by the tool's schema: a UUID, a number or a text."""
    schema = asked_as(shop.bench.contract, tool, key) or {}
    return "uuid" if schema.get("format") == "uuid" else "number" if schema.get("type") == "integer" else "fresh"


def otherwise(shop: Workshop, ready: Ready, key: Place) -> Ready:
    """The call with another content: fresh values, else another text; SkipError where it has nothing to change."""
    again = shop.again(ready)
    left = [slot for slot in slots(ready.template.arguments) if slot.kind in FRESH and f"@{slot.at}" != key]
    if left:
        return again
    texts = [name for name, value in again.arguments.items() if isinstance(value, str) and f"@/{name}" != key]
    named = {slot.at for slot in slots(ready.template.arguments)}
    free = next((name for name in texts if f"/{name}" not in named), None)
    if free is None or asks(again, f"@/{free}") is ABSENT:
        message = f"{ready.tool} has no argument with {{{{fresh.NAME}}}} in contract.toml that could say something else"
        raise SkipError(message)
    return having(again, f"@/{free}", f"{again.arguments[free]} otherwise")
