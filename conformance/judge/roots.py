"""Which breach explains another one: that of a prerequisite, in one of the same calls."""

from collections.abc import Collection, Iterator, Mapping
from functools import cached_property

from conformance.contract.catalogue import load
from conformance.contract.catalogue import requirement as lookup
from conformance.judge.tally import Tally
from conformance.model.requirement import Requirement


class Roots:
    """The prerequisites of what is judged. Each is looked up once: a broken server has thousands of breaches."""

    def __init__(self, tallies: Mapping[str, Tally]) -> None:
        self._tallies = tallies
        self._found: dict[str, tuple[str, ...]] = {}
        self._beneath: dict[str, set[str]] = {}

    def prerequisites(self, identifier: str) -> tuple[str, ...]:
        """The prerequisites of a requirement, and theirs, nearest first, none twice; then the roots of its contract.

        What cannot fail without it is none of them: both are roots then. Nor is a root that itself gives way to it.
        """
        if identifier not in self._found:
            self._found[identifier] = tuple(self._walked(identifier))
        return self._found[identifier]

    def needed(self, asked: Collection[str]) -> Collection[str]:
        """What has to be judged to tell the outcomes of some requirements: they, and whatever may explain a breach."""
        found: set[str] = set()
        queue = [name for name in asked if name in self._tallies]
        while queue:
            name = queue.pop()
            if name in found:
                continue
            found.add(name)
            contract = load(self._tallies[name].requirement.contract)
            beneath = (*self.prerequisites(name), *contract.roots, *contract.foundation, *self._more_precise(name))
            queue += [each for each in beneath if each in self._tallies]
        return found

    def _walked(self, identifier: str) -> Iterator[str]:
        about = self._about(identifier)
        seen, queue = {identifier, *(about.falls_with if about is not None else ())}, [identifier]
        while queue:
            for name in self._required(queue.pop(0)):
                if name not in seen:
                    seen.add(name)
                    queue.append(name)
                    yield name
        for root in load(about.contract).roots if about is not None else ():
            if root not in seen and identifier not in self._below(root):
                yield root

    def _below(self, identifier: str) -> set[str]:
        """A requirement and all that it requires."""
        if identifier not in self._beneath:
            below, queue = {identifier}, [identifier]
            while queue:
                more = {*self._required(queue.pop())} - below
                below |= more
                queue += more
            self._beneath[identifier] = below
        return self._beneath[identifier]

    def _about(self, identifier: str) -> Requirement | None:
        known = self._tallies.get(identifier)
        return known.requirement if known is not None else lookup(identifier)

    def _required(self, identifier: str) -> tuple[str, ...]:
        about = self._about(identifier)
        return about.requires if about is not None else ()

    def of(self, identifier: str, calls: Collection[int]) -> str | None:
        """The deepest prerequisite that was breached in one of these calls.

        A rule of the protocol gives way to one of the contract that says the same more precisely: an answer that lacks
        what the contract promises mostly breaks its outputSchema, too.
        """
        root = None
        for name in self.prerequisites(identifier):
            if name in self._tallies and self._tallies[name].spoils(calls):
                root = name
        if root is None and calls:
            root = next((name for name in self._more_precise(identifier) if self._tallies[name].spoils(calls)), None)
        return root

    def _more_precise(self, identifier: str) -> Collection[str]:
        """The requirements of the contract whose protocol a requirement belongs to, unless the contract rests on it."""
        about = self._about(identifier)
        precise, foundation = self._over.get(about.contract, ((), ())) if about is not None else ((), ())
        return () if identifier in foundation else precise

    @cached_property
    def _over(self) -> dict[str, tuple[list[str], tuple[str, ...]]]:
        """By protocol: the requirements of the contract that is served over it, and what that rests on."""
        found: dict[str, tuple[list[str], tuple[str, ...]]] = {}
        for name, tally in self._tallies.items():
            contract = load(tally.requirement.contract)
            if contract.protocol is not None:
                found.setdefault(contract.protocol, ([], contract.foundation))[0].append(name)
        return found

    def common(self, identifier: str, tally: Tally) -> str | None:
        """A prerequisite, where every breach is explained by one."""
        first = None
        for calls in tally.breached_calls:
            root = self.of(identifier, calls)
            if root is None:
                return None
            first = first or root
        return first

    def hiding(self, about: Requirement, calls: Collection[int]) -> str | None:
        """What kept a requirement without subjects from being seen.

        A failed prerequisite of its own; else what the whole contract rests on, where that was breached in one of the
        calls that were made for the requirement, or where not even one could be made.
        """
        contract = load(about.contract)
        general = (*contract.roots, *contract.foundation)
        own = [name for name in self.prerequisites(about.id) if name not in general]
        failed = [name for name in own if name in self._tallies and self._tallies[name].breaches]
        for name in general:
            tally = self._tallies.get(name) if name != about.id else None
            if tally is not None and (tally.spoils(calls) or (not calls and tally.breaches)):
                failed.append(name)
        return failed[-1] if failed else None
