"""What stands where in an answer, by all promises on that at once: an answer that keeps them all is only counted."""

from collections.abc import Sequence

from conformance.contract import promises as p
from conformance.contract.references import subschemas
from conformance.contract.schema import compiled
from conformance.judge.promised.calls import whole
from conformance.judge.promised.envelope import CONDITION, due
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.pointer import ABSENT, EACH, at, entries, steps


class Together:
    """Promises on the same answers, as one schema of the whole answer."""

    def __init__(self, promises: Sequence[p.Answer]) -> None:
        self._schema: dict[str, Json] = {"allOf": [_around(promise) for promise in promises]}
        self._places = tuple(dict.fromkeys(promise.at for promise in promises if EACH not in steps(promise.at)))
        self._promises = [(promise, promise.only_of_objects) for promise in promises]

    def subjects(self, call: Exchange) -> list[int] | None:
        """How many subjects each of them has in an answer that keeps them all; None where they are to be asked."""
        answered = whole(call)
        if call.received is None or answered is ABSENT or not self._kept(answered):
            return None
        standing = {place: at(answered, place) for place in self._places}
        found = list[int]()
        for promise, of_objects in self._promises:
            if promise.at in standing:
                shown = standing[promise.at]
                if shown is ABSENT and due(answered, promise.at, promise.where):
                    return None
                found.append(shown is not ABSENT and (not of_objects or isinstance(shown, dict)))
            else:
                listed = (each for _, each in entries(answered, promise.at))
                found.append(sum(not of_objects or isinstance(each, dict) for each in listed))
        return found

    def _kept(self, answered: Json) -> bool:
        try:
            return compiled(self._schema).is_valid(answered)
        except (ValueError, RecursionError):  # each by itself may be told, or says why it cannot be
            return False


def joins(promise: p.Answer) -> bool:
    """Whether a promise can be a part of one schema with others.

    One that refers to a place of its own schema cannot, nor one that the fast validator cannot tell by itself. What is
    a subject of one with a condition takes a look at the answer.
    """
    if promise.schema.keys() == CONDITION or any(name.isdecimal() for name in steps(promise.at)):
        return False
    if any(key.startswith("$") for part in subschemas(promise.schema) for key in part):
        return False
    try:
        return compiled(promise.schema).sure
    except ValueError:  # a schema that is of no use says so itself
        return False


def _around(promise: p.Answer) -> Json:
    """The schema of a whole answer that has the promise's at its place."""
    schema: Json = promise.schema
    for name in reversed(steps(promise.at)):
        each: Json = {"items": schema, "additionalProperties": schema}
        schema = each if name == EACH else {"properties": {name: schema}}
    return schema
