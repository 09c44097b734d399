"""Chooses among many vectors those that show one thing each."""

from collections import Counter

import msgspec
from msgspec import Struct

from conformance.model.events import Json

A_KIND = 2
"""Vectors that break the same keyword at the same place by values of the same kind."""
A_PLACE = 6
"""Vectors that break the same keyword at the same place."""
VALID = 3
"""One in so many is valid."""
ASTRAL = 13
"""One in so many is valid and has a character beyond the basic plane, in one argument after the other."""
LATER = 3
"""Turns after which those come that differ from the base in several arguments, but for the first."""
FOUR_OCTETS = 0xF0
"""From here on an octet of UTF-8 begins a character beyond the basic plane."""


class Vector(Struct, frozen=True):
    """Arguments for a tool."""

    value: dict[str, Json]
    valid: bool
    keyword: str = ""
    """The one keyword that they break; empty where they are valid."""
    pointer: str = ""
    """JSON Pointer to that keyword in the schema, references followed."""
    origin: str = "own"


class Way(Struct, frozen=True):
    """How a vector breaks its keyword."""

    missing: tuple[str, ...] = ()
    """Members that are required and left out: each is a place of its own."""
    kind: str = ""
    """Of the value that breaks it."""
    within: str = ""
    """JSON Pointer to what alone keeps it from one of several branches: what nearly fits has a place of its own."""


class Chosen:
    """So many of them: one a keyword and place first, then more of the same, valid ones a third.

    Each place is broken by a value of the kind that was chosen least so far: who takes no null for a number may take a
    fraction for an integer. Valid ones come in turns by the argument in which they differ from the base, so that every
    argument gets its share; a few with a character beyond the basic plane come before them.
    """

    def __init__(self, base: Vector, limit: int) -> None:
        self.found: list[Vector] = []
        self._base = base
        self._limit = limit
        self._places: dict[tuple[str, str, tuple[str, ...], str], list[tuple[str, Vector]]] = {}
        self._turns: Counter[tuple[str, ...]] = Counter()
        self._several = False
        self._valid: list[tuple[int, int, Vector]] = []
        self._most = max(1, limit // ASTRAL)
        self._astral: set[tuple[str, ...]] = set()
        """Arguments that were given a character beyond the basic plane."""

    def add(self, vector: Vector, way: Way) -> None:
        """Takes the next one."""
        self.found.append(vector)
        if not vector.valid:
            place = self._places.setdefault((vector.keyword, vector.pointer, way.missing, way.within), [])
            if sum(kind == way.kind for kind, _ in place) < A_KIND:
                place.append((way.kind, vector))
        elif vector.value != self._base.value:
            changed = self._changed(vector)
            several = len(changed) > 1
            turn = self._turns[changed] + (LATER if several and self._several else 0)
            self._turns[changed] += 1
            self._several = self._several or several
            if not several and changed not in self._astral and len(self._astral) < self._most and _astral(vector):
                self._astral.add(changed)
                turn = -1
            self._valid.append((turn, len(self.found), vector))

    def _changed(self, vector: Vector) -> tuple[str, ...]:
        base, value = self._base.value, vector.value
        return tuple(name for name in {**base, **value} if base.get(name, ...) != value.get(name, ...))

    @property
    def settled(self) -> bool:
        """Whether no further one could be chosen any more."""
        return len(self._places) >= self._limit and len(self._turns) >= self._limit // VALID

    def best(self) -> list[Vector]:
        """The base, then the others."""
        limit = self._limit
        valid = [vector for _, _, vector in sorted(self._valid, key=lambda each: each[:2])]
        invalid = self._broken()
        broken = invalid[: max(limit - 1 - limit // VALID, limit - 1 - len(valid))]
        return [self._base, *valid[: limit - 1 - len(broken)], *broken][:limit]

    def _broken(self) -> list[Vector]:
        """Round by round one of each place."""
        shown: Counter[tuple[str, str]] = Counter()
        found: list[Vector] = []
        left = {key: list(place) for key, place in self._places.items()}
        for _ in range(A_PLACE):
            for (keyword, *_), place in left.items():
                if place:
                    at = min(range(len(place)), key=[shown[keyword, kind] for kind, _ in place].__getitem__)
                    kind, vector = place.pop(at)
                    shown[keyword, kind] += 1
                    found.append(vector)
        return found


def _astral(vector: Vector) -> bool:
    """Whether it has a character for which UTF-8 takes four octets, and UTF-16 two units."""
    return max(msgspec.json.encode(vector.value), default=0) >= FOUR_OCTETS
