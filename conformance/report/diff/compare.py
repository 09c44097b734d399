"""Two reports on the same contract, compared."""

from collections.abc import Iterator

from conformance.model.requirement import Level
from conformance.model.verdict import Verdict
from conformance.report.diff.model import Change, Diff, Side, Weight
from conformance.report.diff.tools import tool_changes
from conformance.report.diff.verdicts import BROKEN, LISTED, TESTED, change, weighed
from conformance.report.model import Report, RequirementResult
from conformance.report.story import everything
from conformance.report.words import introduced


class IncomparableError(ValueError):
    """The two reports cannot be compared; the text says why."""


def compare(old: Report, new: Report, *, strict: bool = False) -> Diff:
    """What changed from `old` to `new`; IncomparableError where they are of different contracts, or claim nothing.

    With `strict`, what is worse in a SHOULD or MAY is a regression too.
    """
    if old.contract != new.contract:
        raise IncomparableError(f"one report is on the contract {old.contract}, the other on {new.contract}")
    for report, name in ((old, "old"), (new, "new")):
        if report.fault:
            raise IncomparableError(f"the {name} report claims nothing: {report.fault}")
    order = list(Weight)
    changes = sorted(_changes(old, new, strict=strict), key=lambda each: order.index(each.weight))
    got_worse = {each.id for each in changes if each.weight is Weight.WORSE}
    before, now = _by_id(old), _by_id(new)
    return Diff(
        contract=new.contract,
        old=_side(old),
        new=_side(new),
        facts=tuple(_facts(old, new)),
        worse=tuple(_worse(old, new)) if not got_worse else tuple(_cut(old, new)),
        changes=tuple(changes),
        tools=tuple(tool_changes(old, new)),
        same=len(now.keys() & before.keys() - {each.id for each in changes}),
        known=tuple(
            r.id for r in now.values() if r.id in before and r.id not in got_worse and _fails_a_build(r, strict=strict)
        ),
        untested=tuple(
            r.id
            for r in now.values()
            if r.verdict is Verdict.NOT_OBSERVED
            and r.level == Level.MUST
            and not r.excused
            and r.id in before
            and (new.selected is None or r in new.requirements)
            and r.id not in got_worse
        ),
    )


def _by_id(report: Report) -> dict[str, RequirementResult]:
    return {result.id: result for result in everything(report)}


def _fails_a_build(result: RequirementResult, *, strict: bool) -> bool:
    if result.verdict is Verdict.WARN:
        return strict
    if result.verdict is Verdict.BLOCKED:
        return result.level == Level.MUST and not result.excused
    return result.verdict in (Verdict.FAIL, Verdict.XPASS)


def _changes(old: Report, new: Report, *, strict: bool) -> Iterator[Change]:
    before, now = _by_id(old), _by_id(new)
    whole = old.selected is None and new.selected is None
    meant = {r.id for r in old.requirements} & {r.id for r in new.requirements}
    for identifier, result in now.items():
        known = before.get(identifier)
        found = _added(result, old, strict=strict) if known is None else change(known, result, strict=strict)
        # what a selection stands on is tested by the way only: that less of it was seen says nothing
        if found is not None and (whole or identifier in meant or result.verdict in BROKEN):
            yield found
    if new.selected is None:
        yield from (_removed(result, old, new, strict=strict) for name, result in before.items() if name not in now)


def _added(result: RequirementResult, old: Report, *, strict: bool) -> Change | None:
    """A requirement that the old report does not have: what fails in it is not known from there."""
    if old.selected is not None and result.verdict not in BROKEN:
        return None
    weight, why = Weight.OTHER, "the old report does not have it"
    if result.verdict in BROKEN:
        weight = Weight.WORSE
    elif result.verdict in LISTED or result.excused:
        weight, why = Weight.EXCUSED, f"{why}; it is excused: {result.excused or result.reason}"
    return Change(
        id=result.id,
        contract=result.contract,
        level=result.level,
        weight=weighed(weight, result.level, strict=strict),
        old="",
        new=result.verdict,
        what=why,
        fresh=tuple(finding.saw for finding in result.findings[:1]),
    )


def _removed(result: RequirementResult, old: Report, new: Report, *, strict: bool) -> Change:
    """A requirement that is not judged any more. Another version of the suite may have dropped or renamed it."""
    lost = result.verdict in TESTED and old.suite == new.suite and old.edition == new.edition
    what = "it was judged before, and is not part of this run"
    if old.suite != new.suite:
        what = f"the suite {new.suite} does not judge it"
    elif old.edition != new.edition:
        what = f"it is not judged in the edition {new.edition}"
    return Change(
        id=result.id,
        contract=result.contract,
        level=result.level,
        weight=weighed(Weight.WORSE if lost else Weight.OTHER, result.level, strict=strict),
        old=result.verdict,
        new="",
        what=what,
        gone=tuple(finding.saw for finding in result.findings[:1]),
    )


def _worse(old: Report, new: Report) -> Iterator[str]:
    """What is worse about the whole, where no requirement says it."""
    cut = list(_cut(old, new))
    yield from cut
    stale = new.totals.get(Verdict.XPASS, 0)
    whole = old.selected is None and new.selected is None
    if whole and not cut and not stale and old.conformant and not new.conformant:
        yield f"what was claimed is claimed no longer: {new.claim}"


def _cut(old: Report, new: Report) -> Iterator[str]:
    if old.complete and not new.complete:
        yield f"the run was cut short: {new.reason or 'nobody knows why'}"


def _facts(old: Report, new: Report) -> Iterator[str]:
    sides = (
        ("suite", old.suite, new.suite),
        ("edition", old.edition, new.edition),
        ("target", old.target.name, new.target.name),
        ("server", introduced(old), introduced(new)),
        ("reached over", ", ".join(old.target.endpoints), ", ".join(new.target.endpoints)),
        ("revision of MCP", ", ".join(old.target.revisions), ", ".join(new.target.revisions)),
        ("profiles", ", ".join(old.profiles), ", ".join(new.profiles)),
    )
    for name, before, now in sides:
        if before != now:
            yield f"{name}: {before or 'none'} → {now or 'none'}"
    if new.selected is not None:
        yield f"the new report is about {new.selected} selected requirements; the others are not compared"
    if old.selected is not None:
        yield f"the old report is about {old.selected} selected requirements; of the others only failures are told"
    if not old.complete:
        yield f"the old run was cut short: {old.reason or 'nobody knows why'}"


def _side(report: Report) -> Side:
    return Side(
        suite=report.suite,
        edition=report.edition,
        target=report.target.name,
        started_at=report.started_at,
        claim=report.claim,
    )
