"""The report as GitHub flavoured Markdown, for the summary of a CI run."""

import re
from collections.abc import Iterable, Iterator

from conformance.model.verdict import Verdict
from conformance.report.asides import asides
from conformance.report.excerpt import excerpt
from conformance.report.first import Step, first
from conformance.report.model import Call, Report, RequirementResult
from conformance.report.printable import called, compact, plain
from conformance.report.story import ADVICE, Story, advice, changes, everything, sides, stories
from conformance.report.words import LOOKS, caveat, counted, introduced, some, state, totals

BAND = {Verdict.PASS: "✅", Verdict.FAIL: "❌"}
MOST_WHOLE = 20
"""Findings that are told whole: a job's summary may hold 1 MiB."""
_PUNCTUATION = re.compile(r"([\\`*_\[\]<>#|~&$]|^[-+=])")
_NUMBERED = re.compile(r"^(\d+)([.)])")
_LINKS = re.compile(r"(@(?=\w)|\bwww(?=\.)|\b(?:https?|ftp)(?=:)|\bGH(?=-\d)|#(?=\d)|:(?=\w+:))", re.IGNORECASE)
_FENCE = re.compile(r"`{3,}")


def escaped(text: str, limit: int = 600) -> str:
    """Text that Markdown shows as it is: no markup, no HTML, no link, nobody mentioned."""
    parts = _joined(_LINKS.split(plain(text, limit)))
    return _NUMBERED.sub(r"\1\\\2", "<!-- -->".join(_PUNCTUATION.sub(r"\\\1", part) for part in parts))


def _joined(parts: list[str]) -> Iterator[str]:
    """Each part with what makes a link at its end, so that a comment comes between the two."""
    for place in range(0, len(parts), 2):
        yield parts[place] + (parts[place + 1] if place + 1 < len(parts) else "")


def code(text: str, limit: int = 200) -> str:
    """Text in a code span that none of its backticks ends."""
    shown = plain(text, limit)
    if not shown.strip():
        return ""
    fence = "`" * (1 + max((len(run) for run in re.findall(r"`+", shown)), default=0))
    space = " " if shown[0] in "` " or shown[-1] in "` " else ""
    return f"{fence}{space}{shown}{space}{fence}"


def fenced(lines: Iterable[str], language: str = "text") -> list[str]:
    """A code block whose fence is longer than any in it."""
    inside = list(lines)
    longest = max((len(run) for line in inside for run in _FENCE.findall(line)), default=2)
    fence = "`" * (longest + 1)
    return [f"{fence}{language}", *inside, fence]


def render(report: Report) -> str:
    """The whole summary."""
    lines = [f"## {BAND.get(state(report), '⚠️')} {escaped(report.claim)}", ""]
    if said := caveat(report):
        lines += [f"**{escaped(said)}**", ""]
    lines += [*_about(report), "", *_totals(report)]
    if steps := first(report):
        lines += ["", "### What to do first", ""]
        lines += [f"{number}. {_step(step)}" for number, step in enumerate(steps, 1)]
    told = list(stories(report))
    if told:
        lines += ["", f"### {some(len(told), 'finding')}"]
    for story in told[:MOST_WHOLE]:
        lines += ["", *_story(story)]
    if told[MOST_WHOLE:]:
        lines += ["", f"And {some(len(told) - MOST_WHOLE, 'finding')} more:", ""]
        lines += [
            f"- {code(story.finding.requirement)} {escaped(story.finding.saw, 200)}" for story in told[MOST_WHOLE:]
        ]
    for aside in asides(report):
        lines += ["", f"{aside.glyph} **{escaped(aside.heading)}**".strip()]
        lines += [""] if aside.items else []
        lines += [f"- {_item(*item)}" for item in aside.items]
    lines += ["", *_requirements(report)]
    return "\n".join(lines) + "\n"


def _step(step: Step) -> str:
    return " ".join([escaped(step.text), ", ".join(map(code, step.ids))]).strip() + escaped(step.rest)


def _item(text: str, ids: Iterable[str]) -> str:
    """Something to say, and the requirements that it is about."""
    named = ", ".join(map(code, ids))
    return f"{escaped(text)}: {named}" if named else escaped(text)


