"""What there is to tell of a comparison, gathered once: every format tells it in this order."""

from collections.abc import Iterator
from typing import NamedTuple

from conformance.model.verdict import Verdict
from conformance.report.diff.model import Change, Diff, ToolChange, Weight
from conformance.report.words import LOOKS, some


class Look(NamedTuple):
    """How changes of one weight are headed."""

    glyph: str
    heading: str
    style: str
    """Of the terminal."""


HEADED = {
    Weight.WORSE: Look("✗", "got worse", "bold red"),
    Weight.ADVISED: Look("▲", "got worse in what is only recommended", "yellow"),
    Weight.EXCUSED: Look("≈", "excused by the statement since", "yellow"),
    Weight.BETTER: Look("✓", "got better", "green"),
    Weight.OTHER: Look("·", "changed otherwise", "dim"),
}


class Entry(NamedTuple):
    """One change."""

    name: str
    """A requirement's id, or a tool; empty where the change is in the run as a whole."""
    level: str
    verdicts: str
    """`pass → fail`; empty where there are none."""
    what: str
    details: tuple[tuple[str, str], ...]
    """What was seen: `new finding` or `gone finding`, and the sentence."""


class Section(NamedTuple):
    """Changes of one weight."""

    look: Look
    entries: tuple[Entry, ...]


def sections(diff: Diff) -> Iterator[Section]:
    """Those that have something to tell, what weighs most first."""
    for weight, look in HEADED.items():
        whole = [Entry("", "", "", what, ()) for what in diff.worse] if weight is Weight.WORSE else []
        changes = [_change(change) for change in diff.changes if change.weight is weight]
        tools = [_tool(change) for change in diff.tools if change.weight is weight]
        if whole or changes or tools:
            yield Section(look, (*whole, *changes, *tools))


def verdict(diff: Diff) -> str:
    """The result in a sentence."""
    if not diff.regressed:
        known = [f"{some(len(diff.known), 'requirement')} broken or blocked"] if diff.known else []
        known += [f"{some(len(diff.untested), 'MUST')} not tested"] if diff.untested else []
        return f"Nothing got worse{' (' + ', '.join(known) + ', as before)' if known else ''}."
    parts = []
    if number := sum(change.weight is Weight.WORSE for change in diff.changes):
        parts.append(some(number, "requirement"))
    if number := sum(change.weight is Weight.WORSE for change in diff.tools):
        parts.append(some(number, "tool"))
    return f"Got worse: {', '.join(parts) or '; '.join(diff.worse)}."


def _change(change: Change) -> Entry:
    details = (*(("new finding", saw) for saw in change.fresh), *(("gone finding", saw) for saw in change.gone))
    return Entry(change.id, change.level, f"{_word(change.old)} → {_word(change.new)}", change.what, details)


def _tool(change: ToolChange) -> Entry:
    return Entry(change.name, "tool", "", change.what, ())


def _word(verdict: str) -> str:
    return LOOKS[Verdict(verdict)].word if verdict else "not judged"
