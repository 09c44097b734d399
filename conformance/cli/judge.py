"""conformance judge FILES: the verdicts of recorded runs, derived again from their transcripts."""

import argparse
from pathlib import Path

from conformance.certify import contract_of, rejudge
from conformance.cli import fleet, options
from conformance.cli.ending import JUDGED, epilog
from conformance.cli.output import baseline_of, tell
from conformance.drive.errors import UsageError

EPILOG = epilog(
    JUDGED,
    "conformance judge run.jsonl                             verdicts of a recorded run, without the server",
    "conformance judge run.jsonl --output report.html",
    "conformance judge runs/a.jsonl runs/b.jsonl --into judged",
)
REMOTE = "://"


def configure(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    parser.add_argument(
        "transcript",
        metavar="FILE",
        nargs="+",
        help="what --transcript of run or tap wrote; of several each is judged in a process of its own",
    )
    parser.add_argument(
        "--contract", metavar="NAME|PATH", help="the contract: its folder, or for what a tap recorded any"
    )
    parser.add_argument("--edition", metavar="NAME", help="of that contract, where it has several")
    options.add_selection(parser)
    options.add_strictness(parser)
    options.add_baseline(parser)
    options.add_output(parser)
    parser.set_defaults(again=True)
    group = fleet.add_spread(parser)
    group.add_argument(
        "--into", metavar="FOLDER", type=Path, default=Path("judged"), help="where the results of several go (judged)"
    )


def run(given: argparse.Namespace) -> int:
    """Judges it, or them; gives the exit code."""
    if len(given.transcript) > 1 or REMOTE in given.transcript[0]:
        return _several(given)
    path = Path(given.transcript[0])
    try:
        contract = contract_of(given.contract).name if given.contract else None
        report = rejudge(path, options.selection(given, contract=contract, edition=given.edition))
    except OSError as error:
        raise UsageError(f"{path} cannot be read", why=error.strerror or "") from error
    return tell(report, given, baseline_of(given, report.contract))


def _several(given: argparse.Namespace) -> int:
    if given.output or given.format or given.stimulus or given.level or given.without or given.baseline:
        todo = "for several files give --only, --strict, --into and --parquet; each has its report in the folder"
        raise UsageError("an option for one file stands beside several", todo=todo)
    return fleet.several(given, given.transcript, given.into)
