"""Which calls name an entity of a kind: by its id, or as what another entity is made with."""

import json
from collections.abc import Iterator
from typing import NamedTuple

from conformance.contract.making import Call, Make
from conformance.contract.rows import Contract
from conformance.contract.templates import place_of, slots
from conformance.model.events import Json
from conformance.model.pointer import ABSENT, ASKED, at


def id_made(make: Make, arguments: Json, payload: Json) -> Json:
    """The id of what a call made: the one that its answer shows, or that its caller gave; ABSENT: none."""
    if make.by_caller:
        return at(arguments, make.id.removeprefix(ASKED)) if isinstance(arguments, dict) else ABSENT
    return at(payload, make.make.at + make.id)


def id_shown(make: Make, entity: Json) -> Json:
    """The id that an entity shows; ABSENT: none."""
    if not make.by_caller:
        return at(entity, make.id)
    return at(entity, make.shown) if make.shown and isinstance(entity, dict) else ABSENT


def id_listed(make: Make, entry: Json) -> Json:
    """The id of an entry of a list: what callers name may be listed by its name alone."""
    return entry if make.by_caller and isinstance(entry, str | int) else id_shown(make, entry)


def within(make: Make, arguments: Json) -> dict[str, Json]:
    """By kind, the ids of the entities that one was made in, by the arguments of the call that made it."""
    places = ((slot.name, slot.at) for slot in slots(make.make.arguments) if slot.kind == "made")
    found = ((kind, at(arguments, place)) for kind, place in places if isinstance(arguments, dict))
    return {kind: value for kind, value in found if value is not ABSENT}


def scope(make: Make, tool: str, arguments: Json) -> str | None:
    """What an entity that its caller names was made in, in JSON, by the arguments of a call about it: a key of a store.

    Empty where the name alone tells it from others, as far as the calls of [[make]] say; None: the call does not tell.
    """
    if not make.by_caller:
        return ""
    parents = _parents(make.make)
    others = [_parents(call) for call in make.calls if call is not make.make]
    kinds = sorted(kind for kind in parents if all(kind in each for each in others))
    if not kinds:
        return ""
    for call in make.calls:
        if call.tool == tool and isinstance(arguments, dict):
            places = _parents(call)
            found = {kind: at(arguments, places[kind]) for kind in kinds}
            return None if ABSENT in found.values() else json.dumps(found)
    return None


def _parents(call: Call) -> dict[str, str]:
    """By kind, where a call names the entity that another one is made in."""
    return {slot.name: slot.at for slot in slots(call.arguments) if slot.kind in ("made", "its")}


class Naming(NamedTuple):
    """How a tool is called about an entity, and where in its arguments the entity is named."""

    call: Call
    place: str
    make: Make | None
    """Of the entity that the call is about by its own id; None: it has none, as an example."""


def naming(contract: Contract, tool: str, kind: str) -> Iterator[Naming]:
    """The ways in which the contract says that a tool is called with the id of an entity of a kind."""
    written = [(call, make) for make in contract.makes.values() for call in make.calls]
    for call, make in (*written, *((call, None) for call in contract.examples)):
        if call.tool != tool:
            continue
        place = place_of(call, "id") if make is not None and make.entity == kind else ""
        others = (s.at for s in slots(call.arguments) if s.kind in ("made", "its") and s.name == kind)
        place = place or next(others, "")
        if place:
            yield Naming(call, place, make)
