"""What accepted calls of a run have shown: arguments that were good, and the values that were answered."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from conformance.contracts.mcp.reach.labels import AS_NUMBER, REVISIONS, labels
from conformance.contracts.mcp.reach.slots import Path, Slot
from conformance.contracts.mcp.reach.usual import akin
from conformance.contracts.mcp.reach.words import Deed, singulars, words
from conformance.model.events import Json
from conformance.model.exchange import WRAPPED, Exchange
from conformance.model.prose import WHOLE_NUMBER
from conformance.model.texts import texts_of

LEAVES = 60
"""Values of one answer that are looked at."""
MOST = 2_000
"""Values of all answers, and arguments of all calls, that are kept: the latest."""
DEEPEST = 5
LONGEST = 300
"""Characters of a value that is taken for a name."""
EXPECTED = REVISIONS | {"match"}
"""The same as arguments call it: expected_revision, if_match."""
FRESH = "{{fresh."


class Leaf(Struct, frozen=True):
    """A value that a tool answered."""

    tool: str
    path: Path
    value: Json


class Good(Struct, frozen=True):
    """An argument of a call that was accepted: its value, or the placeholder for it."""

    tool: str
    deed: Deed | None
    name: str
    value: Json


def fields(payload: Json) -> dict[str, Json]:
    """What an answer gives by name: an object's members, a list's entries by number, what a text labels."""
    if isinstance(payload, list):
        return {str(place): each for place, each in enumerate(payload[:LEAVES])}
    found: dict[str, Json] = dict(payload) if isinstance(payload, dict) else {}
    text = payload if not isinstance(payload, dict) else found.get(WRAPPED) if len(found) == 1 else None
    for label in labels(str(text)) if isinstance(text, str | int) and not isinstance(text, bool) else ():
        found.setdefault(label.name, label.value)
    return found


def leaves(value: Json, path: Path = ()) -> Iterator[tuple[Path, Json]]:
    """The texts and numbers in a value, of each list those of the first entry."""
    level, seen = [(path, value)], 0
    while level:
        below: list[tuple[Path, Any]] = []
        for place, inner in level:
            if isinstance(inner, dict):
                below += (((*place, str(key)), each) for key, each in list(inner.items())[:LEAVES])
            elif isinstance(inner, list):
                below += (((*place, 0), each) for each in inner[:1])
            elif isinstance(inner, str | int | float) and not isinstance(inner, bool) and seen < LEAVES:
                seen += 1
                yield place, inner
        level = [each for each in below[:LEAVES] if len(each[0]) <= DEEPEST]


def answered(exchange: Exchange) -> dict[str, Json]:
    """The same of an answer: its payload, else its texts together."""
    told = exchange.payload if exchange.payload is not None else "\n".join(texts_of(exchange.result))
    return fields(told)


class Known:
    """Grows with every call that is accepted."""

    def __init__(self) -> None:
        self._leaves: list[Leaf] = []
        self._good: list[Good] = []
        self.size = 0
        """How much is known: what grew since may help a tool that refused before."""

    def take(self, tool: str, deed: Deed | None, arguments: list[tuple[Slot, Json]], given: Json) -> None:
        """Keeps what an accepted call shows; `arguments` by their slots, with placeholders."""
        self._good += [Good(tool, deed, slot.name, value) for slot, value in arguments]
        self._leaves += [
            Leaf(tool, place, value)
            for place, value in leaves(given)
            if not isinstance(value, str) or 0 < len(value) <= LONGEST
        ]
        self._good, self._leaves = self._good[-MOST:], self._leaves[-MOST:]
        self.size += 1

    def fitting(self, slot: Slot, tool: str) -> Iterator[Json]:
        """What may stand in a slot of a tool, the likeliest first: what was answered, and what was accepted."""
        wanted, about = words(slot.name), singulars(tool)
        found: list[tuple[float, int, Json]] = []
        for place, leaf in enumerate(self._leaves):
            worth = _worth(wanted, slot, leaf, about)
            if worth:
                spelt = AS_NUMBER if isinstance(leaf.value, str) and not _takes_texts(slot) else ""
                found.append((-worth, place, f"{{{{{leaf.tool}.{'.'.join(map(str, leaf.path))}{spelt}}}}}"))
        for place, good in enumerate(self._good):
            if isinstance(good.value, str) and good.tool != tool:
                alike = 1.5 if words(good.name) == wanted else float(good.deed == "make" and akin(good.name, slot.name))
                shared = len(singulars(good.tool) & about) + (good.deed == "make")
                found += [(-alike - shared, place, good.value)] if alike else []
        for _, _, value in sorted(found, key=lambda each: each[:2]):
            yield value

    def made(self, tool: str) -> Iterator[Json]:
        """New names that other tools were given for what they made, first those that make what a tool is about."""
        about = singulars(tool)
        found = [
            (-len(singulars(good.tool) & about), place, good.value)
            for place, good in enumerate(self._good)
            if good.deed == "make" and good.tool != tool and isinstance(good.value, str) and FRESH in good.value
        ]
        for _, _, value in sorted(found):
            yield value


def _worth(wanted: tuple[str, ...], slot: Slot, leaf: Leaf, about: frozenset[str]) -> float:
    """How well an answered value fits; 0 where it does not."""
    keys = [str(step) for step in leaf.path if not isinstance(step, int) and not str(step).isdecimal()]
    if not keys or not wanted or not _of_type(slot, leaf.value):
        return 0.0
    key = words(keys[-1])
    around = singulars(leaf.tool) | {word for each in keys[:-1] for word in singulars(each)}
    named = 1.0 if leaf.tool.casefold() in slot.says.casefold() else 0.0
    if key == wanted:
        return 2.0 + named + len(around & about)
    rest = singulars("_".join(wanted[:-1]))
    if key[-1:] == wanted[-1:] and (rest <= around | set(key) or (len(wanted) == 1 and around & about)):
        return 2.0 + named
    if not REVISIONS.isdisjoint(key[-1:]) and not EXPECTED.isdisjoint(wanted):
        return 1.6 + named + len(around & about)
    whole = singulars("_".join(wanted))
    return 1.5 + named if key[-1:] in (("id",), ("name",)) and whole <= around else 0.0


def _of_type(slot: Slot, value: Json) -> bool:
    kinds = _kinds(slot)
    if isinstance(value, str):
        spells_number = WHOLE_NUMBER.fullmatch(value) is not None
        return _takes_texts(slot) or (spells_number and ("number" in kinds or "integer" in kinds))
    return "number" in kinds or ("integer" in kinds and isinstance(value, int))


def _takes_texts(slot: Slot) -> bool:
    return "string" in _kinds(slot)


def _kinds(slot: Slot) -> list[Json]:
    kind = slot.schema.get("type")
    return kind if isinstance(kind, list) else [kind]
