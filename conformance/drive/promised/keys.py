"""Writes under keys: made again, one after another and at once, and made with something else."""

from conformance.contract import promises as p
from conformance.contract.asked import asked_as
from conformance.contract.promises import Place
from conformance.contract.schema import satisfied
from conformance.contract.templates import FRESH, slots
from conformance.drive.bench import Bench
from conformance.drive.errors import SkipError
from conformance.drive.promised.pages import listed
from conformance.drive.promised.workshop import Ready, Workshop, asks, having
from conformance.drive.sweeps.variants import kinds_of, within
from conformance.model.arguments import properties

AT_ONCE = 4
ROUNDS = 3
MORE = 6
"""Arguments that may be left out and are tried besides."""
LATER = 4
"""Writes between a write and its last repeat."""


async def a_write_is_repeated(bench: Bench, promise: p.Replayed) -> None:
    """A write is made again at once, over another connection, after others, and by several calls at once."""
    shop = Workshop(bench)
    ready = await anew(shop, promise)
    first = await shop.good(ready)
    make = next((each for each in bench.contract.makes.values() if each.make.tool == promise.tool), None)
    entity = shop.made(make, first) if make is not None else ready.entity
    if entity is not None:
        for _ in range(2):
            await shop.look(entity)
    await bench.call(promise.tool, ready.arguments)
    if entity is not None:
        await shop.look(entity)
    lane = await bench.lane()
    await lane.call(promise.tool, ready.arguments)
    for _ in range(LATER):
        await shop.call(await anew(shop, promise))
    if make is not None and make.change is not None and entity is not None:
        # the answer is the first one, whatever became of what was made
        await shop.call(await shop.filled(make.change, entity))
    await bench.call(promise.tool, ready.arguments)
    if entity is not None:
        await listed(shop, entity)
    if promise.concurrent:
        await _at_once(shop, promise)


async def _at_once(shop: Workshop, promise: p.Replayed) -> None:
    bench = shop.bench
    for _ in bench.rounds(ROUNDS):
        ready = await anew(shop, promise)
        await bench.together(*(bench.call(promise.tool, ready.arguments) for _ in range(AT_ONCE)))


async def a_key_is_used_for_something_else(bench: Bench, promise: p.Conflicting) -> None:
    """A write, then other arguments under its key, then those under a key of their own."""
    shop = Workshop(bench)
    ready = await anew(shop, promise)
    first = await shop.good(ready)
    make = next((each for each in bench.contract.makes.values() if each.make.tool == promise.tool), None)
    entity = shop.made(make, first) if make is not None else ready.entity
    for _ in range(2 if entity is not None else 0):
        assert entity is not None, "none was made"
        await shop.look(entity)
    other = otherwise(shop, ready, promise.key)
    await bench.call(promise.tool, having(other, promise.key, asks(ready, promise.key)).arguments)
    if entity is not None:
        await shop.look(entity)
    # it may be refused where the one before was written all the same: what is listed shows that
    await shop.call(keyed(shop, other, promise.key))
    for one in _in_one_place(shop, ready, promise.key):
        await bench.call(promise.tool, one.arguments)
    await _with_one_more(shop, promise)
    if entity is not None:
        await listed(shop, entity)


def _in_one_place(shop: Workshop, ready: Ready, key: Place) -> list[Ready]:
    """The call under its key with one of its values another: a server may look at some of them alone."""
    again = shop.again(ready)
    places = [f"@{s.at}" for s in slots(ready.template.arguments) if s.kind in FRESH and f"@{s.at}" != key]
    found = [having(ready, place, asks(again, place)) for place in places] if len(places) > 1 else []
    for name, value in ready.template.arguments.items():
        about = asked_as(shop.bench.contract, ready.tool, f"@/{name}") or {}
        other = next((each for each in within(about) if each != value and satisfied(about, each)), None)
        if not any(slots(value)) and other is not None:
            found.append(having(ready, f"@/{name}", other))
    return found


async def _with_one_more(shop: Workshop, promise: p.Conflicting) -> None:
    """Calls with an argument that may be left out: with one value, with another under the same key, under a new key."""
    contract = shop.bench.contract
    tool = contract.tools.get(promise.tool)
    ready = await shop.ready(promise.tool)
    more = [name for name in properties(tool.inputSchema if tool else {}) if name not in ready.arguments]
    for name in [each for each in more if f"@/{each}" != promise.key][:MORE]:
        place, about = f"@/{name}", asked_as(contract, promise.tool, f"@/{name}") or {}
        fresh = [shop.fresh("fresh", name) for _ in range(2)] if "string" in kinds_of(about) else []
        values = [each for each in (*fresh, *within(about)) if satisfied(about, each) and each != about.get("default")]
        if len(values) > 1:
            first = having(await anew(shop, promise), place, values[0])
            if (await shop.call(first)).accepted:
                other = having(first, place, values[1])
                await shop.bench.call(promise.tool, other.arguments)
                await shop.call(having(await anew(shop, promise), place, values[1]))


async def anew(shop: Workshop, promise: p.Replayed | p.Conflicting) -> Ready:
    """The write under a fresh key, with fresh values."""
    return keyed(shop, await shop.holding(await shop.ready(promise.tool), promise.key), promise.key)


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
    named = {slot.at for slot in slots(ready.template.arguments)}
    for name, value in again.arguments.items():
        about = asked_as(shop.bench.contract, ready.tool, f"@/{name}") or {}
        if f"@/{name}" == key or f"/{name}" in named:
            continue
        tried = [f"{value} otherwise"] if isinstance(value, str) else []
        other = next((each for each in (*tried, *within(about)) if each != value and satisfied(about, each)), None)
        if other is not None:
            return having(again, f"@/{name}", other)
    message = f"{ready.tool} has no argument with {{{{fresh.NAME}}}} in contract.toml that could say something else"
    raise SkipError(message)
