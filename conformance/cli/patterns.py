"""Patterns of requirement ids, said of several contracts at once: each takes those that mean something in it."""

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

from conformance.certify import nearest
from conformance.contract.catalogue import Contract
from conformance.drive.errors import UsageError

FEW = 4
"""Changes that a message lists."""


def own(given: Sequence[str], contract: Contract) -> list[str]:
    """The patterns of --only that mean a requirement of this contract."""
    return [pattern for pattern in split(given) if any(fnmatchcase(name, pattern) for name in contract.requirements)]


def agreed(given: Sequence[str], contracts: Iterable[Contract]) -> None:
    """UsageError for a pattern that means nothing in any of these contracts."""
    # of the editions of a contract each has its own
    known = list(dict.fromkeys(name for contract in contracts for name in contract.requirements))
    for pattern in split(given):
        if not any(fnmatchcase(name, pattern) for name in known):
            raise UsageError(
                f"no requirement of the contracts chosen is named {pattern}", "--only", nearest(pattern, known)
            )


def matches(given: Sequence[str], words: str) -> bool:
    """Whether words match one of the patterns; where there is none, all do."""
    return not given or any(fnmatchcase(words, pattern) for pattern in given)


def worded(given: Sequence[str], known: Sequence[str]) -> None:
    """UsageError for a pattern that matches none of these words."""
    for pattern in given:
        if not any(fnmatchcase(words, pattern) for words in known):
            shown = "; ".join(known[:FEW]) or "none: nothing that was chosen can be broken on the wire"
            todo = f"* stands for anything; the first of them: {shown}"
            raise UsageError(f"no change on the wire is worded {pattern!r}", "--breakage", todo=todo)


def split(given: Sequence[str]) -> list[str]:
    """The patterns one by one."""
    return [pattern for word in given for pattern in word.split(",") if pattern]
