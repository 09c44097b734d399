"""conformance diff OLD NEW: what changed from one report to another. Exit: 0, 1 something got worse, 2 bad input."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType

import msgspec

from conformance.cli.ending import epilog
from conformance.cli.reports import report_of
from conformance.drive.errors import UsageError
from conformance.report.diff import markdown
from conformance.report.diff.compare import IncomparableError, compare
from conformance.report.diff.model import Diff


def _json(diff: Diff) -> str:
    # as in a report: no CI is to obey what a server says
    text = msgspec.json.format(msgspec.json.encode(diff), indent=2).decode()
    return text.replace("##[", "##\\u005b") + "\n"


WRITERS: "MappingProxyType[str, Callable[[Diff], str]]" = MappingProxyType({".md": markdown.render, ".json": _json})
"""The writer that belongs to a file's suffix."""


EPILOG = epilog(
    ("0  nothing got worse", "1  something got worse", "2  bad invocation, or a file that is no report"),
    "conformance diff old.json new.json",
    "conformance diff old.json new.json --output changes.md   for a pull request",
)


def configure(parser: argparse.ArgumentParser) -> None:
    """Its options."""
    what = "a report (.json), or a bundle of conformance certify; a bundle is not verified here"
    parser.add_argument("old", metavar="OLD", type=Path, help=what)
    parser.add_argument("new", metavar="NEW", type=Path, help="the same, of the later run")
    parser.add_argument("--strict", action="store_true", help="what is worse in a SHOULD or MAY counts as well")
    parser.add_argument(
        "--output",
        metavar="FILE",
        type=Path,
        action="append",
        default=[],
        help="also write a file: .md for a pull request, or .json",
    )


def run(given: argparse.Namespace) -> int:
    """Compares them; 1 where something got worse."""
    for path in given.output:
        if path.suffix.lower() not in WRITERS:
            raise UsageError(f"{path} has no suffix that names a format", "--output", todo="name it .md or .json")
    try:
        diff = compare(report_of(given.old, "OLD"), report_of(given.new, "NEW"), strict=given.strict)
    except IncomparableError as error:
        raise UsageError(str(error), todo="give two reports on the same contract") from error
    _print(diff)
    for path in given.output:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(WRITERS[path.suffix.lower()](diff), "utf-8", newline="\n")
        except OSError as error:
            raise UsageError(f"{path} cannot be written", "--output", error.strerror or "") from error
    return 1 if diff.regressed else 0


def _print(diff: Diff) -> None:
    from rich.console import Console  # noqa: PLC0415 -- only what is used is imported

    from conformance.report.diff.terminal import render  # noqa: PLC0415 -- as above

    render(diff, Console())
    sys.stdout.flush()
