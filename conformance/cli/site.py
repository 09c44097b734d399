"""conformance site DIR: static pages on each contract, and on the targets whose reports are given."""

import argparse
from pathlib import Path

from conformance.cli.ending import DONE, epilog
from conformance.drive.errors import UsageError
from conformance.report.json import UnreadableReportError, load
from conformance.report.site.writing import write

EPILOG = epilog(
    DONE,
    "conformance site pages                                  a page for each contract",
    "conformance site pages a/report.json b/report.json      and who conforms to what",
)


def configure(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    parser.add_argument("folder", metavar="DIR", type=Path, help="where the pages are written; it is made")
    parser.add_argument(
        "reports", metavar="REPORT.json", type=Path, nargs="*", help="what conformance run --output report.json wrote"
    )


def run(given: argparse.Namespace) -> int:
    """Writes them; 0 where they stand, whatever the reports say."""
    reports = []
    for path in given.reports:
        try:
            reports.append(load(path))
        except OSError as error:
            raise UsageError(f"{path} cannot be read", why=error.strerror or "") from error
        except UnreadableReportError as error:
            raise UsageError(str(error), todo="give what `conformance run --output report.json` wrote") from error
    try:
        written = write(given.folder, reports)
    except OSError as error:
        raise UsageError(f"{error.filename or given.folder} cannot be written", why=error.strerror or "") from error
    print(f"{written[0]}: {len(written)} pages, {len(reports)} of them reports")
    return 0
