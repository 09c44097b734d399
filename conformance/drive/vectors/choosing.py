"""Chooses among many vectors those that show one thing each."""

from collections import Counter

from msgspec import Struct

from conformance.model.events import Json

A_KEYWORD = 3
"""Vectors that break the same keyword at the same place."""


class Vector(Struct, frozen=True):
    """Arguments for a tool."""

    value: dict[str, Json]
    valid: bool
    keyword: str = ""
    """The one keyword that they break; empty where they are valid."""
    pointer: str = ""
    """JSON Pointer to that keyword in the schema, references followed."""
    origin: str = "own"


class Chosen:
    """So many of them: one a keyword and place first, then more of the same, valid ones a quarter.

    Valid ones in turns by the argument in which they differ from the base, so that every argument gets its share.
    """

    def __init__(self, base: Vector, limit: int) -> None:
        self.found: list[Vector] = []
        self._base = base
        self._limit = limit
        self._places: Counter[tuple[str, str]] = Counter()
        self._turns: Counter[str] = Counter()
        self._broken: list[tuple[int, int, Vector]] = []
        self._valid: list[tuple[int, int, Vector]] = []

    def add(self, vector: Vector) -> None:
        """Takes the next one."""
        self.found.append(vector)
        if not vector.valid:
            place = (vector.keyword, vector.pointer)
            self._places[place] += 1
            if self._places[place] <= A_KEYWORD:
                self._broken.append((self._places[place], len(self.found), vector))
        elif vector.value != self._base.value:
            changed = self._changed(vector)
            self._turns[changed] += 1
            self._valid.append((self._turns[changed], len(self.found), vector))

    def _changed(self, vector: Vector) -> str:
        base, value = self._base.value, vector.value
        return " ".join(sorted(name for name in {**base, **value} if base.get(name, ...) != value.get(name, ...)))

    @property
    def settled(self) -> bool:
        """Whether no further one could be chosen any more."""
        return len(self._places) >= self._limit and len(self._turns) >= self._limit // 4

    def best(self) -> list[Vector]:
        """The base, then the others."""
        limit = self._limit
        valid = [vector for _, _, vector in sorted(self._valid, key=lambda each: each[:2])]
        invalid = [vector for _, _, vector in sorted(self._broken, key=lambda each: each[:2])]
        broken = invalid[: max(limit - 1 - limit // 4, limit - 1 - len(valid))]
        return [self._base, *valid[: limit - 1 - len(broken)], *broken][:limit]
