"""Mutants of a target's domain: a sample of mechanical changes, each of which the suite has to notice.

What it does not notice is equivalent to the original, or open: visible to a client, and left open by the contract. Each
of these has a reason, which the target keeps; any other is a survivor, and a gap in the suite.
"""

import importlib.util
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from msgspec import Struct

from conformance.drive.target import entry
from conformance.engine import Engine, spread, whole
from conformance.prove.altered import Lost, Seen, allow, altered, apart, engine_of, original, seen, told_of
from conformance.prove.mutation import Mutant, mutants_of
from conformance.prove.reach import Reach, alone, reached, reaching
from conformance.prove.runs import Subject, stimuli_of
from conformance.prove.touched import Line, Touched, touched

OUTCOMES = ("killed", "equivalent", "open", "survived")
SAMPLE = 160
LIMIT_S = 60
"""Of the processor, for a run: a mutant may go on for ever, and is killed by that."""
WHOLE_S = 600
"""The same for all stimuli that a mutant meets one after another."""
LEAST_S, TIMES = 3, 10
"""What one of them may take: so much, and so many times what it takes at the original."""


class Row(Struct, frozen=True, kw_only=True):
    """One mutant."""

    id: str
    file: str
    line: int
    change: str
    outcome: str
    """killed, equivalent, open, or survived."""
    by: tuple[str, ...]
    """The requirements that failed or warned. `inconclusive`: none did, and what could not be tested is told with the
    claim; `crash` or `hang`: the server went down with it."""
    stimulus: str = ""
    """The one that showed it by itself; none where all of them together did, or nothing."""
    reason: str
    """Why it is equivalent or open."""


class Mutants(Struct, frozen=True, kw_only=True):
    """The trial of a contract, as reports/mutants-<contract>.json holds it."""

    contract: str
    seed: int
    """The seed of every run."""
    rows: tuple[Row, ...]


class Drawn(NamedTuple):
    """Which mutants of a domain are tried."""

    size: int = SAMPLE
    seed: int = 0
    """0: those that are published. Any other draws a sample of its own."""
    ids: tuple[str, ...] = ()
    """Only these, of the whole domain; none: all that are drawn."""

    def of(self, found: Iterable[Mutant]) -> list[Mutant]:
        """Those whose ids come first, in an order of the seed's: a change elsewhere does not change them."""
        if self.ids:
            return [mutant for mutant in found if mutant.id in self.ids]
        return sorted(found, key=self._place)[: self.size]

    def _place(self, mutant: Mutant) -> str:
        return sha256(f"{self.seed} {mutant.id}".encode()).hexdigest() if self.seed else mutant.id


def sample(contract: str, target: str, drawn: Drawn) -> list[Mutant]:
    """Mutants of a contract's domain, as they are drawn."""
    domain: Mapping[str, Any] = entry(target).domain(contract)
    return drawn.of(mutant for module, path in _modules(domain) for mutant in mutants_of(module, path))


def _modules(domain: Mapping[str, Any]) -> Iterator[tuple[str, Path]]:
    """The modules of a domain with their files, without importing them."""
    for package in domain["packages"]:
        spec = importlib.util.find_spec(package)
        places = list(spec.submodule_search_locations or ()) if spec is not None else []
        for found in pkgutil.walk_packages(places, f"{package}."):
            name = found.name.rpartition(".")[2]
            where = importlib.util.find_spec(found.name)
            if where is not None and where.origin is not None and name not in domain["leave_out"] and not found.ispkg:
                yield found.name, Path(where.origin)


Steps = tuple[tuple[Subject, Reach], ...]
"""The stimuli that a mutant meets one after another, of each edition."""


class Asked(NamedTuple):
    """A mutant, and what it meets."""

    mutant: Mutant
    steps: Steps
    explained: bool
    """Whether it is known why it need not be noticed."""

    @property
    def seconds(self) -> float:
        """What it takes where none of them notices it."""
        return sum(reach.seconds for _, reach in self.steps)


