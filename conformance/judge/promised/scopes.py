"""What a list of entities is about: all of their kind, or those that were made in another entity."""

from collections.abc import Iterable

from conformance.contract.making import Make
from conformance.contract.naming import within
from conformance.contract.templates import filled, slots
from conformance.contract.wording import an
from conformance.judge.judgements import breach
from conformance.judge.kinds import spelled
from conformance.judge.promised.entities import Entities
from conformance.judge.promised.sightings import Name, listed
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.pointer import ABSENT, at
from conformance.model.verdict import Judgement


class Scope:
    """Which entities a call lists, beside the call that its [[make]] writes."""

    def __init__(self, make: Make, call: Exchange, asked: Json) -> None:
        """`asked`: as much of the call's arguments as says which entities are listed."""
        written = make.list.arguments if make.list is not None else {}
        others = {slot.kind for slot in slots(written)} - {"claims", "its"}
        self._make, self._call = make, call
        self._its = {slot.name: at(asked or {}, slot.at) for slot in slots(written) if slot.kind == "its"}
        claims = call.credential.claims
        known = make.list is not None and not others and ABSENT not in self._its.values()
        said = filled(written, lambda kind, name: self._its.get(name) if kind == "its" else claims.get(name))
        self.whole = known and spelled(asked or {}) == spelled(said)
        """Whether nothing is filtered out of them."""

    def holds(self, name: Name, made: Exchange, seen: Entities) -> bool:
        """Whether what a call made is surely one of them: what was made in an entity is listed with that one alone.

        A change may have brought it into another one.
        """
        return self._within(made) and not (self._its and seen.altered(name, self._call, once=True))

    def _within(self, made: Exchange) -> bool:
        others = within(self._make, made.arguments)
        return all(spelled(others.get(kind)) == spelled(value) for kind, value in self._its.items())

    def stray(self, pages: Iterable[Exchange], seen: Entities) -> Judgement | None:
        """The breach where a list shows what was made in another entity than the one that it was asked for."""
        for one in (each for page in pages if self.whole and self._its for each in listed(page, self._make)):
            made = seen.made.get(one.name)
            others = within(self._make, made.arguments) if made is not None else {}
            if made is None or self._within(made) or not self._its.keys() <= others.keys():
                continue
            if not seen.altered(one.name, one.call, once=True):
                kind = next(iter(self._its))
                saw = f"{one.call.tool} shows {an(self._make.entity)} that was made in another {kind}"
                return breach(saw, made, one.call, pointer=one.pointer, got=one.entity)
        return None


def nameless(call: Exchange, make: Make) -> bool:
    """Whether a list has entries of which nobody knows which entities they are."""
    found = at(call.payload, make.list.at) if make.list is not None and call.accepted else ABSENT
    return isinstance(found, list | dict) and sum(1 for _ in listed(call, make)) < len(found)
