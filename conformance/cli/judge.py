"""conformance judge FILE: the verdicts of a recorded run, derived again from its transcript."""

import argparse
from pathlib import Path

from conformance.certify import contract_of, rejudge
from conformance.cli import options
from conformance.cli.output import tell
from conformance.drive.errors import UsageError


def configure(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    parser.add_argument("transcript", metavar="FILE", type=Path, help="what --transcript of run or tap wrote")
    parser.add_argument(
        "--contract", metavar="NAME|PATH", help="the contract: its folder, or for what a tap recorded any"
    )
    parser.add_argument("--edition", metavar="NAME", help="of that contract, where it has several")
    options.add_selection(parser)
    options.add_strictness(parser)
    options.add_output(parser)


def run(given: argparse.Namespace) -> int:
    """Judges it; gives the exit code."""
    try:
        contract = contract_of(given.contract).name if given.contract else None
        report = rejudge(given.transcript, options.selection(given, contract=contract, edition=given.edition))
    except OSError as error:
        raise UsageError(f"{given.transcript} cannot be read", why=error.strerror or "") from error
    return tell(report, given)
