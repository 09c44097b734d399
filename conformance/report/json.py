"""The report as JSON: what every other format can be written from again."""

from pathlib import Path

import msgspec

from conformance.report.model import FORMAT, Report
from conformance.report.printable import plain

LARGEST = 200_000_000
"""Octets. A run keeps at most 128 MB; a report holds the part of them that is evidence."""
LONGEST = 2**53
"""Milliseconds or microseconds."""
INDENTED = 10_000_000
"""Octets up to which it is indented. That may make six of one, and a report of more than LARGEST is not read back."""
_ENCODER = msgspec.json.Encoder(order="deterministic")


class UnreadableReportError(ValueError):
    """The file is no report of this suite, or one of a later form."""


def render(report: Report) -> str:
    """The report, indented by two unless it is large; equal reports give equal text."""
    octets = _ENCODER.encode(report)
    if len(octets) <= INDENTED:
        octets = msgspec.json.format(octets, indent=2)
    # `##[error]` anywhere in a line is a command of some CIs; in JSON only a text holds it, which may be escaped
    return octets.decode().replace("##[", "##\\u005b") + "\n"


def load(path: Path) -> Report:
    """Reads a report back; UnreadableReportError where the file holds none. OSError: the file cannot be read."""
    if path.stat().st_size > LARGEST:
        raise UnreadableReportError(f"{path} is larger than {LARGEST // 1_000_000} MB: no report of this suite is")
    try:
        report = msgspec.json.decode(path.read_bytes(), type=Report)
    except (msgspec.DecodeError, RecursionError) as error:
        message = f"{path} is no report of this suite: {error}"
        raise UnreadableReportError(message) from error
    if report.format > FORMAT:
        message = f"{path} has the form {report.format}, this suite reads up to {FORMAT}: use a later suite"
        raise UnreadableReportError(message)
    if unfit := _unfit(report):
        raise UnreadableReportError(f"{path} is no report of this suite: {unfit}")
    return report


def _unfit(report: Report) -> str:
    """What a report of ours cannot hold, so that no writer meets it; empty where it is one."""
    known = {result.id for result in (*report.requirements, *report.foundation)}
    strange = [root.requirement for root in report.roots if root.requirement not in known]
    if strange:
        return f"it has a finding on {plain(strange[0], 60)}, and no result of it"
    times = [report.duration_ms, *(time for call in report.evidence for time in (call.sent_us, call.took_us or 0))]
    return "a time in it is beyond all measure" if any(abs(time) > LONGEST for time in times) else ""
