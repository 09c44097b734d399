"""What came of one target or transcript of a fleet, in a row that a table can hold."""

from typing import Literal

from msgspec import Struct

from conformance.model.verdict import Verdict
from conformance.report.model import Report
from conformance.report.words import introduced, state

State = Literal["conforms", "broken", "inconclusive", "error"]
STATES: dict[Verdict, State] = {
    Verdict.PASS: "conforms",
    Verdict.FAIL: "broken",
    Verdict.NOT_OBSERVED: "inconclusive",
    Verdict.ERROR: "error",
}


class Row(Struct, frozen=True, kw_only=True):
    """One target. Where it has no report, `error` says why, and the counts are 0."""

    name: str
    key: str
    """Digest of what was asked: the same target, asked the same, has the same one."""
    state: State
    contract: str
    edition: str = ""
    claim: str = ""
    error: str = ""
    server: str = ""
    """As it introduced itself."""
    applicable: int = 0
    """MUSTs that apply; the next four add up to it."""
    held: int = 0
    broken: int = 0
    untested: int = 0
    excused: int = 0
    failed: tuple[str, ...] = ()
    """Requirements that are broken on their own account, a MUST or not."""
    passed: tuple[str, ...] = ()
    calls: int = 0
    judged: int = 0
    duration_ms: int = 0
    started_at: str = ""
    suite: str = ""
    seed: int = 0
    report: str = ""
    """Its report's file, beside the row's own."""


def row_of(report: Report, name: str, key: str, file: str) -> Row:
    """The row of a target that has a report."""
    return Row(
        name=name,
        key=key,
        state=STATES[state(report)],
        contract=report.contract,
        edition=report.edition,
        claim=report.claim,
        error=report.fault,
        server=introduced(report),
        applicable=report.musts.applicable,
        held=report.musts.held,
        broken=report.musts.broken,
        untested=report.musts.untested,
        excused=report.musts.excused,
        failed=tuple(dict.fromkeys(finding.requirement for finding in report.roots)),
        passed=tuple(r.id for r in report.requirements if r.verdict is Verdict.PASS),
        calls=report.calls,
        judged=report.judged,
        duration_ms=report.duration_ms,
        started_at=report.started_at,
        suite=report.suite,
        seed=report.seed,
        report=file,
    )
