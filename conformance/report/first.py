"""What to do first: of all that a report says, the steps that bring its reader furthest."""

from collections.abc import Iterator
from typing import NamedTuple

from conformance.model.verdict import Finding, Verdict
from conformance.report.model import Report
from conformance.report.story import by_reason, everything
from conformance.report.words import some, upper

MOST_STEPS = 3


class Step(NamedTuple):
    """Something to do: words, the requirements that it is about, and what is to be said of them."""

    text: str
    ids: tuple[str, ...] = ()
    rest: str = ""


def first(report: Report) -> tuple[Step, ...]:
    """The first steps, the weightiest in front; none where there is nothing to mend."""
    return tuple(_steps(report))[:MOST_STEPS]


def _steps(report: Report) -> Iterator[Step]:
    if report.fault:
        # the report says what is wrong with the suite's own files: nothing else counts before that
        return
    errors = tuple(result.id for result in everything(report) if result.verdict is Verdict.ERROR)
    if errors:
        yield Step("Report the suite's own error to its authors, with the transcript: it failed at", errors)
    gap = report.gaps[0] if report.gaps else None
    untested = gap is not None and bool(gap.todo) and gap.todo not in report.claim
    if gap is not None and untested and len(gap.ids) > len(report.requirements) // 2:
        yield Step(f"{upper(gap.todo.rstrip('.'))}: {some(len(gap.ids), 'requirement')} could not be tested")
        untested = False
    if report.roots:
        yield _finding(report)
    stale = tuple(result.id for each in by_reason(report, Verdict.XPASS).values() for result in each)
    if stale:
        yield Step("Remove the known failures that hold now from conformance.toml:", stale)
    if gap is not None and untested:
        yield Step(f"{upper(gap.todo.rstrip('.'))}: {some(len(gap.ids), 'requirement')} could not be tested")


def _finding(report: Report) -> Step:
    """The finding to begin with: the one that hides most others; among equals the report's own order, MUST first.

    Not one that neither breaks a MUST nor hides one, where there is one that does: nothing depends on it.
    """
    results = {result.id: result for result in everything(report)}
    hidden = {
        root.requirement: [result for result in results.values() if result.blocked_by == root.requirement]
        for root in report.roots
    }

    def weight(root: Finding) -> tuple[bool, int]:
        concerned = [results[root.requirement], *hidden[root.requirement]]
        return any(result.level == "MUST" for result in concerned), len(hidden[root.requirement])

    root = max(report.roots, key=weight)
    saw, others = f": {root.saw.rstrip('.')}.", len(report.roots) - 1
    if hidden[root.requirement]:
        because = f" {some(len(hidden[root.requirement]), 'other requirement')} could not be judged because of it."
    else:
        rest = some(others, "finding") if others > 1 else "finding"
        because = f" Then look at the other {rest}." if others else ""
    return Step("Begin with", (root.requirement,), f"{saw}{because}")
