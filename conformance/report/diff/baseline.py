"""A report held against an older one: what is known from there, and what got worse."""

from msgspec.structs import replace

from conformance.report.diff.compare import compare
from conformance.report.diff.sections import verdict
from conformance.report.model import Report


def against(report: Report, old: Report) -> Report:
    """The report with its comparison; its claim stays what it is, and says besides what became of the baseline.

    IncomparableError where the two are of different contracts, or the old one claims nothing. A report that itself
    claims nothing is given back as it is: there is nothing to compare.
    """
    if report.fault:
        return report
    diff = compare(old, report, strict=report.strict)
    said = verdict(diff)
    since = f"Compared with the baseline of {old.started_at}: {said[0].lower()}{said[1:]}"
    return replace(report, baseline=diff, claim=f"{report.claim} {since}")
