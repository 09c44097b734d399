"""An argument at its bounds and beyond them."""

from collections.abc import Iterator, Sequence
from copy import deepcopy
from math import inf

from conformance.contract import promises as p
from conformance.contract.asked import argument_places, asked_as, unlimited
from conformance.contract.catalogue import Contract
from conformance.contract.promises import Place
from conformance.contract.schema import satisfied
from conformance.drive.bench import Bench, in_turn, stuck
from conformance.drive.errors import SkipError
from conformance.drive.promised.calling import tools_of
from conformance.drive.promised.refusing import values_against
from conformance.drive.promised.workshop import Ready, Workshop, asks, having, without
from conformance.drive.sweeps.texts import longest
from conformance.drive.sweeps.variants import DEEPEST, LONG, kinds_of, within
from conformance.model.arguments import properties, required
from conformance.model.events import Json
from conformance.model.pointer import OF_EACH, pointer_of

Values = tuple[tuple[Place, Json], ...]
"""Values of arguments, each with its place."""

COUNTED = ("number", "entries")
"""Units of what is no text."""
OTHERS = 8
"""Calls with other values beside an argument at its bound."""
WIDE = "\u00e9"
"""A letter of two bytes."""
MANY = 2_000
"""Entries of the longest list that is made."""


async def bounds_are_tried(bench: Bench, promise: p.Bounded) -> None:
    """Calls with an argument beyond its bounds, then at them, then an ordinary one.

    One at its bound that is refused is tried with other values beside it: no time ends before it begins.
    """
    shop = Workshop(bench)
    about = unlimited(asked_as(bench.contract, promise.tool, promise.argument) or {})
    sizes = _sizes(promise)
    known = [size for size in sizes if promise.unit in COUNTED or _text(int(size), about, shop) is not None]
    if sizes and not known:
        wanted = " and ".join(f"the {key} {about[key]}" for key in ("pattern", "format") if key in about)
        message = f"no text is known that has such a length and fits {wanted or 'the schema'} of {promise.argument}"
        raise SkipError(message)
    wide = [text for text in _wide(promise, shop) if satisfied(about, text) is not False]
    settled = await _settled(shop, promise, about)
    for size, text in (*((size, None) for size in known), *((0, text) for text in wide)):
        ready = _with(await shop.holding(await shop.ready(promise.tool), promise.argument), settled)
        value = text or _value(size, promise, asks(ready, promise.argument), about, shop)
        tried = await bench.call(promise.tool, having(ready, promise.argument, value).arguments)
        if tried.refused and size in (promise.least, promise.most):
            await _accepted(shop, ready, _among_others(shop, ready, promise.argument, value))
        # the same entity, with what it was called with but for that: what shows that this was all that was wrong
        beside = await shop.call(shop.again(ready))
        # what was accepted may have used up what the second would need
        if ready.entity is None and not tried.accepted and not beside.accepted:
            raise stuck(beside, f"success of {promise.tool}")


async def _settled(shop: Workshop, promise: p.Bounded, about: dict[str, Json]) -> Values:
    """What makes a good call one with an ordinary number: at a bound of its own nothing could be compared with it."""
    bounds = [bound for bound in (promise.least, promise.most) if bound is not None]
    ready = await shop.holding(await shop.ready(promise.tool), promise.argument)
    given = asks(ready, promise.argument)
    if promise.unit != "number" or isinstance(given, bool) or given not in bounds:
        return ()
    low = promise.least if promise.least is not None else -inf
    high = promise.most if promise.most is not None else inf
    near = [int(bound + step) for bound in bounds for step in (1, -1)]
    for number in (each for each in near if low < each < high and satisfied(about, each)):
        alone: Values = ((promise.argument, number),)
        found = await _accepted(shop, ready, [alone, *_among_others(shop, ready, promise.argument, number)])
        if found:
            return found
    return ()


async def _accepted(shop: Workshop, ready: Ready, ways: Sequence[Values]) -> Values:
    """The first of these values with which a call is accepted; none: it is with none of them."""
    for values in ways:
        if (await shop.bench.call(ready.tool, _with(shop.again(ready), values).arguments)).accepted:
            return values
    return ()


def _among_others(shop: Workshop, ready: Ready, place: Place, value: Json) -> list[Values]:
    """A value, and beside it another number than the call has."""
    return [((place, value), other) for other in _beside(shop.bench.contract, ready, place)[:OTHERS]]


def _with(ready: Ready, values: Values) -> Ready:
    for place, value in values:
        ready = having(ready, place, value)
    return ready


def _beside(contract: Contract, ready: Ready, place: Place) -> list[tuple[Place, Json]]:
    """The numbers that stand beside an argument, each at a bound of its own."""
    above = place.rpartition("/")[0]
    known = argument_places(contract.tools[ready.tool].inputSchema)
    numbers = [
        (each, within(about))
        for each, about in known
        if each != place and each.rpartition("/")[0] == above and {"integer", "number"} & {*kinds_of(about)}
    ]
    return [(each, value) for each, values in numbers for value in values if value != asks(ready, each)]


