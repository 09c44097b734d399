"""Calls with one fault, each beside a good one: on an unknown entity, with a bad argument, without one, by a role."""

from msgspec.json import decode, encode

from conformance.contract import promises as p
from conformance.contract.asked import asked_as
from conformance.contract.catalogue import Contract
from conformance.contract.forms import unknown
from conformance.contract.promises import Place
from conformance.contract.schema import satisfied
from conformance.drive.bench import Bench
from conformance.drive.errors import SkipError
from conformance.drive.promised.workshop import Ready, Workshop, having, without
from conformance.drive.sweeps.texts import longest
from conformance.drive.sweeps.variants import beyond
from conformance.model.events import Json
from conformance.model.pointer import at

SEEN = 3
"""Entities that are made to see what ids look like."""
FEW = 2
"""What a limit is set to, to be used up."""
MANY = 60
"""Calls that a claimed limit may take to be used up."""


async def a_call_is_refused(bench: Bench, promise: p.Refused) -> None:
    """Calls with the fault, then a good one: a call with a revision is refused once another was accepted."""
    match promise.cause:
        case "role":
            await _by_role(bench, promise)
        case "condition":
            await _under(bench, promise)
        case "exhausted":
            await _exhausted(bench, promise)
        case _:
            await _with_fault(bench, promise)


async def _with_fault(bench: Bench, promise: p.Refused) -> None:
    shop = Workshop(bench)
    ready = await shop.ready(promise.tool)
    if promise.cause != "missing":
        ready = await shop.holding(ready, promise.argument)
    if promise.cause == "taken":
        await _taken(shop, ready, promise)
    for bad in await _bad(shop, ready, promise) if promise.cause != "taken" else ():
        await bench.call(promise.tool, bad.arguments)
        if ready.entity is not None:
            await shop.read(ready.entity)
    await shop.good(shop.again(ready))


async def _taken(shop: Workshop, ready: Ready, promise: p.Refused) -> None:
    """The call with what another entity was made with, which is read before and after."""
    entity = await shop.make(promise.entity)
    for _ in range(2):
        await shop.read(entity)
    bad = having(shop.again(ready), promise.argument, at(entity.call.arguments, promise.argument.removeprefix("@")))
    await shop.bench.call(promise.tool, bad.arguments)
    await shop.read(entity)


async def _bad(shop: Workshop, ready: Ready, promise: p.Refused) -> list[Ready]:
    """The good call with its one fault, in each form that there is."""
    if promise.cause == "missing":
        return [without(shop.again(ready), promise.argument)]
    values = list(promise.values)
    if promise.cause == "invalid" and not values:
        values = values_against(shop.bench.contract, promise.tool, promise.argument)
    if promise.cause == "unknown" and not values:
        values = await _unknown(shop, promise.entity)
    if not values:
        message = f"nothing is known that {promise.tool} does not take as its argument: give values in the promise"
        raise SkipError(message)
    return [having(shop.again(ready), promise.argument, value) for value in values]


async def _unknown(shop: Workshop, entity: str) -> list[Json]:
    """An id that looks like those of the server, or of its callers, and is none of them."""
    make = shop.kind(entity)
    if make.by_caller:
        named = (await shop.filled(make.make, None)).arguments
        return [at(named, make.id.removeprefix("@"))]
    known = [encode((await shop.make(entity)).id).decode() for _ in range(SEEN)]
    found = unknown(known)
    return [decode(found)] if found else []


def values_against(contract: Contract, tool: str, place: Place) -> list[Json]:
    """Values that the schema of an argument does not allow: of another type, beyond its bounds, none of its few."""
    found = asked_as(contract, tool, place)
    if found is None:
        return []
    tried = [*beyond(found), longest(20_000), {"no": "such"}, ["no such"]]
    return [value for value in tried if satisfied(found, value) is False][:4]


async def _by_role(bench: Bench, promise: p.Refused) -> None:
    """The role makes the call, then whoever may."""
    wrong = bench.credential(promise.role)
    shop = Workshop(bench)
    ready = await shop.ready(promise.tool)
    await bench.call(promise.tool, shop.again(ready).arguments, credential=wrong)
    await shop.good(shop.again(ready))


async def _under(bench: Bench, promise: p.Refused) -> None:
    """The call while the condition holds, and while it does not."""
    shop = Workshop(bench)
    there = await bench.given(**promise.under)
    here = shop if there.instance == bench.instance else Workshop(there)
    ready = await here.ready(promise.tool) if here is shop else await shop.ready(promise.tool)
    await there.call(promise.tool, shop.again(ready).arguments)
    await shop.good(shop.again(ready))


async def _exhausted(bench: Bench, promise: p.Refused) -> None:
    """As many calls as are allowed, and one more."""
    claimed = bench.setting(promise.setting)
    try:
        bench, most = await bench.fresh(**{promise.setting: FEW}), FEW
    except SkipError:
        if not isinstance(claimed, int) or isinstance(claimed, bool) or claimed > MANY:
            raise
        most = claimed
    shop = Workshop(bench)
    ready = await shop.ready(promise.tool)
    for _ in range(most + 1):
        await shop.call(shop.again(ready))
