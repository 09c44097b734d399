"""Mutants of a target's domain: a sample of mechanical changes, each of which the suite has to notice.

What it does not notice is equivalent to the original, or open: visible to a client, and left open by the contract. Each
of these has a reason, which the target keeps; any other is a survivor, and a gap in the suite.
"""

import importlib.util
import multiprocessing
import pkgutil
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from msgspec import Struct

from conformance.drive.target import entry
from conformance.model.verdict import Verdict
from conformance.prove import warm
from conformance.prove.mutation import Mutant, mutants_of
from conformance.prove.runs import Subject, run
from conformance.report.model import Report

OUTCOMES = ("killed", "equivalent", "open", "survived")
SAMPLE = 160
LIMIT_S = 60
"""A mutant may go on for ever: what is not over by then is killed by its hanging."""
MISSED = (Verdict.FAIL, Verdict.WARN)


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
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([warm.__name__, *entry(first.target).domain(first.contract)["libraries"]])
    # in a process of its own as well: this one must not have imported the domain before its children change it
    plain = {subject: frozenset(_in_a_process(None, subject, frozenset())) for subject in reversed(subjects)}
    chosen = sample(first.contract, first.target, drawn)

    def judged(mutant: Mutant) -> Row:
        by: list[str] = []
        for subject, found in plain.items():
            by = by or _in_a_process(mutant, subject, found)
        return _row(mutant, by, known.get(mutant.id, {}))

    rows = []
    with ThreadPoolExecutor(jobs) as pool:
        for row in pool.map(judged, chosen):
            rows.append(row)
            told(row)
    return Mutants(contract=first.contract, seed=1, rows=tuple(rows))


def _row(mutant: Mutant, by: Sequence[str], known: Mapping[str, str]) -> Row:
    outcome = "killed" if by else known.get("outcome", "survived")
    return Row(
        id=mutant.id,
        file="/".join(mutant.path.parts[-4:]).partition("reference_server/")[2] or mutant.path.name,
        line=mutant.line,
        change=f"{mutant.function}: {mutant.change}" if mutant.function else mutant.change,
        outcome=outcome,
        by=tuple(by),
        reason="" if by else known.get("reason", ""),
    )


def _in_a_process(mutant: Mutant | None, subject: Subject, plain: frozenset[str]) -> list[str]:
    """What the suite finds at a mutant, or at the original, beyond what is plain."""
    context = multiprocessing.get_context("forkserver")
    heard, told = context.Pipe(duplex=False)
    process = context.Process(target=_judge, args=(told, mutant, subject, plain), daemon=True)
    process.start()
    told.close()
    try:
        return heard.recv() if heard.poll(LIMIT_S) else ["hang"]
    except EOFError:
        return ["crash"]
    finally:
        process.kill()
        process.join()


def _judge(told: Any, mutant: Mutant | None, subject: Subject, plain: frozenset[str]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if mutant is not None:
        sys.meta_path.insert(0, _Changed(mutant))
    try:
        report = run(subject, protocol=False)
        found = sorted(_failing(report) - plain) or ([] if report.conformant else ["inconclusive"])
    except Exception as error:  # noqa: BLE001 -- a mutant may break anything: that it does is the finding
        found = [f"crash: {type(error).__name__}"]
    told.send(found)


class _Changed(MetaPathFinder, Loader):
    """Imports one module as the mutant has it."""

    def __init__(self, mutant: Mutant) -> None:
        self._mutant = mutant

    def find_spec(self, fullname: str, path: Any = None, target: ModuleType | None = None) -> ModuleSpec | None:  # noqa: ARG002 -- the import system's own
        if fullname != self._mutant.module:
            return None
        return importlib.util.spec_from_file_location(fullname, self._mutant.path, loader=self)

    def exec_module(self, module: ModuleType) -> None:
        exec(compile(self._mutant.tree(), str(self._mutant.path), "exec"), vars(module))  # noqa: S102 -- our own source, changed


def _failing(report: Report) -> frozenset[str]:
    """The requirements that failed or warned, of the contract and of its protocol; `error` where we did."""
    results = (*report.requirements, *report.foundation)
    failing = {r.id for r in results if r.verdict in MISSED}
    return frozenset(failing | ({"error"} if any(r.verdict is Verdict.ERROR for r in results) else set()))
