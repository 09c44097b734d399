"""Mutants of a target's domain: a sample of mechanical changes, each of which the suite has to notice.

What it does not notice is equivalent to the original, or open: visible to a client, and left open by the contract. Each
of these has a reason, which the target keeps; any other is a survivor, and a gap in the suite.
"""

import importlib.util
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Struct

from conformance.drive.target import entry
from conformance.prove.altered import HANG, original, prepared, seen, settled
from conformance.prove.mutation import Mutant, mutants_of
from conformance.prove.runs import Subject

OUTCOMES = ("killed", "equivalent", "open", "survived")
SAMPLE = 160
LIMIT_S = 60
"""A mutant may go on for ever: what is not over by then, nor later by itself, is killed by its hanging."""


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
    reason: str
    """Why it is equivalent or open."""

    @property
    def hung(self) -> bool:
        """Whether it was killed by its hanging."""
        return HANG in self.by


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


def trial(subjects: Sequence[Subject], *, jobs: int, drawn: Drawn, told: Callable[[Row], None]) -> Mutants:
    """Runs the suite at each mutant of the sample, in a process of its own: the editions of one contract, one domain.

    A mutant is killed where any edition finds it; the later editions, which hold more, are asked first.
    """
    first, *_ = subjects
    known: Mapping[str, Mapping[str, str]] = entry(first.target).known_mutants(first.contract)
    prepared(first)
    plain = {subject: original(subject, LIMIT_S) for subject in reversed(subjects)}
    chosen = sample(first.contract, first.target, drawn)

    def judged(mutant: Mutant, limit_s: float) -> Row:
        by: tuple[str, ...] = ()
        for subject, found in plain.items():
            by = by or seen(mutant, subject, limit_s).beyond(found)
        return _row(mutant, by, known.get(mutant.id, {}))

    rows = settled(chosen, judged, told, jobs=jobs, limit_s=LIMIT_S)
    return Mutants(contract=first.contract, seed=1, rows=rows)


def _row(mutant: Mutant, by: tuple[str, ...], known: Mapping[str, str]) -> Row:
    outcome = "killed" if by else known.get("outcome", "survived")
    return Row(
        id=mutant.id,
        file=place_of(mutant),
        line=mutant.line,
        change=mutant.told,
        outcome=outcome,
        by=by,
        reason="" if by else known.get("reason", ""),
    )


def place_of(mutant: Mutant) -> str:
    """Its file, as a report names it."""
    return "/".join(mutant.path.parts[-4:]).partition("reference_server/")[2] or mutant.path.name
