"""Patterns of requirement ids, said of several contracts at once: each takes those that mean something in it."""

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

from conformance.certify import nearest
from conformance.contract.catalogue import Contract
from conformance.drive.errors import UsageError


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


def split(given: Sequence[str]) -> list[str]:
    """The patterns one by one."""
    return [pattern for word in given for pattern in word.split(",") if pattern]
