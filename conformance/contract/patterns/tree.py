"""A regular expression of ECMA-262 as a tree."""

from dataclasses import dataclass
from itertools import pairwise

LAST = 0x10FFFF
Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Characters:
    """One character: of these ranges or Unicode properties, or (`negated`) of none of them."""

    ranges: tuple[Range, ...]
    properties: tuple[str, ...] = ()
    negated: bool = False

    def has(self, character: str) -> bool:
        """Whether it takes a character, as far as ranges tell: properties count as taking none."""
        return any(low <= ord(character) <= high for low, high in self.ranges) is not self.negated


@dataclass(frozen=True, slots=True)
class Edge:
    """A place between characters: ^, $, b or B."""

    kind: str


@dataclass(frozen=True, slots=True)
class Sequence:
    """One after the other."""

    parts: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """One of them."""

    branches: tuple["Node", ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """So many times; `most` None: without end."""

    inner: "Node"
    least: int
    most: int | None


@dataclass(frozen=True, slots=True)
class Look:
    """What has to follow or come before, or must not: `sign` is =, !, <= or <!."""

    sign: str
    inner: "Node"


Node = Characters | Edge | Sequence | Choice | Repeat | Look


def outside(ranges: tuple[Range, ...]) -> tuple[Range, ...]:
    """The characters that are in none of the ranges."""
    ends = [(-1, -1), *joined(ranges), (LAST + 1, LAST + 1)]
    return tuple((low[1] + 1, high[0] - 1) for low, high in pairwise(ends) if low[1] + 1 <= high[0] - 1)


def joined(ranges: tuple[Range, ...]) -> tuple[Range, ...]:
    """The same characters in order, ranges that touch made one."""
    found: list[Range] = []
    for low, high in sorted(ranges):
        if found and low <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(high, found[-1][1]))
        else:
            found.append((low, high))
    return tuple(found)