def trial(  # noqa: PLR0913 -- what is tried, and how, each by name
    subjects: Sequence[Subject],
    *,
    jobs: int,
    drawn: Drawn,
    told: Callable[[Row], None],
    every: bool = False,
    before: Mapping[str, str] = MappingProxyType({}),
) -> Mutants:
    """Runs the suite at each mutant of the sample: the editions of one contract, one domain.

    A mutant meets the stimuli that execute what it changes, one at a time, until one of them notices it. One that none
    of them notices, and of which it is not known why, meets all stimuli together; `every` mutant does so at once, and
    one that is named. It is killed where any edition finds it; the later editions, which hold more, are asked first.
    `before`: by mutant, the stimulus that noticed it the last time, which comes first.
    """
    first, *_ = subjects
    known: Mapping[str, Mapping[str, str]] = entry(first.target).known_mutants(first.contract)
    engine = engine_of(first, jobs)
    chosen = sample(first.contract, first.target, drawn)
    rows = dict[str, Row]()

    def settle(mutant: Mutant, by: tuple[str, ...], stimulus: str = "") -> None:
        rows[mutant.id] = _row(mutant, by, stimulus, known.get(mutant.id, {}))
        told(rows[mutant.id])

    if not every and not drawn.ids:
        asked = [
            Asked(mutant, _sooner(steps, before.get(mutant.id, "")), mutant.id in known)
            for mutant, steps in _steps(subjects, chosen, engine).items()
        ]
        # what takes longest first, so that no process is left with it at the end
        asked.sort(key=lambda each: (each.explained, each.seconds), reverse=True)
        for one, met in spread(_met, asked, engine):
            by, stimulus = whole(met)
            if by or one.explained:
                settle(one.mutant, by, stimulus)
    left = [mutant for mutant in chosen if mutant.id not in rows]
    if left:
        plain = {subject: whole(each) for subject, each in spread(_plain, subjects, engine)}
        for mutant, found in spread(partial(_tried, plain, subjects[::-1]), left, engine):
            settle(mutant, whole(found))
    return Mutants(contract=first.contract, seed=1, rows=tuple(rows[mutant.id] for mutant in chosen))


def _steps(subjects: Sequence[Subject], chosen: Sequence[Mutant], engine: Engine) -> dict[Mutant, Steps]:
    """For each mutant the stimuli that execute what it changes."""
    changes = {mutant: touched(mutant) for mutant in chosen}
    parts = [
        (subject, tuple(stimuli_of(subject)[start :: engine.workers]))
        for subject in subjects[::-1]
        for start in range(engine.workers)
    ]
    reaches = dict[Subject, list[Reach]]()
    begun = frozenset[Line]()
    for (subject, _), found in spread(partial(_reached, changes), parts, engine):
        at_first, of_stimuli = whole(found)
        begun |= at_first
        reaches.setdefault(subject, []).extend(of_stimuli)
    return {
        mutant: tuple(
            # the lines have been asked for, and there are many
            (subject, reach._replace(lines=frozenset()))
            for subject in subjects[::-1]
            for reach in reaching(change, reaches[subject], begun)
        )
        for mutant, change in changes.items()
    }


def _sooner(steps: Steps, stimulus: str) -> Steps:
    """With the steps of a stimulus in front."""
    return tuple(sorted(steps, key=lambda step: step[1].stimulus != stimulus))


def _reached(
    changes: Mapping[Mutant, Touched], part: tuple[Subject, Sequence[str]]
) -> tuple[frozenset[Line], list[Reach]]:
    subject, stimuli = part
    return told_of(apart(subject, partial(reached, subject, changes, stimuli), WHOLE_S), subject)


def _met(asked: Asked) -> tuple[tuple[str, ...], str]:
    """What the first stimulus finds that finds anything, and which one that is."""
    if not asked.steps:
        return (), ""
    found = apart(asked.steps[0][0], partial(_noticed, asked), WHOLE_S)
    return ((found.why,), "") if isinstance(found, Lost) else found


def _noticed(asked: Asked) -> tuple[tuple[str, ...], str]:
    altered(asked.mutant)
    for subject, reach in asked.steps:
        allow(LEAST_S + TIMES * reach.seconds)
        by = tuple(sorted(alone(subject, reach.stimulus).broken - reach.seen.broken))
        if by:
            return by, reach.stimulus
    return (), ""


def _plain(subject: Subject) -> Seen:
    return original(subject, LIMIT_S)


def _tried(plain: Mapping[Subject, Seen], subjects: Sequence[Subject], mutant: Mutant) -> tuple[str, ...]:
    """What all stimuli together find, of the first edition in which they find anything."""
    by: tuple[str, ...] = ()
    for subject in subjects:
        by = by or seen(mutant, subject, LIMIT_S).beyond(plain[subject])
    return by


def _row(mutant: Mutant, by: tuple[str, ...], stimulus: str, known: Mapping[str, str]) -> Row:
    outcome = "killed" if by else known.get("outcome", "survived")
    return Row(
        id=mutant.id,
        file=place_of(mutant),
        line=mutant.line,
        change=mutant.told,
        outcome=outcome,
        by=by,
        stimulus=stimulus,
        reason="" if by else known.get("reason", ""),
    )


def place_of(mutant: Mutant) -> str:
    """Its file, as a report names it."""
    return "/".join(mutant.path.parts[-4:]).partition("reference_server/")[2] or mutant.path.name
