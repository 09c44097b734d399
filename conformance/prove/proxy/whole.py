"""The same trial for a contract whose laws are in Python, at an installed target.

A breakage meets the stimuli in which it has occasion first, then all of them, then those of the protocol as well.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from msgspec import structs

from conformance.certify import Options, contract_of, history_of
from conformance.contract.catalogue import Contract
from conformance.drive.library import import_stimuli
from conformance.drive.target import entry
from conformance.engine import Engine, spread, whole
from conformance.prove.proxy.breakage import Breakage, Proxy, Sampler, Samples, World
from conformance.prove.proxy.catalogued import breakages
from conformance.prove.proxy.occasions import occasions
from conformance.prove.proxy.trial import MISSED, NO_OCCASION, NOTICED, Matrix, Row
from conformance.prove.runs import Subject, run

SOME = 12
"""Stimuli that are driven at first; a breakage that has occasion in more meets all at once."""


class Found(NamedTuple):
    """A breakage, and the stimuli in which it has occasion, with how often."""

    breakage: Breakage
    stimuli: Mapping[str, int]


def prove(
    subject: Subject, *, engine: Engine, told: Callable[[Row], None], only: Callable[[str], bool] = lambda _: True
) -> Matrix:
    """Breaks what a contract's data tells of, one thing at a time."""
    contract = contract_of(subject.contract, subject.edition)
    sampler = Sampler(contract)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "plain.jsonl"
        plain = run(subject, patient=True, between=sampler, protocol=False, transcript=file)
        calls = history_of(file, Options())[1].exchanges
    # the protocol's stimuli are the last that a breakage meets: what they find without any is no sign of one
    protocol = run(subject, patient=True, protocol=True)
    roots = frozenset(finding.requirement for report in (plain, protocol) for finding in report.roots)
    world = World(contract, sampler.samples)
    ways = [each for each in breakages(contract, sampler.samples, calls) if only(each.what)]
    found = [Found(each, occasions(each, calls, world)) for each in ways]
    known: Mapping[str, Mapping[str, str]] = entry(subject.target).known_breakages(subject.contract)
    rows = [_row(each, NO_OCCASION, (), plain.claim) for each in found if not each.stimuli]
    for row in rows:
        told(row)
    acting = [each for each in found if each.stimuli]
    for _, result in spread(partial(tried, subject, roots, sampler.samples), acting, engine):
        rows.append(explained(whole(result), known))
        told(rows[-1])
    order = [each.breakage.what for each in found]
    rows.sort(key=lambda row: order.index(row.breakage))
    return Matrix(
        contract=contract.name, edition=contract.edition, target=plain.target.name or subject.target, rows=tuple(rows)
    )


def tried(subject: Subject, roots: frozenset[str], samples: Samples, found: Found) -> Row:
    """A run with a breakage, or several, until one shows it."""
    contract = contract_of(subject.contract, subject.edition)
    for how in _runs(contract, found):
        report = run(subject, patient=True, between=Proxy(found.breakage, World(contract, samples)), **how)
        by = tuple(sorted({finding.requirement for finding in report.roots} - roots))
        if by:
            break
    outcome = NO_OCCASION if not found.breakage.acted else NOTICED if by else MISSED
    return _row(found, outcome, by, report.claim)


def _runs(contract: Contract, found: Found) -> Iterator[dict[str, Any]]:
    """Of the stimuli in which it has occasion, of all of the contract, and of those of its protocol as well."""
    # what begins a connection is part of every run, and no stimulus
    own = {plan.name for plan in import_stimuli(contract)}
    some = [name for name in found.stimuli if name in own]
    if 0 < len(some) <= SOME:
        yield {"protocol": False, "stimuli": some, "only": tuple(contract.requirements)}
    yield {"protocol": False}
    yield {"protocol": True}


def explained(row: Row, known: Mapping[str, Mapping[str, str]]) -> Row:
    """A row with why nothing is noticed, where that is known."""
    about = known.get(row.breakage)
    return row if about is None or row.by else structs.replace(row, outcome=about["outcome"], reason=about["reason"])


def _row(found: Found, outcome: str, by: Sequence[str], claim: str) -> Row:
    each = found.breakage
    return Row(breakage=each.what, acted=each.acted, outcome=outcome, by=tuple(by), verdict=claim)
