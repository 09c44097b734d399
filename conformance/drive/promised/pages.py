"""Lists: of several new entities, page by page, and with every size."""

from conformance.contract import promises as p
from conformance.contract.asked import asked_as
from conformance.contract.catalogue import Contract
from conformance.contract.paging import onward, size_of
from conformance.contract.promises import Place
from conformance.contract.schema import satisfied
from conformance.drive.bench import Bench
from conformance.drive.errors import SkipError
from conformance.drive.promised.workshop import Entity, Workshop, having
from conformance.drive.sweeps.variants import within
from conformance.model.events import Json
from conformance.model.pointer import OF_EACH, entries

ENTITIES = 5
SMALL = 2
DEEP = 7
"""Entities of which there are four pages of two."""
LARGE = 25
MOST_MADE = 55
"""Entities that are made until a list does not give all of them at once."""
MOST_PAGES = 60
AT_ONCE = 4
FILTERS = 4
"""Values that a list is filtered by."""
BEGUN = 4
"""Characters of a text that others begin with as well."""


async def _own(bench: Bench) -> Bench:
    """A store of its own where the target gives one: it holds nothing yet."""
    try:
        return await bench.fresh()
    except SkipError:
        return bench


async def pages_are_read_on(bench: Bench, promise: p.Paged) -> None:
    """Some entities are made, then the list is read on from page to page, in small pages and as it comes.

    More are made until it comes in more than one page.
    """
    bench = await _own(bench)
    shop = Workshop(bench)
    first, made = await shop.make(promise.entity), 1
    for enough in (DEEP, LARGE, MOST_MADE):
        for _ in range(enough - made):
            await shop.make(promise.entity, others=first.its)
        made = enough
        if await walked(shop, promise, first, None) > 1:
            break
    for size in (SMALL, LARGE) if promise.size else ():
        await walked(shop, promise, first, size)


async def walked(
    shop: Workshop, promise: p.Paged, entity: Entity, size: int | None, *, by: tuple[Place, Json] | None = None
) -> int:
    """Reads the list of an entity and its like to the last page, or to the last that is read; gives how many were.

    Pages without entries are not among them.

    `by`: with another argument besides.
    """
    ready = await shop.ready(promise.tool, entity)
    ready = ready if by is None else having(ready, *by)
    if size is not None and promise.size:
        ready = having(ready, promise.size, size)
    asked, shown = set[str](), 0
    for _ in range(MOST_PAGES):
        page = await shop.call(ready)
        shown += page.accepted and size_of(page.payload, entity.make) > 0
        onto = onward(ready.arguments, page.payload, promise, entity.make) if page.accepted else ()
        if not onto or repr(onto[0]) in asked:
            break
        asked.add(repr(onto[0]))
        ready = having(ready, promise.cursor, onto[0])
    return shown


async def a_list_is_filtered(bench: Bench, promise: p.Filtered) -> None:
    """Some entities are made, in each of their states and with other values, and listed by what they show in pages."""
    shop = Workshop(bench)
    makes = [make for make in bench.contract.makes.values() if make.list is not None and make.list.tool == promise.tool]
    if not makes:
        message = f"{promise.tool} is the list of no [[make]]: name it there as list = {{ tool = …, at = … }}"
        raise SkipError(message)
    made = await shop.several(makes[0].entity, ENTITIES)
    for state, entity in zip(makes[0].states, made, strict=False):
        await shop.move(entity, state.name)
    await _others_are_made(shop, made[0], promise.by)
    shown = await shop.list(makes[0], made[0])
    payload = shown.payload if shown is not None else None
    known = [each for _, each in entries(payload, promise.entries + OF_EACH + promise.by)]
    paged = (each for each in bench.contract.promises.values() if isinstance(each, p.Paged))
    pages = next((each for each in paged if each.tool == promise.tool), None)
    for wanted in _filters(known, promise, bench.contract):
        if pages is not None:
            await walked(shop, pages, made[0], SMALL, by=(promise.argument, wanted))
        else:
            await shop.call(having(await shop.ready(promise.tool, made[0]), promise.argument, wanted))


def _filters(known: list[Json], promise: p.Filtered, contract: Contract) -> list[Json]:
    """Values to filter by: what entries show, as much of a text as several may share; those that the tool names."""
    about = asked_as(contract, promise.tool, promise.argument) or {}
    shown = [each for one in known for each in (one if isinstance(one, list) else [one])]
    if promise.how == "begins":
        shown = [each[:length] for each in shown if isinstance(each, str) for length in (BEGUN, len(each))]
    named = about.get("enum")
    tried = [*(named if isinstance(named, list) else []), *shown[:1], *shown[-1:], *shown]
    return [each for each in {repr(each): each for each in tried}.values() if satisfied(about, each)][:FILTERS]


async def listed(shop: Workshop, entity: Entity) -> None:
    """Lists an entity and its like, on from page to page as far as the contract says how."""
    paged = (each for each in shop.bench.contract.promises.values() if isinstance(each, p.Paged))
    promise = next((each for each in paged if each.entity == entity.make.entity), None)
    if promise is not None:
        await walked(shop, promise, entity, None)
    else:
        await shop.list(entity.make, entity)


async def a_list_is_asked_for_more_and_less(bench: Bench, promise: p.Capped) -> None:
    """Some entities are made, then a list is asked for one, for the most, for more, and for as many as it gives."""
    bench = await _own(bench)
    shop = Workshop(bench)
    ready = await shop.ready(promise.tool, await _some_are_made(shop, promise.tool))
    most = [promise.most, promise.most + 1] if promise.most is not None else []
    sizes: list[Json] = [None, *([1, SMALL, *most, 1] if promise.size else [])]
    for size in sizes:
        await shop.call(ready if size is None else having(ready, promise.size, size))


async def a_list_is_read(bench: Bench, promise: p.Ordered) -> None:
    """Some entities are made, also with other values of what orders them, and listed."""
    shop = Workshop(bench)
    entity = await _some_are_made(shop, promise.tool)
    if entity is not None and promise.by:
        await _others_are_made(shop, entity, promise.by)
    await shop.call(await shop.ready(promise.tool, entity))


async def _others_are_made(shop: Workshop, entity: Entity, by: str) -> None:
    """Makes more like an entity with other values of what it shows there, where the call that makes them takes it."""
    place = f"@/{by.rpartition('/')[2]}"
    about = asked_as(shop.bench.contract, entity.make.make.tool, place) or {}
    for value in [each for each in within(about) if satisfied(about, each)]:
        ready = await shop.filled(entity.make.make, None, others=entity.its)
        await shop.call(having(ready, place, value))


async def _some_are_made(shop: Workshop, tool: str) -> Entity | None:
    """Entities of the kind that a tool lists, of which one is given; of each kind, where no [[make]] says what."""
    makes = shop.bench.contract.makes.values()
    mine = [make for make in makes if make.list is not None and make.list.tool == tool]
    made = [(await shop.several(make.entity, ENTITIES))[0] for make in mine or makes]
    return made[0] if mine else None


async def many_are_made(bench: Bench, promise: p.Unique | p.Rising) -> None:
    """A tool is called several times, one call after another and several at once."""
    shop = Workshop(bench)
    tool = promise.tool if isinstance(promise, p.Rising) else shop.kind(promise.entity).make.tool
    ready = await shop.ready(tool)
    for _ in range(ENTITIES):
        await shop.call(shop.again(ready))
    for _ in bench.rounds(1):
        await bench.together(*(bench.call(tool, shop.again(ready).arguments) for _ in range(AT_ONCE)))
    await shop.call(shop.again(ready))
