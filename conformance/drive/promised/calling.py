"""Every tool called well and badly, for what holds of every answer; and what is offered, for that it is served."""

from collections.abc import Sequence

from conformance.contract import promises as p
from conformance.contract.promises import Make
from conformance.drive.bench import Bench, in_turn
from conformance.drive.errors import SkipError
from conformance.drive.promised.refusing import values_against
from conformance.drive.promised.workshop import Workshop, calls_of, having, without
from conformance.drive.sweeps.texts import WRITTEN

WRITINGS = 3
"""How often each tool is called well."""


def tools_of(bench: Bench, tools: Sequence[str]) -> list[str]:
    """The tools that are meant, of those that the contract says how to call."""
    known = {call.tool: None for make in bench.contract.makes.values() for call in calls_of(make)}
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
        bad = [without(ready, place)]
        bad += [having(ready, place, value) for value in values_against(bench.contract, tool, place)[:1]]
        for each in bad:
            await bench.call(tool, each.arguments)
        if ready.entity is not None:
            await shop.read(ready.entity)
    await shop.call(shop.again(ready))


async def what_is_offered_is_served(bench: Bench, tools: Sequence[str] = ()) -> None:
    """Entities go through their lives: made, read, changed, read, listed, removed; and the examples are called."""
    makes = [
        make for make in bench.contract.makes.values() if {c.tool for c in calls_of(make)} & set(tools_of(bench, tools))
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


async def _example(bench: Bench, call: p.Call) -> None:
    shop = Workshop(bench)
    await shop.call(await shop.filled(call, None))


async def what_is_written_is_read(bench: Bench, promise: p.Shows) -> None:
    """An entity is written by the tool and read, with ordinary values and with texts that servers spoil."""
    shop = Workshop(bench)
    make = shop.kind(promise.entity)
    for text in ("", *WRITTEN):
        entity = None if promise.tool == make.make.tool else await shop.make(promise.entity)
        ready = await shop.ready(promise.tool, entity)
        for argument in promise.fields if text else ():
            if isinstance(ready.arguments.get(argument), str) and _free(bench, promise.tool, argument):
                # fresh in each call, as values may have to be
                ready = having(ready, f"@/{argument}", f"{text} {shop.fresh('fresh', 'text')}")
        exchange = await shop.call(ready)
        if not exchange.accepted:
            continue
        entity = entity or shop.made(make, exchange)
        await shop.read(entity)
        await shop.list(make)


def _free(bench: Bench, tool: str, argument: str) -> bool:
    """Whether an argument takes any text: its schema names no values, no pattern and no format."""
    schema = bench.contract.tools[tool].inputSchema if tool in bench.contract.tools else {}
    about = schema.get("properties", {}).get(argument, {})
    return isinstance(about, dict) and not {"enum", "const", "pattern", "format"} & about.keys()


async def an_entity_lives(bench: Bench, promise: p.Lives) -> None:
    """An entity is made, found, listed, removed, looked for again; another one is still there."""
    shop = Workshop(bench)
    make = shop.kind(promise.entity)
    other = await shop.make(promise.entity)
    entity = await shop.make(promise.entity)
    for one in (entity, other):
        await shop.read(one)
    await shop.list(make)
    if make.remove is None:
        return
    await shop.good(await shop.filled(make.remove, entity))
    for one in (entity, other, entity):
        await shop.read(one)
    await shop.list(make)


async def nothing_is_written(bench: Bench, promise: p.Steady) -> None:
    """Reads are made twice in a row, and before and after a write that is refused."""
    shop = Workshop(bench)
    for make in bench.contract.makes.values():
        entity = await shop.make(make.entity)
        for _ in range(2):
            await shop.read(entity)
            await shop.list(make)
        for template in (make.change, make.remove):
            ready = await shop.filled(template, entity) if template is not None else None
            for name in ready.arguments if ready is not None else ():
                assert ready is not None, "a call without a template"
                for value in values_against(bench.contract, ready.tool, f"@/{name}")[:1]:
                    await bench.call(ready.tool, having(ready, f"@/{name}", value).arguments)
                    await shop.read(entity)
                    await shop.list(make)
    await in_turn(*(_twice(bench, tool) for tool in promise.tools))


async def _twice(bench: Bench, tool: str) -> None:
    ready = await Workshop(bench).ready(tool)
    for _ in range(2):
        await bench.call(tool, ready.arguments)
