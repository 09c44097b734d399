"""One live line while a run goes on; nothing at all where nobody watches."""

from collections.abc import Callable
from types import TracebackType
from typing import Self

from rich import progress
from rich.console import Console

from conformance.report.printable import plain


class Progress:
    """Shown while it is entered, gone after.

    Without a console it goes to standard error, so that what is printed on standard output stays clean.
    """

    def __init__(self, console: Console | None = None, calls: Callable[[], int] | None = None) -> None:
        """`calls` gives how many calls were made so far; without it they are not told."""
        self._calls = calls
        console = console or Console(stderr=True)
        columns: list[progress.ProgressColumn] = [
            progress.SpinnerColumn(style="blue"),
            progress.BarColumn(bar_width=24, complete_style="blue", finished_style="blue"),
            progress.TextColumn("{task.description}", markup=False),
        ]
        self._line = progress.Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
        self._task = self._line.add_task("connecting", total=None)

    def __enter__(self) -> Self:
        self._line.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._line.stop()

    def advance(self, stimulus: str, over: int, whole: int) -> None:
        """A stimulus is over, so many of all of them."""
        calls = f" · {self._calls():,} calls" if self._calls is not None else ""
        name = plain(stimulus.rpartition(".")[2].replace("_", " "), 40)
        self._line.update(
            self._task, completed=over, total=whole, description=f"{over}/{whole} stimuli{calls} · {name}"
        )
