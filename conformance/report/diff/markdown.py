"""A comparison as GitHub flavoured Markdown, for a pull request."""

from collections.abc import Iterator

from conformance.report.diff.model import Diff, Side
from conformance.report.diff.sections import Section, sections, verdict
from conformance.report.markdown import code, escaped
from conformance.report.words import some

MOST_ENTRIES = 50
MOST_DETAILS = 5


def render(diff: Diff) -> str:
    """The whole comment."""
    lines = [f"## {'❌' if diff.regressed else '✅'} {escaped(verdict(diff))}", "", escaped(diff.new.claim), ""]
    lines += ["| | target | started | suite |", "|---|---|---|---|"]
    lines += [f"| {name} | {_cells(side)} |" for name, side in (("old", diff.old), ("new", diff.new))]
    if diff.facts:
        lines += ["", *(f"- {escaped(fact)}" for fact in diff.facts)]
    for section in sections(diff):
        lines += ["", *_section(section)]
    return "\n".join([*lines, "", f"{some(diff.same, 'requirement')} unchanged."]) + "\n"


def _cells(side: Side) -> str:
    return " | ".join(code(cell).replace("|", "\\|") or "-" for cell in (side.target, side.started_at, side.suite))


def _section(section: Section) -> Iterator[str]:
    look = section.look
    yield f"### {look.glyph} {look.heading}: {len(section.entries)}"
    yield ""
    for entry in section.entries[:MOST_ENTRIES]:
        name = f"{code(entry.name)} {escaped(entry.level)} " if entry.name else ""
        verdicts = f"**{escaped(entry.verdicts)}**: " if entry.verdicts else ""
        yield f"- {name}{verdicts}{escaped(entry.what)}"
        for label, saw in entry.details[:MOST_DETAILS]:
            yield f"  - {label}: {escaped(saw, 300)}"
        if entry.details[MOST_DETAILS:]:
            yield f"  - and {len(entry.details) - MOST_DETAILS} more"
    if section.entries[MOST_ENTRIES:]:
        yield f"- and {len(section.entries) - MOST_ENTRIES} more"
