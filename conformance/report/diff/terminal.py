"""A comparison on a terminal."""

from collections.abc import Iterator

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from conformance.report.diff.model import Diff, Side
from conformance.report.diff.sections import Entry, sections, verdict
from conformance.report.printable import plain
from conformance.report.terminal import WIDEST
from conformance.report.words import PLAIN_GLYPHS, some

MOST_DETAILS = 3
"""Findings of one requirement that are shown."""


def render(diff: Diff, console: Console) -> None:
    """Prints it."""
    width = min(console.width, WIDEST)
    unicode = console.encoding.lower().startswith("utf")
    for indent, text in _lines(diff):
        if not text.plain:
            console.print()
            continue
        shown = text if unicode else Text(text.plain.translate(PLAIN_GLYPHS), style=text.style)
        console.print(Padding(shown, (0, 0, 0, indent), expand=False), width=width, highlight=False)


def _lines(diff: Diff) -> Iterator[tuple[int, Text]]:
    """Each line with its indent."""
    yield 0, Text.assemble(("old  ", "dim"), _side(diff.old))
    yield 0, Text.assemble(("new  ", "dim"), _side(diff.new))
    for fact in diff.facts:
        yield 0, Text(plain(fact), style="yellow")
    for section in sections(diff):
        look = section.look
        yield 0, Text()
        yield 0, Text(f"{look.heading}: {len(section.entries)}", style=look.style)
        for entry in section.entries:
            yield from _entry(entry, look.glyph, look.style)
    yield 0, Text()
    yield 0, Text(f"{some(diff.same, 'requirement')} unchanged", style="dim")
    yield 0, Text(plain(diff.new.claim))
    yield 0, Text(plain(verdict(diff)), style="bold red" if diff.regressed else "green")


def _entry(entry: Entry, glyph: str, style: str) -> Iterator[tuple[int, Text]]:
    name = f"{plain(entry.name, 80)} {plain(entry.level)}".strip()
    head = f"{name}  " if name else ""
    verdicts = f"{plain(entry.verdicts)}: " if entry.verdicts else ""
    yield 2, Text.assemble((f"{glyph} ", style), (head, style), f"{verdicts}{plain(entry.what, 600)}")
    for label, saw in entry.details[:MOST_DETAILS]:
        yield 6, Text.assemble((f"{label}: ", "dim"), plain(saw, 300))
    if entry.details[MOST_DETAILS:]:
        yield 6, Text(f"and {len(entry.details) - MOST_DETAILS} more", style="dim")


def _side(side: Side) -> str:
    return f"{plain(side.target)}, {plain(side.started_at)}, suite {plain(side.suite)}"