def _about(report: Report) -> list[str]:
    parts = [f"{escaped(report.title)}, edition {code(report.edition)}", f"target {code(report.target.name)}"]
    if introduced(report):
        parts.append(f"introduced itself as {code(introduced(report))}")
    parts += [code(" · ".join((*report.target.endpoints, *report.target.revisions)))]
    parts += [f"{some(report.calls, 'call')}, {report.duration_ms / 1000:.1f} s, suite {code(report.suite)}"]
    parts += [f"seed {report.seed}", code(report.started_at), *([plain(report.fuzz)] if report.fuzz else [])]
    return [" · ".join(part for part in parts if part)]


def _totals(report: Report) -> list[str]:
    lines = ["| | verdict | requirements | |", "|---|---|---:|---|"]
    for verdict, number in counted(report):
        look = LOOKS[verdict]
        lines.append(f"| {look.glyph} | {look.word} | {number} | {look.means} |")
    return [*lines, "", escaped(totals(report))]


def _story(story: Story) -> list[str]:
    finding, result = story.finding, story.result
    glyph = LOOKS[result.verdict].glyph
    lines = [
        f"#### {glyph} {code(finding.requirement)} · {result.level} · {escaped(result.source)}",
        "",
        f"> {escaped(result.statement)}",
        "",
        f"**Seen**, {story.share}: {escaped(finding.saw)}",
        "",
        *(line for label, said in advice(result) for line in (f"**{ADVICE[label]}**: {escaped(said)}", "")),
        *fenced(_evidence(story)),
    ]
    if story.blocks:
        lines += ["", f"Blocks {', '.join(map(code, story.blocks))}."]
    if story.reproduce:
        lines += ["", "Reproduce:", "", *fenced([plain(story.reproduce)], "sh")]
    return lines


def _evidence(story: Story) -> Iterator[str]:
    finding = story.finding
    explained = changes(finding.expected, finding.got)
    for change in explained:
        expected, got = compact(change.expected, 200), compact(change.got, 200)
        expected, got = _side(expected, change.missing == "expected"), _side(got, change.missing == "got")
        yield f"{plain(change.pointer)}: expected {expected}, got {got}"
    for name, value in [] if explained else sides(finding):
        yield f"{name:8}  {compact(value, 300)}"
    if sides(finding):
        yield ""
    for call in story.calls[:-1]:
        yield from _call(call)
        yield f"← {plain(call.ended)} {compact(call.answer, 300)}"
        yield ""
    for call in story.calls[-1:]:
        yield from _call(call)
        yield f"← {plain(call.ended)}"
        for line in excerpt(call.answer, finding.pointer, lines=30) if call.answer is not None else ():
            yield f"  {line.text}{'   ◀' if line.marked else ''}"


def _side(shown: str, missing: bool) -> str:  # noqa: FBT001 -- private, and named where it is passed
    return "nothing" if missing else shown


def _call(call: Call) -> Iterator[str]:
    yield f"→ {called(call.tool or call.method, call.arguments, 400)}   #{call.call} {plain(call.credential)}"
    if call.conditions:
        yield f"  under {compact(call.conditions, 200)}"


def _requirements(report: Report) -> list[str]:
    lines = [f"<details><summary>All {len(everything(report))} requirements, foundation included</summary>", ""]
    lines += ["| | requirement | level | section | statement | checks | |", "|---|---|---|---|---|---:|---|"]
    lines += [f"| {' | '.join(_cells(result))} |" for result in everything(report)]
    return [*lines, "", "</details>"]


def _cells(result: RequirementResult) -> Iterator[str]:
    look = LOOKS[result.verdict]
    yield look.glyph
    yield _cell(code(result.id))
    yield result.level
    yield escaped(result.source)
    yield escaped(result.statement)
    yield str(result.subjects)
    yield f"{look.word}{f' by {_cell(code(result.blocked_by))}' if result.blocked_by else ''}{_reason(result)}"


def _cell(span: str) -> str:
    """A code span whose bars end no table cell."""
    return span.replace("|", "\\|")


def _reason(result: RequirementResult) -> str:
    return f": {escaped(result.reason, 300)}" if result.reason else ""
