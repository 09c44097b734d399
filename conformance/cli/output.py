"""Where a report goes: to the terminal, to standard output in a format, to files."""

import argparse
import sys
from types import TracebackType
from typing import TYPE_CHECKING, Self

from conformance.report.build import exit_code
from conformance.report.model import Report
from conformance.report.writers import format_of, write

if TYPE_CHECKING:
    from conformance.report.terminal import Progress


class Shown:
    """What a person sees while a run goes on; nothing where nobody looks or a format is printed."""

    def __init__(self, given: argparse.Namespace) -> None:
        self._bar: Progress | None = None
        if given.format in (None, "terminal") and sys.stderr.isatty():
            from conformance.report import terminal  # noqa: PLC0415 -- only for a person

            self._bar = terminal.Progress()

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


def tell(report: Report, given: argparse.Namespace) -> int:
    """Writes the report wherever it is wanted; gives the exit code."""
    for path in given.output:
        # One file: --format names its format. Several: each by its suffix.
        chosen = given.format if len(given.output) == 1 and given.format not in (None, "terminal") else None
        write(report, chosen or format_of(path), path)
    if not given.output or given.format in (None, "terminal"):
        write(report, given.format or "terminal", None)
    return exit_code(report)
