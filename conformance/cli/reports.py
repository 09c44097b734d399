"""Reports that are given to a command: a .json file, or the folder of a bundle."""

from pathlib import Path

from conformance.drive.errors import UsageError
from conformance.report.json import UnreadableReportError, load
from conformance.report.model import Report

REPORT = "report.json"
"""The report's name within a bundle."""


def report_of(path: Path, option: str = "") -> Report:
    """The report in a file, or in a bundle; UsageError where there is none. A bundle is not verified."""
    try:
        return load(path / REPORT if path.is_dir() else path)
    except OSError as error:
        todo = "conformance run --output report.json writes one"
        raise UsageError(f"{path} cannot be read", option, error.strerror or "", todo) from error
    except UnreadableReportError as error:
        todo = "give a report that conformance run --output report.json wrote, or a bundle of conformance certify"
        raise UsageError(str(error), option, todo=todo) from error
