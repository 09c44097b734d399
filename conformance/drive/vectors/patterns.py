"""Strings made from a regular expression."""

from collections.abc import Iterator
from string import ascii_letters, digits, punctuation

from conformance.contract.patterns.pattern import read
from conformance.contract.patterns.reader import DIGITS, SPACES, WORDS, PatternError
from conformance.contract.patterns.tree import Characters, Choice, Edge, Look, Node, Repeat, Sequence, outside

LONGEST = 20_000
"""Characters of a string that is made from a pattern."""
USUAL = f"ab1-_.x{ascii_letters}{digits}{punctuation} \u00e9\u4e2d"
"""Tried in this order where all but a few characters are allowed."""
SETS = {DIGITS: "1", WORDS: "a", SPACES: " ", outside(DIGITS): "a", outside(SPACES): "a", outside(WORDS): "!"}
"""What is taken for the sets that have a name."""


def derived(pattern: str, least: int = 0) -> Iterator[str]:
    """Strings of a pattern: the plainest, and one of at least so many characters where the plainest is shorter."""
    try:
        tree = read(pattern).tree
    except PatternError:
        return
    plain = _Writer(0).written(tree)
    if plain is None:
        return
    yield plain
    if len(plain) < least <= LONGEST:
        longer = _Writer(least - len(plain)).written(tree)
        if longer is not None:
            yield longer


class _Writer:
    """Writes a string of a pattern, in which what may be repeated fills what is missing."""

    def __init__(self, missing: int) -> None:
        self._missing = missing
        self._left = LONGEST

    def written(self, tree: Node) -> str | None:
        """The string; None where it grows too long."""
        found = "".join(self._characters(tree))
        return found if self._left >= 0 else None

    def _characters(self, node: Node) -> Iterator[str]:
        if self._left < 0:
            return
        self._left -= 1
        match node:
            case Characters():
                yield _one_of(node)
            case Sequence():
                for part in node.parts:
                    yield from self._characters(part)
            case Choice():
                yield from self._characters(node.branches[0])
            case Repeat():
                for _ in range(self._times(node)):
                    yield from self._characters(node.inner)
            case Look() | Edge():
                return

    def _times(self, node: Repeat) -> int:
        least = max(node.least, 1 if node.most != 0 else 0)
        room = LONGEST if node.most is None else node.most - least
        more = min(self._missing, max(room, 0))
        self._missing -= more
        return min(least + more, self._left + 1)


def _one_of(node: Characters) -> str:
    if node.negated:
        rest = outside(node.ranges)
        return next((letter for letter in USUAL if node.has(letter)), chr(rest[0][0]) if rest else "")
    if node.ranges in SETS:
        return SETS[node.ranges]
    return chr(node.ranges[0][0]) if node.ranges else "A"
