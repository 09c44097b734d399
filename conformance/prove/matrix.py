"""The suite on trial: for every requirement a server that breaks it, and whether the suite catches that one.

A requirement is proved where the reference passes it with a subject, and the reference with its deviation fails it as
a root finding, which the command that the report prints finds again.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, Self

from msgspec import Struct

from conformance.certify import contract_of
from conformance.contract.catalogue import Contract
from conformance.drive.target import entry
from conformance.engine import Engine, spread, whole
from conformance.model.requirement import Requirement
from conformance.model.verdict import Verdict
from conformance.prove.runs import IN_PROCESS, Subject, run
from conformance.report.model import Report, RequirementResult
from conformance.report.story import reproducer

SERVED = {"stdio": "stdio", "http": "http", "v1": "http"}
"""How the reference is served for a deviation that is bound to a transport."""
TRANSPORTS = ("http", "stdio", IN_PROCESS)
"""What takes longest first."""


class Row(Struct, frozen=True, kw_only=True):
    """One requirement on trial."""

    requirement: str
    deviation: str
    """What the deviating server does."""
    transport: str
    reference: str
    """The verdict on the reference, over the same transport."""
    deviated: str
    root: bool
    """Whether the breach is a finding of its own, not explained by another."""
    subjects: int
    reproduced: bool
    """Whether the command that the report prints finds it again."""

    @property
    def killed(self) -> bool:
        """Whether the suite caught the deviation."""
        return (
            self.reference == Verdict.PASS
            and self.deviated in (Verdict.FAIL, Verdict.WARN)
            and self.root
            and self.subjects > 0
            and self.reproduced
        )


class Matrix(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The kill matrix of a contract, as reports/kill-matrix-<contract>.json holds it."""

    contract: str
    edition: str | None = None
    """Where the contract has several."""
    rows: tuple[Row, ...]
    unproved: tuple[str, ...]
    """Requirements that no deviation proves."""


def prove(
    subject: Subject,
    *,
    only: Sequence[str],
    engine: Engine,
    every: bool = False,
    told: Callable[[Row], None] | None = None,
) -> Matrix:
    """Puts a contract's requirements on trial; `told` hears of each row as it is decided.

    A deviation meets the stimuli of its own requirement, and all of them where those do not show it. `every`: it meets
    all of them at once, where another breach may explain its own.
    """
    contract = contract_of(subject.contract, subject.edition)
    wanted = [r.id for r in contract.requirements.values() if r.id in only and _on_trial(r, contract)]
    deviations: list[Mapping[str, Any]] = [
        d for d in entry(subject.target).deviations(contract.name, **subject.named) if d["requirement"] in only
    ]
    asked = [_Asked.of(deviation) for deviation in deviations]
    ids = {transport: [one.requirement for one in asked if one.transport == transport] for transport in TRANSPORTS}
    plain = [(transport, tuple(named)) for transport, named in ids.items() if named]
    runs = {transport: report for (transport, _), report in spread(partial(_plain, subject), plain, engine)}
    rows = []
    for one, trial in spread(partial(_tried if every else _met, subject), asked, engine):
        rows.append(_row(one, whole(runs[one.transport]), whole(trial)))
        if told is not None:
            told(rows[-1])
    order = {identifier: place for place, identifier in enumerate(wanted)}
    rows.sort(key=lambda row: order[row.requirement])
    proved = {row.requirement for row in rows if row.killed}
    return Matrix(
        contract=contract.name,
        edition=subject.edition,
        rows=tuple(rows),
        unproved=tuple(i for i in wanted if i not in proved),
    )


class _Asked(NamedTuple):
    """A deviation, and over which transport it is met."""

    requirement: str
    what: str
    transport: str

    @classmethod
    def of(cls, deviation: Mapping[str, Any]) -> Self:
        return cls(deviation["requirement"], deviation["what"], SERVED.get(deviation["transport"] or "", IN_PROCESS))


def _on_trial(about: Requirement, contract: Contract) -> bool:
    """What only the reference's own tests can show is not, nor what another edition holds."""
    return about.seen != "reference" and about.is_of(contract.edition)


class Trial(Struct, frozen=True):
    """A run against the target with a deviation, and whether the finding could be reproduced."""

    report: Report
    reproduced: bool


def _plain(subject: Subject, part: tuple[str, Sequence[str]]) -> Report:
    """The reference over a transport, by the stimuli of the requirements that are broken over it."""
    transport, requirements = part
    return run(subject, transport, protocol=False, only=tuple(dict.fromkeys(requirements)))


def _tried(subject: Subject, asked: _Asked) -> Trial:
    """A run with the deviation of a requirement, then the command that its report prints for the finding."""
    requirement, transport = asked.requirement, asked.transport
    report = run(subject, transport, (requirement,))
    root = next((finding for finding in report.roots if finding.requirement == requirement), None)
    if root is None:
        return Trial(report, reproduced=False)
    words = reproducer(report, root).split()
    stimuli = [words[place + 1] for place, word in enumerate(words) if word == "--stimulus"]
    again = run(subject, transport, (requirement,), only=[requirement], stimuli=stimuli)
    return Trial(report, reproduced=_of(again, requirement).verdict in (Verdict.FAIL, Verdict.WARN))


def _met(subject: Subject, asked: _Asked) -> Trial:
    """A run with the deviation of a requirement, of its own stimuli; of all where those do not show it."""
    requirement, transport = asked.requirement, asked.transport
    report = run(subject, transport, (requirement,), only=[requirement])
    found = _of(report, requirement).verdict in (Verdict.FAIL, Verdict.WARN)
    return Trial(report, reproduced=True) if found else _tried(subject, asked)


def _row(asked: _Asked, reference: Report, trial: Trial) -> Row:
    identifier, deviated = asked.requirement, trial.report
    before, after = _of(reference, identifier), _of(deviated, identifier)
    return Row(
        requirement=identifier,
        deviation=asked.what,
        transport=asked.transport,
        reference=before.verdict,
        deviated=after.verdict,
        root=after.verdict in (Verdict.FAIL, Verdict.WARN),
        subjects=after.subjects,
        reproduced=trial.reproduced,
    )


def _of(report: Report, identifier: str) -> RequirementResult:
    return next(result for result in report.requirements if result.id == identifier)
