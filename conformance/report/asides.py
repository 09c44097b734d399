"""What stands beside the claim, gathered once for every format: what was not tested, exceptions, tools, notes."""

from collections.abc import Iterator
from typing import NamedTuple

from conformance.model.requirement import Level
from conformance.model.verdict import Verdict
from conformance.report.model import Gap, Report, ToolUse
from conformance.report.story import EXPLAINED, by_reason
from conformance.report.words import LOOKS, some


class Item(NamedTuple):
    """One thing to say, and the requirements that it is about."""

    text: str
    ids: tuple[str, ...] = ()


class Aside(NamedTuple):
    """A heading with what belongs under it."""

    heading: str
    glyph: str
    verdict: Verdict | None
    """Whose colour it has; None: no verdict's."""
    items: tuple[Item, ...]


def asides(report: Report) -> Iterator[Aside]:
    """Those that have something to say, what weighs most first."""
    for verdict in EXPLAINED:
        look = LOOKS[verdict]
        items = tuple(
            Item(reason or look.means, tuple(result.id for result in results))
            for reason, results in by_reason(report, verdict).items()
        )
        if items:
            yield Aside(look.word, look.glyph, verdict, items)
    if report.gaps:
        look = LOOKS[Verdict.NOT_OBSERVED]
        yield Aside(_untested(report), look.glyph, Verdict.NOT_OBSERVED, tuple(map(_gap, report.gaps)))
    exceptions = tuple(Item(f"{each.kind}: {each.reason}", (each.id,)) for each in report.excused)
    if exceptions:
        yield Aside(some(len(exceptions), "exception"), LOOKS[Verdict.XFAIL].glyph, Verdict.XFAIL, exceptions)
    if report.tools:
        idle = tuple(Item(_idle(use)) for use in report.tools if not use.accepted)
        yield Aside(exercised(report), "", None, idle)
    if report.notes:
        yield Aside(some(len(report.notes), "note"), "", None, tuple(map(Item, report.notes)))


def _untested(report: Report) -> str:
    levels = {result.id: result.level for result in report.requirements}
    ids = [name for gap in report.gaps for name in gap.ids]
    musts = sum(levels.get(name) == Level.MUST for name in ids)
    return f"not tested: {some(musts, 'MUST')}" + (f", {len(ids) - musts} SHOULD or MAY" if len(ids) > musts else "")


def _gap(gap: Gap) -> Item:
    at = f" (call {gap.call})" if gap.call is not None else ""
    todo = f": {gap.todo}" if gap.todo else ""
    return Item(f"{gap.cause}{at}{todo}", gap.ids)


def exercised(report: Report) -> str:
    """How many of the tools were called, how many of them accepted a call, and how many calls were sweeps."""
    swept, calls = sum(use.swept for use in report.tools), sum(use.called for use in report.tools)
    sweeps = f"; {swept:,} of {some(calls, 'call')} were sweeps" if swept else ""
    called = sum(use.called > 0 for use in report.tools)
    accepted = sum(use.accepted > 0 for use in report.tools)
    return f"{called} of {some(len(report.tools), 'tool')} called, {accepted} accepted a call{sweeps}"


def _idle(use: ToolUse) -> str:
    """Why a tool never accepted a call."""
    todo = f"; {use.todo}" if use.todo else ""
    if not use.called:
        listed = "" if use.listed else ", and not listed"
        return f"{use.name} was not called{listed}{todo}"
    first = use.refusals[0] if use.refusals else None
    message = f' ("{first.message}")' if first is not None and first.message else ""
    how = f": {first.ended}{message}" if first is not None else ""
    return f"{use.name} accepted none of {some(use.called, 'call')}{how}{todo}"
