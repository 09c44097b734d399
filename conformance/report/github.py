"""The report as annotations of a GitHub workflow: lines that GitHub shows at the run and at a pull request.

Their form is that of "Workflow commands for GitHub Actions": `::error title=…::message`.
"""

from collections.abc import Iterator

from conformance.model.verdict import Verdict
from conformance.report.build import exit_code
from conformance.report.model import Report
from conformance.report.printable import plain
from conformance.report.story import Story, stories
from conformance.report.words import LOOKS, state

MOST = 10
"""Annotations of a kind that GitHub shows of one step; those of the claim and of what is left out are among them."""
LONGEST = 1_000
"""Characters of a line of a message."""
_IN_DATA = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_IN_PROPERTIES = {**_IN_DATA, ":": "%3A", ",": "%2C"}


def render(report: Report) -> str:
    """Its lines: the claim, what is broken, what is missed. A finding that is known from a baseline is a notice."""
    return "".join(f"{line}\n" for line in _lines(report))


def _lines(report: Report) -> Iterator[str]:
    code = exit_code(report)
    look = LOOKS[state(report)]
    kind = "error" if code else "warning" if state(report) is not Verdict.PASS else "notice"
    yield command(kind, f"conformance: {report.contract} {report.edition}: {look.word}", [report.claim])
    told: dict[str, list[Story]] = {"error": [], "warning": [], "notice": []}
    for story in stories(report):
        told[_kind(report, story)].append(story)
    for name, found in told.items():
        room = MOST - (name == kind)
        shown = found if len(found) <= room else found[: room - 1]
        for story in shown:
            yield command(name, f"{story.result.id} ({story.result.level})", _message(story))
        if left := found[len(shown) :]:
            ids = ", ".join(story.result.id for story in left)
            yield command(name, f"{len(left)} more", [f"not shown one by one: {ids}"])


def _kind(report: Report, story: Story) -> str:
    if report.baseline is not None and story.result.id in report.baseline.known:
        return "notice"
    return "error" if story.result.verdict is Verdict.FAIL or report.strict else "warning"


def _message(story: Story) -> list[str]:
    lines = [story.finding.saw, f"{story.share}. The requirement: {story.result.statement}"]
    if story.calls:
        lines.append(f"In a call of {story.calls[-1].tool or story.calls[-1].method}: {story.calls[-1].ended}")
    return [*lines, *([f"Reproduce: {story.reproduce}"] if story.reproduce else [])]


def command(kind: str, title: str, lines: list[str]) -> str:
    """A workflow command in one line. What a server says ends no line and no property, and is no command itself."""
    message = "%0A".join(_escaped(plain(line, LONGEST), _IN_DATA) for line in lines if line)
    return f"::{kind} title={_escaped(plain(title, 200), _IN_PROPERTIES)}::{message}"


def _escaped(text: str, by: dict[str, str]) -> str:
    return "".join(by.get(character, character) for character in text)
