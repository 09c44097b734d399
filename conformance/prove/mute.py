"""Mute tools: a server that refuses every call of one tool, with a plausible code, never conforms."""

from collections.abc import Callable, Sequence
from functools import partial

from msgspec import Struct

from conformance.certify import contract_of
from conformance.drive.target import entry
from conformance.engine import Engine, spread, whole
from conformance.prove.runs import Subject, run
from conformance.report.build import exit_code

PREFIX = "mute:"


class Row(Struct, frozen=True, kw_only=True):
    """One tool on trial."""

    tool: str
    exit: int
    """The exit code of the run: 0 would say that the server conforms."""
    roots: tuple[str, ...]
    """Requirements that failed on their own account."""
    claim: str

    @property
    def passed(self) -> bool:
        """Whether the suite let the server conform."""
        return self.exit == 0


class Silence(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The trial of a contract, as reports/mute-<contract>.json holds it."""

    contract: str
    edition: str | None = None
    rows: tuple[Row, ...]


def mute(subject: Subject, *, engine: Engine, told: Callable[[Row], None]) -> Silence:
    """Runs the suite at the target once for each tool that it can mute."""
    tools: Sequence[str] = entry(subject.target).mutes(subject.contract, **subject.named)
    rows = []
    for _, row in spread(partial(_tried, subject), tools, engine):
        rows.append(whole(row))
        told(rows[-1])
    rows.sort(key=lambda row: tools.index(row.tool))
    return Silence(contract=subject.contract, edition=subject.edition, rows=tuple(rows))


def _tried(subject: Subject, tool: str) -> Row:
    # a protocol has no tools of its own, and cannot say which calls have to be accepted: that is a SHOULD there
    strict = not contract_of(subject.contract).tools
    report = run(subject, deviations=(f"{PREFIX}{tool}",), strict=strict)
    roots = tuple(dict.fromkeys(finding.requirement for finding in report.roots))
    return Row(tool=tool, exit=exit_code(report), roots=roots, claim=report.claim)
