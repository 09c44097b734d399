"""The trial of a contract at a server of anybody's: which breaches of its promises the suite would notice there.

A requirement that does not pass at the server as it is cannot be put on trial there: it is told, and left out.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from msgspec import Struct

from conformance.certify import Options, certify, contract_of
from conformance.contract.catalogue import Contract
from conformance.drive.statement import Statement
from conformance.drive.wire.between import Between
from conformance.engine import Engine, spread, whole
from conformance.model.verdict import Verdict
from conformance.prove.proxy.breakage import Breakage, Proxy, Sampler, Samples, World
from conformance.prove.proxy.deriving import breakages
from conformance.report.model import Report, RequirementResult

NOTICED, ELSEWHERE, MISSED, NO_OCCASION = "noticed", "elsewhere", "missed", "no occasion"
EQUIVALENT, OPEN = "equivalent", "open"
INTERRUPTED = "interrupted"
FAILING = (Verdict.FAIL, Verdict.WARN)


class Row(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One requirement, broken in one way."""

    requirement: str = ""
    """Empty: the breakage is of the contract's data, and of no requirement."""
    promise: str = ""
    """Which of the requirement's promises, where it has several: ID/1, ID/2."""
    breakage: str
    """What the server seems to do."""
    acted: int
    """How often it had occasion."""
    outcome: str
    """noticed: as a finding of the requirement's own; elsewhere: others failed; missed: it acted, and none did;
    no occasion: it never acted, and proves nothing. Where it is known why none did: equivalent, no client can tell it
    from what is promised; open, the contract leaves it open."""
    by: tuple[str, ...]
    """The requirements that failed on their own account, and do not without it."""
    verdict: str
    reason: str = ""
    """Why it is equivalent or open."""

    @property
    def name(self) -> str:
        """What was broken: one of several promises, or a requirement."""
        return self.promise or self.requirement


class LeftOut(Struct, frozen=True, kw_only=True):
    """A requirement that was not put on trial, or one of its promises."""

    requirement: str
    why: str


class Matrix(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a trial found, as --output holds it."""

    contract: str
    edition: str
    target: str
    rows: tuple[Row, ...]
    left_out: tuple[LeftOut, ...] = ()

    @property
    def proved(self) -> list[str]:
        """The promises of which a breach was noticed as their requirement's own, and none that acted was missed."""
        return [name for name in self._names if self._of(name, NOTICED) and not self._of(name, MISSED)]

    @property
    def unproved(self) -> list[str]:
        """The others that were on trial."""
        proved = set(self.proved)
        return [name for name in self._names if name not in proved]

    @property
    def _names(self) -> list[str]:
        return list(dict.fromkeys(row.name for row in self.rows))

    def _of(self, name: str, outcome: str) -> bool:
        return any(row.name == name and row.outcome == outcome for row in self.rows)


class Trial(NamedTuple):
    """Who is on trial, and how its runs are made."""

    statement: Statement
    options: Options
    contract: str
    """By which any process finds the contract."""


class Broken(NamedTuple):
    """A promise that is broken in one way."""

    requirement: str
    promise: str
    """Its name: the requirement's, where that has no other."""
    breakage: Breakage


class _Plain(NamedTuple):
    """What the suite finds at the server as it is."""

    results: dict[str, RequirementResult]
    roots: frozenset[str]
    samples: Samples
    report: Report


def every(_: str) -> bool:
    """Any breakage, by its words."""
    return True


def prove(  # noqa: PLR0913 -- each by name
    trial: Trial,
    *,
    only: Sequence[str],
    engine: Engine,
    told: Callable[[Row], None],
    begun: Callable[[Report], None],
    wanted: Callable[[str], bool] = every,
) -> Matrix:
    """Breaks each promise that passes, one at a time, in the ways that are wanted by their words.

    `begun` hears of the run without any breakage.
    """
    contract = contract_of(trial.statement.contract, trial.statement.edition)
    plain = _plain(trial, contract)
    begun(plain.report)
    found, left_out = list[Broken](), []
    for requirement in only:
        whole = _why_not(contract, plain, requirement)
        if whole:
            left_out.append(LeftOut(requirement=requirement, why=whole))
            continue
        for name, promise in contract.promised(requirement).items():
            ways = breakages(contract, promise)
            found += [Broken(requirement, name, each) for each in ways if wanted(each.what)]
            if not ways:
                left_out.append(LeftOut(requirement=name, why="nobody between can break it"))
    rows = []
    for row in _tried(trial, plain, found, engine):
        rows.append(row)
        told(row)
    order = [(each.promise, each.breakage.what) for each in found]
    rows.sort(key=lambda row: order.index((row.name, row.breakage)))
    return Matrix(
        contract=contract.name,
        edition=contract.edition,
        target=plain.report.target.name,
        rows=tuple(rows),
        left_out=tuple(left_out),
    )


def _plain(trial: Trial, contract: Contract) -> _Plain:
    sampler = Sampler(contract)
    report = _run(trial, sampler, ())
    results = {result.id: result for result in report.requirements}
    return _Plain(results, frozenset(finding.requirement for finding in report.roots), sampler.samples, report)


def _why_not(contract: Contract, plain: _Plain, name: str) -> str:
    """Why a requirement is not put on trial; empty where it is."""
    if not contract.promised(name):
        return "it is no promise as data: its law is in Python"
    result = plain.results.get(name)
    if result is None or result.verdict is not Verdict.PASS or not result.subjects:
        verdict = result.verdict.value.replace("_", " ") if result is not None else "not judged"
        return f"it does not pass at the server as it is: {verdict}"
    return ""


def _tried(trial: Trial, plain: _Plain, found: Sequence[Broken], engine: Engine) -> Iterator[Row]:
    one = partial(tried, trial, plain.roots, plain.samples)
    if engine.workers == 1:
        yield from map(one, found)
    else:
        yield from (whole(row) for _, row in spread(one, found, engine))


def tried(trial: Trial, roots: frozenset[str], samples: Samples, broken: Broken) -> Row:
    """A run with a breakage: of the stimuli of its requirement, and of all where those do not show it."""
    name, promise, breakage = broken
    # in another process a contract that was named by a path is not known yet
    contract = contract_of(trial.contract, trial.statement.edition)
    world = World(contract, samples)
    report = _run(trial, Proxy(breakage, world), [name])
    result = next(each for each in report.requirements if each.id == name)
    own = [finding.requirement for finding in report.roots]
    by = tuple(sorted(set(own) - roots))
    if not breakage.acted:
        outcome = NO_OCCASION
    elif result.verdict in FAILING and name in own:
        outcome = NOTICED
    elif by:
        outcome = ELSEWHERE
    else:
        by = tuple(sorted({f.requirement for f in _run(trial, Proxy(breakage, world), []).roots} - roots))
        outcome = NOTICED if name in by else ELSEWHERE if by else MISSED
    return Row(
        requirement=name,
        promise=promise if promise != name else "",
        breakage=breakage.what,
        acted=breakage.acted,
        outcome=outcome,
        by=by,
        verdict=result.verdict.value,
    )


def _run(trial: Trial, between: Between, only: Sequence[str]) -> Report:
    report = certify(trial.statement, replace(trial.options, between=between, only=only))
    if report.reason == INTERRUPTED:
        # the run heard of it, and ended as any run does: whoever interrupted it meant the trial
        raise KeyboardInterrupt
    return report
