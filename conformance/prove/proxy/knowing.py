"""What a breakage remembers of the entities that passed by."""

import msgspec

from conformance.contract.making import Call, Make
from conformance.contract.naming import id_made
from conformance.contract.templates import place_of
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.pointer import ABSENT, at


def spelled(value: Json) -> str:
    """A value as text: equal values have the same, whatever the order of their keys."""
    return msgspec.json.encode(value, order="sorted").decode()


def named(call: Exchange, template: Call | None) -> str:
    """The id that a call of a template asks about; empty where it is no such call."""
    if template is None or call.tool != template.tool:
        return ""
    place = place_of(template, "id")
    found = at(call.arguments, place) if place and isinstance(call.arguments, dict) else ABSENT
    return "" if found is ABSENT or found is None else spelled(found)


class Known:
    """The entities of one kind, as answers showed them last."""

    def __init__(self, make: Make) -> None:
        self._make = make
        self.shown: dict[str, Json] = {}
        self.made: set[str] = set()
        self.removed: set[str] = set()

    def revision(self, name: str) -> Json:
        """The revision that was shown last; ABSENT where none was."""
        return at(self.shown.get(name), self._make.revision) if self._make.revision else ABSENT

    def _name(self, call: Exchange, template: Call, entity: Json) -> str:
        """The id of the entity that an answer is about; empty where it tells none."""
        make = self._make
        if not make.by_caller:
            found = at(entity, make.id)
        elif template is make.make:
            found = id_made(make, call.arguments, call.payload)
        else:
            return named(call, template)
        return "" if found is ABSENT else spelled(found)

    def see(self, call: Exchange) -> None:
        """Takes what an answer shows."""
        if not call.accepted:
            return
        make = self._make
        for template in (make.make, make.read, make.change, *make.moves):
            if template is not None and template.tool == call.tool:
                entity = at(call.payload, template.at)
                name = self._name(call, template, entity)
                if not name:
                    continue
                # the answer to a write may be no more than a word
                if not make.by_caller or template is make.read or at(entity, make.revision or "/") is not ABSENT:
                    self.shown[name] = entity
                if template is make.make:
                    self.made.add(name)
                    self.removed.discard(name)
        if gone := named(call, make.remove):
            self.removed.add(gone)
