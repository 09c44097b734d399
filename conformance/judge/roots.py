"""Which breach explains another one: that of a prerequisite, in one of the same calls."""

from collections.abc import Collection, Iterator, Mapping

from conformance.contract.catalogue import load
from conformance.contract.catalogue import requirement as lookup
from conformance.judge.tally import Tally
from conformance.model.requirement import Requirement


def prerequisites(identifier: str) -> Iterator[str]:
    """The prerequisites of a requirement, and theirs, nearest first, none twice; then the roots of its contract.

    What cannot fail without it is none of them: both are roots then. Nor is a root that itself gives way to it.
    """
    about = lookup(identifier)
    seen, queue = {identifier, *(about.falls_with if about is not None else ())}, [identifier]
    while queue:
        found = lookup(queue.pop(0))
        for name in found.requires if found is not None else ():
            if name not in seen:
                seen.add(name)
                queue.append(name)
                yield name
    for root in load(about.contract).roots if about is not None else ():
        if root not in seen and identifier not in _below(root):
            yield root


def _below(identifier: str) -> set[str]:
    """A requirement and all that it requires."""
    below, queue = {identifier}, [identifier]
    while queue:
        found = lookup(queue.pop())
        more = set(found.requires if found is not None else ()) - below
        below |= more
        queue += more
    return below


def root_of(identifier: str, calls: Collection[int], tallies: Mapping[str, Tally]) -> str | None:
    """The deepest prerequisite that was breached in one of these calls.

    A rule of the protocol gives way to one of the contract that says the same more precisely: an answer that lacks what
    the contract promises mostly breaks its outputSchema, too.
    """
    root = None
    for name in prerequisites(identifier):
        if name in tallies and tallies[name].spoils(calls):
            root = name
    if root is None and calls:
        root = next((name for name in _more_precise(identifier, tallies) if tallies[name].spoils(calls)), None)
    return root


def _more_precise(identifier: str, tallies: Mapping[str, Tally]) -> Iterator[str]:
    """The requirements of the contract whose protocol a requirement belongs to, unless the contract rests on it."""
    about = lookup(identifier)
    for name, tally in tallies.items():
        contract = load(tally.requirement.contract)
        if about is not None and contract.protocol == about.contract and identifier not in contract.foundation:
            yield name


def common_root(identifier: str, tally: Tally, tallies: Mapping[str, Tally]) -> str | None:
    """A prerequisite, where every breach is explained by one."""
    roots = [root_of(identifier, calls, tallies) for calls in tally.breached_calls]
    return roots[0] if all(roots) else None


def hiding(about: Requirement, calls: Collection[int], tallies: Mapping[str, Tally]) -> str | None:
    """What kept a requirement without subjects from being seen.

    A failed prerequisite of its own; else what the whole contract rests on, where that was breached in one of the calls
    that were made for the requirement, or where not even one could be made.
    """
    contract = load(about.contract)
    general = (*contract.roots, *contract.foundation)
    own = [name for name in prerequisites(about.id) if name not in general]
    failed = [name for name in own if name in tallies and tallies[name].breaches]
    for name in general:
        tally = tallies.get(name) if name != about.id else None
        if tally is not None and (tally.spoils(calls) or (not calls and tally.breaches)):
            failed.append(name)
    return failed[-1] if failed else None
