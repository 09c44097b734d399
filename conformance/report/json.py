"""The report as JSON: what every other format can be written from again."""

from pathlib import Path

import msgspec

from conformance.report.model import FORMAT, Report

_ENCODER = msgspec.json.Encoder(order="deterministic")


class UnreadableReportError(ValueError):
    """The file is no report of this suite, or one of a later form."""


def render(report: Report) -> str:
    """The report, indented by two; equal reports give equal text."""
    # `##[error]` anywhere in a line is a command of some CIs; in JSON only a text holds it, which may be escaped
    return msgspec.json.format(_ENCODER.encode(report), indent=2).decode().replace("##[", "##\\u005b") + "\n"


def load(path: Path) -> Report:
    """Reads a report back; UnreadableReportError where the file holds none."""
    try:
        report = msgspec.json.decode(path.read_bytes(), type=Report)
    except (msgspec.DecodeError, RecursionError) as error:
        message = f"{path} is no report of this suite: {error}"
        raise UnreadableReportError(message) from error
    if report.format > FORMAT:
        message = f"{path} has the form {report.format}, this suite reads up to {FORMAT}: use a later suite"
        raise UnreadableReportError(message)
    return report
