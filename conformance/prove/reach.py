"""What of a target's domain each stimulus executes, and so which stimuli a mutant has to meet.

A run is the run at the original up to the first line that the mutant changes: a stimulus that executes none of these
lines, driven by itself, cannot tell the two apart. What the domain works out once for all who ask later counts for who
asked first, so that a mutant which nobody noticed is only a survivor after a run of all stimuli together.
"""

import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from conformance.certify import contract_of
from conformance.drive.target import entry
from conformance.prove.altered import Seen
from conformance.prove.mutation import Mutant
from conformance.prove.probes import Probes
from conformance.prove.runs import IN_PROCESS, Subject, run
from conformance.prove.served import Changed
from conformance.prove.touched import Line, Touched


class Reach(NamedTuple):
    """A stimulus by itself at the original."""

    stimulus: str
    seconds: float
    """Of the processor, to drive and to judge it."""
    seen: Seen
    lines: frozenset[Line]


def reaching(change: Touched, reaches: Iterable[Reach], begun: frozenset[Line]) -> list[Reach]:
    """The stimuli that execute what a mutant changes, the cheapest first; all where it is executed before any of them.

    `begun`: the lines that are executed when the domain is imported.
    """
    by_all = change.at_import or bool(change.lines & begun)
    found = [each for each in reaches if by_all or change.lines & each.lines]
    return sorted(found, key=lambda each: (each.seconds, each.stimulus))


def alone(subject: Subject, stimulus: str) -> Seen:
    """What the suite says of a run of this stimulus alone, by all requirements of the contract."""
    ids = tuple(contract_of(subject.contract, subject.edition).requirements)
    return Seen.of(run(subject, protocol=False, stimuli=[stimulus], only=ids))


def reached(
    subject: Subject, changes: Mapping[Mutant, Touched], stimuli: Sequence[str]
) -> tuple[frozenset[Line], list[Reach]]:
    """What the import of the domain executes of what mutants change, and what each of these stimuli does.

    The domain must not have been imported.
    """
    probes = Probes()
    numbers = defaultdict[tuple[str, Path], set[int]](set)
    for mutant, change in changes.items():
        numbers[mutant.module, mutant.path].update(line.number for line in change.lines)
    for (module, path), wanted in numbers.items():
        sys.meta_path.insert(0, Changed(module, path, partial(probes.tree, module, path, wanted)))
    entry(subject.target).statement(subject.contract, transport=IN_PROCESS, **subject.named)
    begun = _met(probes)
    found = []
    for stimulus in stimuli:
        probes.met.clear()
        before = time.process_time()
        seen = alone(subject, stimulus)
        found.append(Reach(stimulus, time.process_time() - before, seen, _met(probes)))
    return begun, found


def _met(probes: Probes) -> frozenset[Line]:
    return frozenset(Line(*each) for each in probes.met)
