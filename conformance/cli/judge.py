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
    parser.add_argument(
        "--judging-time",
        metavar="S",
        type=float,
        help="seconds that judging one file may take (120, and one more for each 2 MB); what is left is not observed",
    )
    parser.set_defaults(again=True)
    group = fleet.add_spread(parser)
    group.add_argument(
        "--into", metavar="FOLDER", type=Path, help="a folder for the results; those of several go to one (judged)"
    )


def run(given: argparse.Namespace) -> int:
    """Judges it, or them; gives the exit code."""
    if given.judging_time is not None and not given.judging_time > 0:
        raise UsageError(f"no run is judged in {given.judging_time:g} s", "--judging-time", todo="give more than 0")
    if len(given.transcript) > 1 or given.into is not None or REMOTE in given.transcript[0]:
        return _several(given)
    path, limit_s = Path(given.transcript[0]), given.judging_time
    try:
        contract = contract_of(given.contract).name if given.contract else None
        how = options.selection(given, contract=contract, edition=given.edition, judging_s=limit_s)
        report = rejudge(path, how)
    except OSError as error:
        raise UsageError(f"{path} cannot be read", why=error.strerror or "") from error
    return tell(report, given, baseline_of(given, report.contract))


def _several(given: argparse.Namespace) -> int:
    of_one = {"--output": given.output, "--format": given.format, "--baseline": given.baseline}
    named = " and ".join(name for name, value in of_one.items() if value)
    if named:
        todo = "leave it out: each file has its reports in the folder that --into names (judged)"
        raise UsageError(f"{named} is for one file, and several are judged, or --into is given", todo=todo)
    return fleet.several(given, given.transcript, given.into or Path("judged"))
