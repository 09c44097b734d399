"""Where a report goes: to the terminal, to standard output in a format, to files."""

import argparse
import os
import sys
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

import msgspec

from conformance.cli.reports import report_of
from conformance.drive.errors import UsageError
from conformance.histories.keeping import kept_in
from conformance.report import github
from conformance.report.build import exit_code
from conformance.report.diff.baseline import against
from conformance.report.model import Report
from conformance.report.printable import plain
from conformance.report.story import REPLAY, replaying
from conformance.report.writers import TERMINAL, UnknownFormatError, format_of, write

if TYPE_CHECKING:
    from conformance.report.progress import Progress


class Shown:
    """What a person sees while a run goes on; nothing where nobody looks or a format is printed."""

    def __init__(self, given: argparse.Namespace) -> None:
        self._bar: Progress | None = None
        if given.format in (None, TERMINAL) and sys.stderr.isatty():
            from conformance.report import progress  # noqa: PLC0415 -- only for a person

            self._bar = progress.Progress()

    def __enter__(self) -> Self:
        if self._bar is not None:
            self._bar.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.__exit__(kind, error, trace)

    def progress(self, stimulus: str, over: int, of: int) -> None:
        """Told by the runner after each stimulus."""
        if self._bar is not None:
            self._bar.advance(stimulus, over, of)


def _kept(report: Report, folder: Path) -> None:
    """Where the conversations of findings lie, and how one is replayed: no part of the report, but of this folder."""
    files = [path for finding in report.roots if (path := kept_in(folder, finding)).exists()]
    if files:
        print(f"calls    in {folder}: {', '.join(path.name for path in files)}")
    if files and not report.command.startswith(REPLAY):
        print(f"replay   {plain(replaying(report.command, str(files[0])))}")


def files_of(given: argparse.Namespace) -> list[tuple[Path, str]]:
    """The files that are wanted, each with its format; UsageError, before anything is run, where one has none.

    For one file --format names its format, for several each suffix does.
    """
    named = given.format if len(given.output) == 1 and given.format not in (None, TERMINAL) else None
    try:
        return [(path, named or format_of(path)) for path in given.output]
    except UnknownFormatError as error:
        raise UsageError(error.what, "--output", todo=error.todo) from error


def baseline_of(given: argparse.Namespace, contract: str) -> Report | None:
    """The report that a run on this contract is to be held against; UsageError where it cannot be."""
    if given.baseline is None:
        return None
    old = report_of(given.baseline, "--baseline")
    if old.contract != contract:
        what = f"{given.baseline} is a report on {old.contract}, and this run is about {contract}"
        raise UsageError(what, "--baseline", todo=f"give a report on {contract}")
    if old.fault:
        todo = "give another report, or none"
        raise UsageError(f"{given.baseline} claims nothing", "--baseline", old.fault, todo)
    return old


def tell(report: Report, given: argparse.Namespace, baseline: Report | None = None) -> int:
    """Writes the report wherever it is wanted; gives the exit code. A file that cannot be written keeps none back.

    Held against a baseline, only what got worse fails.
    """
    if baseline is not None:
        report = against(report, baseline)
    failed = []
    for path, form in files_of(given):
        try:
            write(report, form, path)
        except OSError as error:
            failed.append(f"{path} cannot be written: {error.strerror or error}")
    if not given.output or given.format in (None, TERMINAL):
        write(report, given.format or TERMINAL, None)
        if given.format in (None, TERMINAL) and getattr(given, "conversations", None) is not None:
            _kept(report, given.conversations)
    if _annotated(given):
        # beside what is printed: GitHub reads both streams
        sys.stderr.write(github.render(report))
        sys.stderr.flush()
    if failed:
        told = "the verdicts stand above, and in" if given.format in (None, TERMINAL) else "the verdicts stand in"
        others = f"{told} the files that were written" if len(failed) < len(given.output) else ""
        alone = "the verdicts stand above" if given.format in (None, TERMINAL) else "name a file that can be written"
        raise UsageError("; ".join(failed), "--output", todo=others or alone)
    if report.fault:
        print(f"conformance {given.command}: {report.fault}", file=sys.stderr)
    return exit_code(report)


def _annotated(given: argparse.Namespace) -> bool:
    """Whether annotations are printed: as asked, else where GitHub says that it runs this."""
    if given.format == "github" and not given.output:
        return False
    return given.annotations == "on" or (given.annotations == "auto" and os.environ.get("GITHUB_ACTIONS") == "true")


def written(found: msgspec.Struct, path: Path) -> None:
    """Writes a result as JSON; UsageError where it cannot be."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n")
    except OSError as error:
        raise UsageError(f"{path} cannot be written", "--output", error.strerror or "") from error
