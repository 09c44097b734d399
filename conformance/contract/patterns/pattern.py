"""A regular expression of a stranger's schema, read once: what it means, how it is spelled here, how heavy it is."""

from dataclasses import dataclass
from functools import lru_cache

from conformance.contract.patterns.reader import PatternError, Reader
from conformance.contract.patterns.spelling import spelled, weight
from conformance.contract.patterns.tree import Node

LONGEST = 10_000
"""Characters of a pattern that is read."""
HEAVIEST = 12_000
"""States of its automaton: so many take up to 20 MB, and 0.2 s to make."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern that was read."""

    tree: Node
    spelled: str
    """The same for the engine, whose own classes, dot and escapes mean other things."""
    weight: int
    looks: bool
    """Whether it looks around: it takes the engine that goes back."""
    edged: bool
    """Whether it asks for the edge of a word."""


@lru_cache(maxsize=1024)
def read(pattern: str) -> Pattern:
    """What a pattern says; PatternError where it is no ECMA-262, refers back, or counts too far."""
    if len(pattern) > LONGEST:
        raise PatternError(f"it has more than {LONGEST} characters")
    reader = Reader(pattern)
    tree = reader.choice()
    if not reader.over:
        raise PatternError("a ) closes nothing")
    heavy = weight(tree)
    if heavy > HEAVIEST:
        raise PatternError("its counts go too far")
    return Pattern(tree, spelled(tree, looks=reader.looks), heavy, reader.looks, reader.edged)
