"""Every tool called well and badly, for what holds of every answer; and what is offered, for that it is served."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from conformance.contract import promises as p
from conformance.contract.asked import asked_as
from conformance.contract.catalogue import Contract
from conformance.contract.making import Call, Make
from conformance.contract.promises import Place
from conformance.contract.schema import satisfied
from conformance.contract.templates import slots
from conformance.drive.bench import Bench, in_turn
from conformance.drive.errors import SkipError
from conformance.drive.promised.pages import listed
from conformance.drive.promised.refusing import values_against
from conformance.drive.promised.workshop import Entity, Ready, Workshop, asks, calls_of, having, without
from conformance.drive.sweeps.texts import WRITTEN, longest
from conformance.drive.sweeps.variants import kinds_of, within
from conformance.model.events import Json
from conformance.model.pointer import at

VALUES = 12
"""Values of one argument that are tried."""
LONG = 20_000
"""Characters of a text that a server may cut."""
NEAR = 3
"""How far from a bound a number is tried."""
ORDINARY = (7, 12_345, 1.25)
"""Numbers where a schema has no bounds."""
OVER = 2
"""How often what its caller named is written over."""
WRITINGS = 3
"""How often each tool is called well."""


def tools_of(bench: Bench, tools: Sequence[str]) -> list[str]:
    """The tools that are meant, of those that the contract says how to call."""
    known = {call.tool: None for make in bench.contract.makes.values() for call in make.calls}
    known |= {call.tool: None for call in bench.contract.examples}
    return [tool for tool in known if not tools or tool in tools]


async def every_tool_is_called(bench: Bench, tools: Sequence[str] = ()) -> None:
    """Each tool: a good call, and calls with an argument left out or against its schema."""
    wanted = tools_of(bench, tools)
    if not wanted:
        raise SkipError("contract.toml does not say how a tool is called: add a [[make]] or an [[example]]")
    await in_turn(*(_called(bench, tool) for tool in wanted))


async def _called(bench: Bench, tool: str) -> None:
    shop = Workshop(bench)
    ready = await shop.ready(tool)
    for name in list(ready.arguments):
        place = f"@/{name}"
        # with values of its own each: under a key that was used a server tells nothing else
        bad = [without(shop.again(ready), place)]
        bad += [having(shop.again(ready), place, value) for value in values_against(bench.contract, tool, place)[:1]]
        for each in bad:
            await bench.call(tool, each.arguments)
        if ready.entity is not None:
            await shop.read(ready.entity)
    await shop.call(shop.again(ready))


async def what_is_offered_is_served(bench: Bench, tools: Sequence[str] = ()) -> None:
    """Entities go through their lives: made, read, changed, read, listed, removed; and the examples are called."""
    makes = [
        make for make in bench.contract.makes.values() if {c.tool for c in make.calls} & set(tools_of(bench, tools))
    ]
    examples = [call for call in bench.contract.examples if not tools or call.tool in tools]
    if not makes and not examples:
        raise SkipError("contract.toml does not say how these tools are called: add a [[make]] or an [[example]]")
    lives = [_lived(bench, make) for make in makes for _ in range(WRITINGS)]
    await in_turn(*lives, *(_example(bench, call) for call in examples for _ in range(WRITINGS)))


async def _lived(bench: Bench, make: Make) -> None:
    shop = Workshop(bench)
    entity = await shop.make(make.entity)
    for template in calls_of(make)[1:]:
        await shop.call(await shop.filled(template, entity))
    for state in make.states:
        other = await shop.make(make.entity)
        await shop.move(other, state.name)
        if state.leave is not None:
            await shop.call(await shop.filled(state.leave, other))


async def _example(bench: Bench, call: Call) -> None:
    """An example is called, and what it was made with is read after it."""
    shop = Workshop(bench)
    ready = await shop.filled(call, None)
    exchange = await shop.call(ready)
    for slot in slots(call.arguments):
        if slot.kind == "made":
            await shop.read(Entity(shop.kind(slot.name), at(ready.arguments, slot.at), None, exchange))


async def what_is_written_is_read(bench: Bench, promise: p.Shows) -> None:
    """An entity is written by the tool and read: with ordinary values, with texts that servers spoil, at bounds."""
    await _written(bench, promise, lambda ready, _: ready)
    free = [place for place in _fields(promise) if _free(asked_as(bench.contract, promise.tool, place) or {})]
    for number, text in enumerate(WRITTEN):
        await _written(bench, promise, partial(_with_text, places=free, text=text, last=bool(number % 2)))
    for place in free:
        size = _size(asked_as(bench.contract, promise.tool, place) or {})
        await _written(bench, promise, partial(_with_long_text, place=place, size=size))
    for place in _fields(promise):
        for value in _others(bench.contract, promise.tool, place):
            await _written(bench, promise, partial(_with_value, place=place, value=value))
    make = bench.contract.makes[promise.entity]
    if make.change is not None and make.writes_over and promise.tool == make.make.tool:
        await _written_over(bench, promise, make.change)


async def _written_over(bench: Bench, promise: p.Shows, change: Call) -> None:
    """An entity is written again under the name that it has, and read before and after."""
    shop = Workshop(bench)
    entity = await shop.make(promise.entity)
    for _ in range(OVER):
        await shop.read(entity)
        await shop.call(await shop.filled(change, entity))
    await shop.read(entity)


def _with_text(ready: Ready, shop: Workshop, *, places: Sequence[Place], text: str, last: bool) -> Ready:
    """With a text beside a fresh one, as values may have to be new in each call."""
    for place in places:
        if isinstance(asks(ready, place), str):
            fresh = shop.fresh("fresh", "text")
            ready = having(ready, place, f"{fresh} {text}" if last else f"{text} {fresh}")
    return ready


def _with_long_text(ready: Ready, shop: Workshop, *, place: Place, size: int) -> Ready:
    """With a text as long as may be: a server may keep the beginning of it alone."""
    fresh = f"{shop.fresh('fresh', 'text')} "
    long = isinstance(asks(ready, place), str) and size > len(fresh)
    return having(ready, place, fresh + longest(size - len(fresh))) if long else ready


def _size(about: Mapping[str, Json]) -> int:
    """Characters of a text that is long, as far as a schema allows it."""
    most = about.get("maxLength")
    return min(most, LONG) if isinstance(most, int) and not isinstance(most, bool) else LONG


def _with_value(ready: Ready, _: Workshop, *, place: Place, value: Json) -> Ready:
    return having(ready, place, value)


async def _written(bench: Bench, promise: p.Shows, change: Callable[[Ready, Workshop], Ready]) -> None:
    """One entity is written, with arguments that are changed before, and read."""
    shop = Workshop(bench)
    make = shop.kind(promise.entity)
    entity = None if promise.tool == make.make.tool else await shop.make(promise.entity)
    exchange = await shop.call(change(await shop.ready(promise.tool, entity), shop))
    if exchange.accepted:
        written = entity or shop.made(make, exchange)
        await shop.read(written)
        await shop.list(make, written)


def _fields(promise: p.Shows) -> list[Place]:
    return [p.argued(argument) for argument in promise.fields]


def _free(about: Mapping[str, Json]) -> bool:
    """Whether an argument takes any text: its schema names no values, no pattern and no format."""
    return not {"enum", "const", "pattern", "format"} & about.keys()


def _others(contract: Contract, tool: str, place: Place) -> list[Json]:
    """Values of an argument that are no texts, or some of a few, as its schema allows them."""
    about = asked_as(contract, tool, place) or {}
    if "enum" not in about and not {"integer", "number", "boolean"} & set(kinds_of(about)):
        return []
    bounds = [bound for name in ("minimum", "maximum") if isinstance(bound := about.get(name), int | float)]
    tried = [*within(about), *bounds, *(round(bound + step) for bound in bounds for step in (-NEAR, NEAR)), *ORDINARY]
    return [value for value in {repr(each): each for each in tried}.values() if satisfied(about, value)][:VALUES]


async def an_entity_lives(bench: Bench, promise: p.Lives | p.Listed) -> None:
    """An entity is made, found, listed, removed, looked for again; those made before and after it are still there."""
    shop = Workshop(bench)
    make = shop.kind(promise.entity)
    before, entity, after = await shop.several(promise.entity, 3)
    for one in (entity, before, after):
        await shop.read(one)
    await listed(shop, entity)
    if make.remove is None:
        return
    await shop.good(await shop.filled(make.remove, entity))
    for one in (entity, before, after, entity):
        await shop.read(one)
    await listed(shop, entity)


async def nothing_is_written(bench: Bench, promise: p.Steady) -> None:
    """Reads are made twice in a row, and before and after a write that is refused."""
    shop = Workshop(bench)
    for make in bench.contract.makes.values():
        entity = await shop.make(make.entity)
        for _ in range(2):
            await shop.read(entity)
            await shop.list(make, entity)
        for template in (make.change, make.remove):
            ready = await shop.filled(template, entity) if template is not None else None
            for name in ready.arguments if ready is not None else ():
                assert ready is not None, "a call without a template"
                for value in values_against(bench.contract, ready.tool, f"@/{name}")[:1]:
                    await bench.call(ready.tool, having(ready, f"@/{name}", value).arguments)
                    await shop.read(entity)
                    await shop.list(make, entity)
    await in_turn(*(_twice(bench, tool) for tool in promise.tools))


async def _twice(bench: Bench, tool: str) -> None:
    ready = await Workshop(bench).ready(tool)
    for _ in range(2):
        await bench.call(tool, ready.arguments)