async def schemas_are_tried(bench: Bench, promise: p.Enforced) -> None:
    """Each argument of each tool: left out, against its schema, then at its bounds; each beside a good call.

    Of lists and objects also what is in them: a key left out, and values against their schema.
    """
    tools = tools_of(bench, promise.tools)
    if not tools:
        raise SkipError("contract.toml says of none of these tools how it is called: add a [[make]] or an [[example]]")
    await in_turn(*(_schema_is_tried(bench, tool) for tool in tools))


async def _schema_is_tried(bench: Bench, tool: str) -> None:
    shop = Workshop(bench)
    schema = bench.contract.tools[tool].inputSchema
    for name in properties(schema):
        place = f"@{pointer_of([name])}"
        ready = await shop.ready(tool)
        inner = _inside(bench.contract, tool, place, asks(ready, place), DEEPEST)
        for where, needed in ((place, name in required(schema)), *inner):
            bad = [without(shop.again(ready), where)] if needed else []
            bad += [having(shop.again(ready), where, value) for value in values_against(bench.contract, tool, where)]
            for each in bad:
                await bench.call(tool, each.arguments)
        await shop.call(shop.again(ready))
        for value in _at_bounds(asked_as(bench.contract, tool, place) or {}, shop):
            ready = await shop.ready(tool)
            tried = await bench.call(tool, having(ready, place, value).arguments)
            if tried.refused:
                await _accepted(shop, ready, _among_others(shop, ready, place, value))
            # the same entity, with what it was called with but for that
            await shop.call(shop.again(ready))


def _inside(contract: Contract, tool: str, place: Place, given: Json, depth: int) -> Iterator[tuple[Place, bool]]:
    """The places within a value, of a list in its last entry; with whether something has to stand there."""
    if depth and isinstance(given, list) and given:
        yield f"{place}{OF_EACH}", False
        yield from _inside(contract, tool, f"{place}{OF_EACH}", given[-1], depth - 1)
    elif depth and isinstance(given, dict):
        about = asked_as(contract, tool, place)
        for name in properties(about):
            where = f"{place}{pointer_of([name])}"
            yield where, name in required(about) and name in given
            yield from _inside(contract, tool, where, given.get(name), depth - 1)


def _at_bounds(about: dict[str, Json], shop: Workshop) -> list[Json]:
    """Values at the bounds of an argument, as far as its schema takes them."""
    found: list[Json] = [about[name] for name in ("minimum", "maximum") if isinstance(about.get(name), int | float)]
    sizes = [size for name in ("minLength", "maxLength") if isinstance(size := about.get(name), int) and size <= LONG]
    found += [text for size in sizes if (text := _text(size, unlimited(about), shop)) is not None]
    return [value for value in found if satisfied(about, value)]


def _sizes(promise: p.Bounded) -> list[float]:
    found: list[float] = []
    for bound, step in ((promise.least, -1), (promise.most, 1)):
        if bound is not None:
            found += [bound + step, bound]
    known = [size for size in found if promise.unit == "number" or size >= 0]
    return [size for size in known if promise.unit == "number" or size <= (MANY if promise.unit == "entries" else LONG)]


def _value(size: float, promise: p.Bounded, given: Json, about: dict[str, Json], shop: Workshop) -> Json:
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
            return _text(int(size), about, shop)


def _wide(promise: p.Bounded, shop: Workshop) -> Iterator[str]:
    """Texts of letters with two bytes: they tell who counts characters from who counts bytes."""
    most = int(promise.most) if promise.most is not None and promise.most <= LONG else 0
    own = str(shop.fresh("word"))[: most // 4]
    rest = most - len(own)
    if most and promise.unit == "characters":
        yield own + WIDE * rest
    elif most and promise.unit == "bytes":
        yield own + WIDE * (rest // 2 + 1)
        yield own + WIDE * (rest // 2) + "x" * (rest % 2)


def _text(size: int, about: dict[str, Json], shop: Workshop) -> str | None:
    """A text of just so many characters that an argument takes but for its size; None where none is known."""
    return next((text for text in _texts(size, shop) if satisfied(about, text) is not False), None)


def _texts(size: int, shop: Workshop) -> Iterator[str]:
    """Texts of just so many characters, each of its own: one may be refused that was given before."""
    yield _wordy(size, shop)
    for kind in ("word", "number"):
        own = str(shop.fresh(kind))
        yield (own * (size // len(own) + 1))[:size]
    word = str(shop.fresh("word")).upper()
    yield (word * (size // len(word) + 1))[:size]


def _wordy(size: int, shop: Workshop) -> str:
    """Ordinary words."""
    own = str(shop.fresh("fresh", "text")).rpartition("-")[2]
    return (longest(size - len(own)) if size > len(own) else "") + own[:size]


def _entry(one: Json, number: int) -> Json:
    """An entry like another, told from it where it is a text or a number."""
    match one:
        case str():
            return f"{one}-{number}"
        case int() if not isinstance(one, bool):
            return one + number
        case _:
            return deepcopy(one)
