"""The same trial for a contract whose laws are in Python, at an installed target: each breakage meets all stimuli."""

from collections.abc import Callable
from functools import partial

from conformance.certify import contract_of
from conformance.engine import Engine, spread, whole
from conformance.prove.proxy.breakage import Breakage, Proxy, Sampler, Samples, World
from conformance.prove.proxy.catalogued import breakages
from conformance.prove.proxy.trial import MISSED, NO_OCCASION, NOTICED, Matrix, Row
from conformance.prove.runs import Subject, run


def prove(subject: Subject, *, engine: Engine, told: Callable[[Row], None]) -> Matrix:
    """Breaks what a contract's data tells of, one thing at a time."""
    contract = contract_of(subject.contract, subject.edition)
    sampler = Sampler(contract)
    plain = run(subject, between=sampler, protocol=False)
    roots = frozenset(finding.requirement for finding in plain.roots)
    found = list(breakages(contract, sampler.samples))
    rows = []
    for _, row in spread(partial(tried, subject, roots, sampler.samples), found, engine):
        rows.append(whole(row))
        told(rows[-1])
    order = [each.what for each in found]
    rows.sort(key=lambda row: order.index(row.breakage))
    return Matrix(
        contract=contract.name, edition=contract.edition, target=plain.target.name or subject.target, rows=tuple(rows)
    )


def tried(subject: Subject, roots: frozenset[str], samples: Samples, breakage: Breakage) -> Row:
    """A run of all stimuli with a breakage."""
    world = World(contract_of(subject.contract, subject.edition), samples)
    report = run(subject, between=Proxy(breakage, world), protocol=False)
    by = tuple(sorted({finding.requirement for finding in report.roots} - roots))
    outcome = NO_OCCASION if not breakage.acted else NOTICED if by else MISSED
    return Row(breakage=breakage.what, acted=breakage.acted, outcome=outcome, by=by, verdict=report.claim)
