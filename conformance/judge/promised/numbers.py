"""Promises of numbers that rise, of values that no two entities share, and of bounds."""

from collections.abc import Iterator, Mapping

from conformance.contract import promises as p
from conformance.contract.asked import asked_as, unlimited
from conformance.contract.catalogue import Contract
from conformance.contract.saying import place
from conformance.contract.schema import satisfied
from conformance.judge import order
from conformance.judge.faults import declined
from conformance.judge.judgements import breach, told
from conformance.judge.kinds import fraction, integer, spelled
from conformance.judge.promised.calls import repeated, value, values
from conformance.judge.promised.entities import entities
from conformance.judge.promised.refusing import Fault, Likes, refused
from conformance.model.events import Json
from conformance.model.history import History
from conformance.model.pointer import ABSENT, at
from conformance.model.verdict import HELD, Judgement

WIDE = 0xFFFF
"""The last character of the first plane of Unicode."""
BOUNDS: Mapping[str, p.Unit] = {
    "minLength": "characters",
    "maxLength": "characters",
    "minimum": "number",
    "maximum": "number",
    "minItems": "entries",
    "maxItems": "entries",
}
"""Keywords of JSON Schema, each with what it counts."""


def rising(history: History, contract: Contract, promise: p.Rising) -> Iterator[Judgement]:
    """A number that answers of a tool are given rises from call to call, within what is named."""
    again = repeated(history, contract)
    numbered = []
    for call in history.accepted(promise.tool):
        number = integer(value(call, promise.at))
        within = [value(call, each) for each in promise.within]
        if number is not None and call not in again and ABSENT not in within:
            scope = (call.instance, *map(spelled, within))
            numbered.append(order.Numbered(scope, number, call))
    return order.rising(numbered, place(promise.at))


def unique(history: History, contract: Contract, promise: p.Unique) -> Iterator[Judgement]:
    """No two entities share what stands at a place; two that were made apart have two ids."""
    make, seen = contract.makes[promise.entity], entities(history, contract)
    again = repeated(history, contract)
    named = []
    if promise.at == make.id:
        for call in history.accepted(make.make.tool):
            found = at(call.payload, make.make.at + make.id)
            if call not in again and found is not ABSENT:
                named.append(order.Named(call.instance, spelled(found), call.call, call))
    else:
        for name, sightings in seen.all(promise.entity):
            for one in sightings:
                found = at(one.entity, promise.at)
                if found is not ABSENT and found is not None:
                    named.append(order.Named(name.instance, spelled(found), name, one.call))
    return order.unique(named, place(promise.at))


def bounded(history: History, contract: Contract, promise: p.Bounded) -> Iterator[Judgement]:
    """An argument at its bound is accepted, one beyond it is refused.

    Where another call with the same value was accepted, one may be refused for what stands beside it.
    """
    likes = Likes(history, contract, promise.tool, (promise.argument,))
    beyond: list[Fault] = []
    # a pattern, or a format, may speak against a value that is within the bounds
    about = asked_as(contract, promise.tool, promise.argument) or {}
    other = unlimited(about)
    used = set[tuple[str, str]]()
    at_bound: dict[str, list[Judgement]] = {}
    for call in sorted(history.calls(promise.tool), key=lambda one: one.sent):
        given = values(call, promise.argument)
        sizes = [size for each in given if (size := measure(each, promise.unit)) is not None]
        if not sizes or len(sizes) < len(given) or any(satisfied(other, each) is False for each in given):
            continue
        # a key, or a name, may be refused for that it was given before
        said = [(call.instance, spelled(each)) for each in given if isinstance(each, str)]
        repeats = not used.isdisjoint(said)
        used.update(said)
        out = [size for size in sizes if _beyond(size, promise)]
        bound = next((size for size in sizes if size in (promise.least, promise.most)), None)
        counted = "" if promise.unit == "number" else f" {promise.unit}"
        what = f"with {place(promise.argument)} of {[*out, bound or 0][0]:g}{counted}"
        if out:
            beyond.append(Fault(call, what))
        elif bound is None:
            continue
        elif call.accepted:
            at_bound.setdefault(spelled(given), []).append(HELD)
        elif declined(call) and not repeats and likes.new(call) and (beside := likes.of(call)) is not None:
            saw = f"{call.tool} {what} ended as {told(call)}"
            at_bound.setdefault(spelled(given), []).append(breach(saw, call, beside=beside, expected="success"))
    for found in at_bound.values():
        yield from [each for each in found if each.ok] or found
    yield from refused(history, beyond, promise.codes, likes)


def _beyond(size: float, promise: p.Bounded) -> bool:
    return (promise.least is not None and size < promise.least) or (promise.most is not None and size > promise.most)


def measure(found: Json, unit: p.Unit) -> float | None:
    """How much a value is; None where that is open, or it is of another kind."""
    match unit, found:
        case "number", _:
            return fraction(found)
        case "entries", list():
            return len(found)
        # what is beyond the first plane counts as one or as two, by what a server is written in
        case "characters", str() if all(ord(each) <= WIDE for each in found):
            return len(found)
        case "bytes", str():
            return len(found.encode("utf-8", "surrogatepass"))
        case _:
            return None
