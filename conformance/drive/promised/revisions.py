"""Changes of entities with revisions: one after another, with a stale revision, and several at once."""

from conformance.contract import promises as p
from conformance.drive.bench import Bench
from conformance.drive.errors import SkipError
from conformance.drive.promised.workshop import Entity, Ready, Workshop, having

CHANGES = 3
AT_ONCE = 4
ROUNDS = 3
FAR = 5
"""So far ahead of the current revision is one that there is not yet."""


async def an_entity_is_changed(bench: Bench, promise: p.Revised) -> None:
    """An entity is changed several times and read in between."""
    shop = Workshop(bench)
    entity = await shop.make(promise.entity)
    change = entity.make.change
    if change is None and not promise.tools:
        message = f"[[make]] of {promise.entity} has no change"
        raise SkipError(message)
    await shop.read(entity)
    for _ in range(CHANGES if change is not None and change.tool in (promise.tools or [change.tool]) else 0):
        assert change is not None, "a call without a template"
        await shop.good(await shop.filled(change, entity))
        await shop.read(entity)
    for state in entity.make.states:
        if any(call is not None and call.tool in promise.tools for call in (state.enter, state.leave)):
            await shop.move(entity, state.name)
            await shop.move(entity, state.enter.state if state.leave is not None else state.name)


async def a_stale_revision_is_expected(bench: Bench, promise: p.Guarded) -> None:
    """A change that expects a revision that was, one that expects one to come, then one with the current revision."""
    shop = Workshop(bench)
    entity = await shop.make(promise.entity)
    first = entity.revision
    if entity.make.change is not None:
        await shop.good(await shop.filled(entity.make.change, entity))
        await shop.read(entity)
    ready = await _ready(shop, promise, entity)
    stale = [] if first == entity.revision else [first]
    if isinstance(entity.revision, int) and not isinstance(entity.revision, bool):
        stale.append(entity.revision + FAR)
    if not stale:
        message = f"no other revision of a {promise.entity} is known: [[make]] has no change, or shows no revision"
        raise SkipError(message)
    for revision in stale:
        for _ in range(2):
            await shop.read(entity)
        await bench.call(promise.tool, having(shop.again(ready), promise.expected, revision).arguments)
        await shop.read(entity)
    good = await shop.call(_expecting(shop, ready, promise, entity))
    if good.accepted and promise.concurrent:
        await _at_once(bench, promise)


async def _at_once(bench: Bench, promise: p.Guarded) -> None:
    shop = Workshop(bench)
    for _ in bench.rounds(ROUNDS):
        entity = await shop.make(promise.entity)
        ready = await _ready(shop, promise, entity)
        calls = [_expecting(shop, ready, promise, entity) for _ in range(AT_ONCE)]
        await bench.together(*(bench.call(promise.tool, each.arguments) for each in calls))
        await shop.read(entity)


async def _ready(shop: Workshop, promise: p.Guarded, entity: Entity) -> Ready:
    """A good call on the entity: its change or its removal, also where what makes one has the same tool."""
    own = (call for call in (entity.make.change, entity.make.remove) if call is not None)
    template = next((call for call in own if call.tool == promise.tool), None)
    ready = await (shop.filled(template, entity) if template is not None else shop.ready(promise.tool, entity))
    return await shop.holding(ready, promise.expected)


def _expecting(shop: Workshop, ready: Ready, promise: p.Guarded, entity: Entity) -> Ready:
    """A good call that expects the current revision, also where the contract's example expects none."""
    return having(shop.again(ready), promise.expected, entity.revision)
