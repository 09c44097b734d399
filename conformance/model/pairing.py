"""Two servers that were told the same: the names that each made for one thing, matched pairwise."""

from collections.abc import Collection, Iterator
from typing import NamedTuple, TypeGuard

from conformance.model.events import Json
from conformance.model.pointer import pointer_of

ABSENT = "(absent)"
"""What stands for a value that one of two answers lacks."""
MOST = 50
"""Differences between two answers that are told."""
DEEPEST = 200
"""Levels that are compared one by one; what is further down is compared as it is."""


class Apart(NamedTuple):
    """A place at which two answers differ, as a JSON Pointer."""

    pointer: str
    ours: Json
    """What the server under test has there."""
    theirs: Json
    """What the model has."""


def _is_name(value: Json) -> TypeGuard[str | int]:
    return isinstance(value, str | int) and not isinstance(value, bool)


class Pairing:
    """Which name of the one server stands for which of the other: the first at a place stands for the first there."""

    def __init__(self, made: Collection[str], volatile: Collection[str]) -> None:
        self._made = frozenset(made)
        """Keys whose values a server makes."""
        self._volatile = frozenset(volatile)
        """Keys whose values differ from one time to the next."""
        self._theirs: dict[str | int, str | int] = {}
        self._ours: dict[str | int, str | int] = {}

    def learn(self, ours: Json, theirs: Json, key: str = "", levels: int = DEEPEST) -> None:
        """Takes the names that two answers to the same call made."""
        if isinstance(ours, dict) and isinstance(theirs, dict) and levels:
            for name in ours.keys() & theirs.keys():
                self.learn(ours[name], theirs[name], name, levels - 1)
        elif isinstance(ours, list) and isinstance(theirs, list) and levels:
            for one, other in zip(ours, theirs, strict=False):
                self.learn(one, other, key, levels - 1)
        elif key in self._made and _is_name(ours) and _is_name(theirs) and ours != theirs:
            self._pair(ours, theirs)

    def _pair(self, ours: str | int, theirs: str | int) -> None:
        """Keeps two names for one thing; one that stands for another already is a difference, and told as such."""
        if type(ours) is type(theirs) and ours not in self._theirs and theirs not in self._ours:
            self._theirs[ours], self._ours[theirs] = theirs, ours

    def to_model(self, value: Json, key: str = "", levels: int = DEEPEST) -> Json:
        """A value with the model's names in the place of the server's; a number is a name under the keys alone."""
        if isinstance(value, str) or (_is_name(value) and key in self._made):
            return self._theirs.get(value, value)
        if isinstance(value, list) and levels:
            return [self.to_model(each, key, levels - 1) for each in value]
        if isinstance(value, dict) and levels:
            return {name: self.to_model(each, name, levels - 1) for name, each in value.items()}
        return value

    def apart(self, ours: Json, theirs: Json) -> list[Apart]:
        """Where two answers differ but for names. What the server shows beyond what the model does is no difference."""
        found: list[Apart] = []
        for each in self._apart(ours, theirs, "", "", DEEPEST):
            found.append(each)
            if len(found) == MOST:
                break
        return found

    def _apart(self, ours: Json, theirs: Json, key: str, pointer: str, levels: int) -> Iterator[Apart]:
        if isinstance(ours, dict) and isinstance(theirs, dict) and levels:
            for name, value in theirs.items():
                if name not in self._volatile:
                    place = pointer + pointer_of([name])
                    # what is null and what is absent is one
                    yield from self._apart(
                        ours.get(name, ABSENT if value is not None else None), value, name, place, levels - 1
                    )
        elif isinstance(ours, list) and isinstance(theirs, list) and levels:
            for number, (one, other) in enumerate(zip(ours, theirs, strict=False)):
                yield from self._apart(one, other, key, f"{pointer}/{number}", levels - 1)
            if len(ours) != len(theirs):
                yield Apart(pointer, f"{len(ours)} items", f"{len(theirs)} items")
        elif not self._same(ours, theirs, key):
            yield Apart(pointer, ours, theirs)

    def _same(self, ours: Json, theirs: Json, key: str) -> bool:
        if isinstance(ours, bool) or isinstance(theirs, bool):
            return ours is theirs
        return bool(self.to_model(ours, key) == theirs)
