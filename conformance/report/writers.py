"""Writes a report in a named format, to a file or to standard output."""

import io
import re
import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Protocol, cast

from conformance.report.model import Report

TERMINAL = "terminal"
FORMATS: Mapping[str, str] = MappingProxyType(
    {
        "json": "conformance.report.json",
        "junit": "conformance.report.junit",
        "markdown": "conformance.report.markdown",
        "html": "conformance.report.html.page",
        "sarif": "conformance.report.sarif",
        "github": "conformance.report.github",
        "badge": "conformance.report.badge",
        "shields": "conformance.report.shields",
    }
)
"""Each format's module, imported when it is asked for; `terminal` besides them."""
SUFFIXES: Mapping[str, str] = MappingProxyType(
    {
        ".json": "json",
        ".xml": "junit",
        ".md": "markdown",
        ".html": "html",
        ".sarif": "sarif",
        ".txt": TERMINAL,
        ".svg": TERMINAL,
    }
)
BADGES: Mapping[str, str] = MappingProxyType({"badge.svg": "badge", "badge.json": "shields"})
"""How the name of a file ends that holds a badge: badge.svg, threads-badge.svg, threads.badge.json."""
FILE_WIDTH = 100
NARROWEST = 40
"""Columns that a terminal is taken to have at least: what says that it has fewer is seldom right."""
FONT_FACES = re.compile(r"@font-face \{\{.*?\}\}\s*", re.DOTALL)
"""Rich fetches its picture's font from the network; a picture of ours fetches nothing."""


class _Renderer(Protocol):
    def render(self, report: Report) -> str:
        """The report as text."""


class UnknownFormatError(ValueError):
    """No format has this name, or none belongs to the file's suffix."""

    def __init__(self, what: str) -> None:
        files = ", ".join((*SUFFIXES, *BADGES))
        todo = f"end the name in what it is to hold ({files}), or give --format: {', '.join((TERMINAL, *FORMATS))}"
        super().__init__(f"{what}; {todo}")
        self.what, self.todo = what, todo


def format_of(path: Path | None) -> str:
    """The format that a file's suffix asks for; `terminal` for standard output. UnknownFormatError for any other."""
    if path is None:
        return TERMINAL
    badge = next((form for ending, form in BADGES.items() if path.name.lower().endswith(ending)), None)
    found = badge or SUFFIXES.get(path.suffix.lower())
    if found is None:
        raise UnknownFormatError(f"{path} has no suffix that names a format")
    return found


def write(report: Report, format: str | None = None, path: Path | None = None) -> None:  # noqa: A002 -- the option's name
    """Writes to `path`, or to standard output where it is None, in UTF-8. Without a format the suffix decides.

    UnknownFormatError where that decides nothing; OSError where the file cannot be written. Folders on the way are
    made.
    """
    name = format if format is not None else format_of(path)
    if name == TERMINAL:
        _terminal(report, path)
        return
    if name not in FORMATS:
        raise UnknownFormatError(f"no format is named {name!r}")
    text = cast("_Renderer", import_module(FORMATS[name])).render(report)
    if path is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode())
        sys.stdout.buffer.flush()
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8", newline="\n")


def _terminal(report: Report, path: Path | None) -> None:
    from rich._export_format import CONSOLE_SVG_FORMAT  # noqa: PLC0415 -- as below
    from rich.console import Console  # noqa: PLC0415 -- the other formats start without it

    from conformance.report.terminal import render  # noqa: PLC0415 -- as above

    if path is None:
        console = Console()
        console.width = max(console.width, NARROWEST)
        render(report, console)
        sys.stdout.flush()
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".svg":
        picture = Console(file=io.StringIO(), record=True, width=FILE_WIDTH, force_terminal=True)
        render(report, picture)
        form = FONT_FACES.sub("", CONSOLE_SVG_FORMAT).replace("Fira Code", "ui-monospace")
        path.write_text(picture.export_svg(title=report.command, code_format=form), "utf-8", newline="\n")
        return
    with path.open("w", encoding="utf-8", newline="\n") as file:
        render(report, Console(file=file, width=FILE_WIDTH))
