"""What stands beside the claim, gathered once for every format: what was not tested, exceptions, tools, notes."""

from collections.abc import Iterator
from typing import NamedTuple

from conformance.model.requirement import Level
from conformance.model.verdict import Verdict
from conformance.report.diff.model import Diff, Weight
from conformance.report.diff.sections import HEADED, Entry, sections
from conformance.report.model import Beside, Gap, Report, ToolUse
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
    if report.baseline is not None:
        yield from _since(report.baseline)
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
        # over plain HTTP no server lists its tools
        lists = any(use.listed for use in report.tools)
        idle = tuple(Item(_idle(use, lists=lists)) for use in report.tools if not use.accepted)
        yield Aside(exercised(report), "", None, idle)
    if report.beside is not None:
        yield Aside(_beside(report.beside), "", None, tuple(_differences(report.beside)))
    if report.notes:
        yield Aside(some(len(report.notes), "note"), "", None, tuple(map(Item, report.notes)))


def _since(diff: Diff) -> Iterator[Aside]:
    """What changed since a baseline, and what is known from it."""
    colours = {
        HEADED[Weight.WORSE].heading: Verdict.FAIL,
        HEADED[Weight.ADVISED].heading: Verdict.WARN,
        HEADED[Weight.EXCUSED].heading: Verdict.XFAIL,
        HEADED[Weight.BETTER].heading: Verdict.PASS,
    }
    for section in sections(diff):
        look, entries = section.look, section.entries
        heading = f"{look.heading} since the baseline: {len(entries)}"
        yield Aside(heading, look.glyph, colours.get(look.heading), tuple(map(_entry, entries)))
    known = [Item("broken or blocked, as before", diff.known)] if diff.known else []
    known += [Item("not tested, as before", diff.untested)] if diff.untested else []
    if known:
        heading = f"known from the baseline: {len(diff.known) + len(diff.untested)}"
        yield Aside(heading, "≈", Verdict.XFAIL, tuple(known))


def _entry(entry: Entry) -> Item:
    verdicts = f"{entry.verdicts}: " if entry.verdicts else ""
    seen = "".join(f"; {label}: {saw}" for label, saw in entry.details[:1])
    if entry.level == "tool":
        return Item(f"{entry.name} {entry.what}")
    return Item(f"{verdicts}{entry.what}{seen}", (entry.name,) if entry.name else ())


def _beside(beside: Beside) -> str:
    """How far a run was compared with a model."""
    apart = sum(beside.left_out.values())
    left_out = f", {apart:,} not compared" if apart else ""
    return f"beside {beside.model}: {some(beside.alike, 'call')} answered alike{left_out}"


def _differences(beside: Beside) -> Iterator[Item]:
    """Where the answers differ and no clause says which is right; they fail nothing."""
    if beside.cut:
        yield Item(beside.cut)
    for one in beside.differing:
        where = f" at {one.pointer}" if one.pointer else ""
        what = (
            f"{one.ours!r}, {beside.model} {one.theirs!r}"
            if one.pointer
            else f"{one.ours}, {beside.model} {one.theirs}"
        )
        calls = f"call {one.call}" + (f" and {one.calls - 1} more" if one.calls > 1 else "")
        yield Item(f"differs where the contract leaves it open: {one.tool}{where}: {what} ({calls})")
    if beside.more:
        yield Item(f"and {some(beside.more, 'kind')} of difference more")


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


def _idle(use: ToolUse, *, lists: bool) -> str:
    """Why a tool never accepted a call. `lists`: whether the server listed any."""
    todo = f"; {use.todo}" if use.todo else ""
    if not use.called:
        listed = ", and not listed" if lists and not use.listed else ""
        return f"{use.name} was not called{listed}{todo}"
    first = use.refusals[0] if use.refusals else None
    message = f' ("{first.message}")' if first is not None and first.message else ""
    how = f": {first.ended}{message}" if first is not None else ""
    return f"{use.name} accepted none of {some(use.called, 'call')}{how}{todo}"
