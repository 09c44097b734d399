"""conformance judge FILE: the verdicts of a recorded run, derived again from its transcript."""

import argparse
from pathlib import Path

from conformance.certify import rejudge
from conformance.cli import options
from conformance.cli.output import baseline_of, tell
from conformance.drive.errors import UsageError


def configure(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    parser.add_argument("transcript", metavar="FILE", type=Path, help="what conformance run --transcript wrote")
    options.add_selection(parser)
    options.add_strictness(parser)
    options.add_baseline(parser)
    options.add_output(parser)


def run(given: argparse.Namespace) -> int:
    """Judges it; gives the exit code."""
    try:
        report = rejudge(given.transcript, options.selection(given))
    except OSError as error:
        raise UsageError(f"{given.transcript} cannot be read", why=error.strerror or "") from error
    return tell(report, given, baseline_of(given, report.contract))
