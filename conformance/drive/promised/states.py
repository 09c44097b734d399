"""Entities that are brought into a state and out of it, with calls that this state bars."""

from conformance.contract import promises as p
from conformance.drive.bench import Bench
from conformance.drive.promised.workshop import Entity, Workshop


async def a_state_bars_a_call(bench: Bench, promise: p.Barred) -> None:
    """The call on an entity where it is barred, then on the same one where it is not, or on another."""
    shop = Workshop(bench)
    if promise.outside:
        entity = await shop.make(promise.entity)
        subject = await shop.subject(promise.tool, entity)
        await _called(shop, entity, promise, subject)
        await shop.move(entity, promise.state)
        await _called(shop, entity, promise, subject)
        return
    other, entity = [await shop.make(promise.entity) for _ in range(2)]
    # what the call is about besides may not be made in that state
    subject = await shop.subject(promise.tool, entity)
    await _called(shop, other, promise, await shop.subject(promise.tool, other))
    await shop.move(entity, promise.state)
    await _called(shop, entity, promise, subject)
    state = next(each for each in entity.make.states if each.name == promise.state)
    if state.leave is not None:
        await shop.move(entity, state.enter.state)
        await _called(shop, entity, promise, subject)


async def _called(shop: Workshop, entity: Entity, promise: p.Barred, subject: Entity | None) -> None:
    """With the current revision, read before and after."""
    await shop.read(entity)
    await shop.call(await shop.about(promise.tool, entity, subject))
    await shop.read(entity)
