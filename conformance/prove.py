"""The suite on trial: for every requirement a server that breaks it, and whether the suite catches that one.

A requirement is proved where the reference passes it with a subject, and the reference with its deviation fails it as
a root finding.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import Any

from msgspec import Struct

from conformance.certify import Options, certify, contract_of
from conformance.contract.catalogue import Contract
from conformance.drive.loading import checked
from conformance.drive.target import entry
from conformance.model.requirement import Requirement
from conformance.model.verdict import Verdict
from conformance.report.model import Report, RequirementResult

IN_PROCESS = "in-process"
CALL_TIMEOUT_S = {IN_PROCESS: 1.0}
"""Some deviations never answer: waiting for them is most of the time that proving takes in process."""
SERVED = {"stdio": "stdio", "http": "http", "v1": "http"}
"""How the reference is served for a deviation that is bound to a transport."""


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
    also: tuple[str, ...]
    """Other requirements that failed on their own account."""

    @property
    def killed(self) -> bool:
        """Whether the suite caught the deviation."""
        return (
            self.reference == Verdict.PASS
            and self.deviated in (Verdict.FAIL, Verdict.WARN)
            and self.root
            and self.subjects > 0
        )


class Matrix(Struct, frozen=True, kw_only=True):
    """The kill matrix of a contract, as reports/kill-matrix-<contract>.json holds it."""

    contract: str
    rows: tuple[Row, ...]
    unproved: tuple[str, ...]
    """Requirements that no deviation proves."""


def prove(
    contract: Contract, target: str, *, only: Sequence[str], jobs: int, told: Callable[[Row], None] | None = None
) -> Matrix:
    """Puts a contract's requirements on trial; `told` hears of each row as it is decided."""
    wanted = [r.id for r in contract.requirements.values() if r.id in only and _on_trial(r, contract)]
    deviations: list[Mapping[str, Any]] = [
        d for d in entry(target).deviations(contract.name) if d["requirement"] in only
    ]
    transports = sorted({SERVED.get(d["transport"] or "", IN_PROCESS) for d in deviations})
    rows = []
    with ProcessPoolExecutor(jobs) as pool:
        runs = {name: pool.submit(_run, contract.name, target, name, ()) for name in transports}
        trials = {
            pool.submit(
                _run, contract.name, target, SERVED.get(d["transport"] or "", IN_PROCESS), (d["requirement"],)
            ): d
            for d in deviations
        }
        for trial in as_completed(trials):
            about = trials[trial]
            transport = SERVED.get(about["transport"] or "", IN_PROCESS)
            row = _row(about, transport, runs[transport].result(), trial.result())
            rows.append(row)
            if told is not None:
                told(row)
    order = {identifier: place for place, identifier in enumerate(wanted)}
    rows.sort(key=lambda row: order[row.requirement])
    proved = {row.requirement for row in rows if row.killed}
    return Matrix(contract=contract.name, rows=tuple(rows), unproved=tuple(i for i in wanted if i not in proved))


def _on_trial(about: Requirement, contract: Contract) -> bool:
    """What only the reference's own tests can show is not, nor what another edition holds."""
    editions = about.applies.editions
    return about.seen != "reference" and (not editions or contract.edition in editions)


def _run(contract: str, target: str, transport: str, deviations: tuple[str, ...]) -> Report:
    data = dict(entry(target).statement(contract, transport=transport, deviations=deviations))
    if transport in CALL_TIMEOUT_S:
        data["limits"] = {**data.get("limits", {}), "call_timeout_s": CALL_TIMEOUT_S[transport]}
    return certify(checked(data, f"the statement of {target}"), Options(seed=1))


def _row(about: Mapping[str, Any], transport: str, reference: Report, deviated: Report) -> Row:
    identifier = about["requirement"]
    before, after = _of(reference, identifier), _of(deviated, identifier)
    return Row(
        requirement=identifier,
        deviation=about["what"],
        transport=transport,
        reference=before.verdict,
        deviated=after.verdict,
        root=after.verdict in (Verdict.FAIL, Verdict.WARN),
        subjects=after.subjects,
        also=tuple(sorted(_failing(deviated) - _failing(reference) - {identifier})),
    )


def _of(report: Report, identifier: str) -> RequirementResult:
    return next(result for result in report.requirements if result.id == identifier)


def _failing(report: Report) -> set[str]:
    return {
        result.id for result in report.requirements if result.verdict in (Verdict.FAIL, Verdict.WARN, Verdict.ERROR)
    }


def contracts_of(target: str, names: Sequence[str]) -> Iterator[Contract]:
    """The contracts that are to be proved: those named, else all that the target serves."""
    return map(contract_of, names or entry(target).CONTRACTS)
