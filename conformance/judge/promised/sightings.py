"""Entities as the calls of a run name them and as answers show them."""

import json
from collections.abc import Iterator
from typing import NamedTuple

from conformance.contract.making import Call, Make
from conformance.contract.naming import id_listed, id_shown, scope
from conformance.contract.templates import place_of
from conformance.judge.kinds import spelled
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.pointer import ABSENT, OF_EACH, at, entries, steps


class Name(NamedTuple):
    """What tells an entity from every other."""

    instance: str
    kind: str
    id: str
    """In JSON: 1 is not "1"."""
    within: str = ""
    """What it was made in, in JSON; empty where its id alone tells it from others of its kind."""

    @property
    def value(self) -> Json:
        """The id itself."""
        found: Json = json.loads(self.id)
        return found


class Sighting(NamedTuple):
    """An entity as an answer shows it."""

    name: Name
    entity: Json
    call: Exchange
    pointer: str
    """Where in the payload it stands."""
    listed: bool
    """Whether it is one of a list: then it may be cut short."""

    def revision(self, make: Make) -> Json:
        """Its revision; ABSENT where none is shown."""
        return at(self.entity, make.revision) if make.revision else ABSENT


def asked(call: Exchange, template: Call, kind: str = "id") -> Json:
    """What a call has where its template has the entity's id, or its revision; ABSENT: nothing."""
    place = place_of(template, kind)
    return at(call.arguments, place) if place and isinstance(call.arguments, dict) else ABSENT


def shows_none(read: Exchange, make: Make) -> bool:
    """Whether a read is answered, and nothing stands where the entity would: an empty list, null."""
    if make.read is None or not make.read.at or not read.accepted:
        return False
    found = at(read.payload, make.read.at)
    return found is ABSENT or found is None


def name_of(call: Exchange, make: Make, value: Json) -> Name | None:
    """An entity by its id; None where that is none, or the call does not tell which of that name."""
    within = scope(make, call.tool or "", call.arguments)
    if within is None or not isinstance(value, str | int) or value == "":
        return None
    return Name(call.instance, make.entity, spelled(value), within)


def listed(call: Exchange, make: Make) -> Iterator[Sighting]:
    """The entities that a list shows."""
    if make.list is None or not call.accepted:
        return
    mapped = isinstance(at(call.payload, make.list.at), dict)
    for pointer, entity in entries(call.payload, make.list.at + OF_EACH):
        found = id_listed(make, entity)
        # a map may show the names that callers gave as its keys alone
        found = steps(pointer)[-1] if found is ABSENT and mapped and make.by_caller else found
        name = name_of(call, make, found)
        if name is not None:
            yield Sighting(name, entity, call, pointer, listed=True)


def shown_by(call: Exchange, make: Make, template: Call, name: Name | None = None) -> Sighting | None:
    """The entity that the answer to a call shows: the one that it asks for, where the answer does not name it."""
    if not call.accepted:
        return None
    entity = at(call.payload, template.at)
    if not isinstance(entity, dict) and not (make.by_caller and template is make.read and entity is not ABSENT):
        return None
    given = name_of(call, make, id_shown(make, entity))
    if name is not None and given not in (None, name):
        return None
    # the answer to a write may be no more than a word: it shows what its caller named by the name, or by a revision
    nameless = make.by_caller and template is not make.read and given is None
    if nameless and (not make.revision or at(entity, make.revision) is ABSENT):
        return None
    whose = given or name
    return Sighting(whose, entity, call, template.at, listed=False) if whose is not None else None
