"""What changed in one requirement, and whether it is worse."""

from conformance.model.requirement import Level
from conformance.model.verdict import Verdict
from conformance.report.diff.kinds import fresh
from conformance.report.diff.model import Change, Weight
from conformance.report.model import RequirementResult
from conformance.report.words import LOOKS

BROKEN = (Verdict.FAIL, Verdict.WARN)
LISTED = (Verdict.XFAIL, Verdict.FLAKY)
"""Failures that the target's statement lists."""
TESTED = (Verdict.PASS, Verdict.XPASS, *BROKEN, *LISTED)
Found = tuple[Weight, str]
"""What a change means, and what there is to say of it."""


def change(old: RequirementResult, new: RequirementResult, *, strict: bool) -> Change | None:
    """What changed; None where nothing did."""
    news, gone = fresh(new, old), fresh(old, new)
    if new.verdict not in (*BROKEN, *LISTED, Verdict.BLOCKED):
        news = ()
    found = _found(old, new, news, gone)
    if found is None:
        return None
    weight, what = found
    return Change(
        id=new.id,
        contract=new.contract,
        level=new.level,
        weight=weighed(weight, new.level, strict=strict),
        old=old.verdict,
        new=new.verdict,
        what=what,
        fresh=news,
        gone=gone,
    )


def weighed(weight: Weight, level: str, *, strict: bool) -> Weight:
    """What is only recommended fails a comparison with --strict alone."""
    return Weight.ADVISED if weight is Weight.WORSE and level != Level.MUST and not strict else weight


def _found(
    old: RequirementResult, new: RequirementResult, news: tuple[str, ...], gone: tuple[str, ...]
) -> Found | None:
    if new.verdict in BROKEN:
        return _broken(old, news, gone)
    if new.verdict in LISTED:
        return None if old.verdict in LISTED else (Weight.EXCUSED, f"it is listed as failing: {new.reason}")
    if new.verdict is old.verdict:
        return None
    return _holds(old, new) if new.verdict in (Verdict.PASS, Verdict.XPASS) else _unseen(old, new)


def _broken(old: RequirementResult, news: tuple[str, ...], gone: tuple[str, ...]) -> Found | None:
    """What to say of a requirement that is broken now."""
    if old.verdict in (Verdict.PASS, Verdict.XPASS):
        return Weight.WORSE, "it held before"
    if not old.findings:
        return Weight.WORSE, f"it was not tested before: {_why(old)}"
    if news:
        return Weight.WORSE, "it was broken before, and has findings of a new kind"
    if old.verdict in BROKEN:
        return (Weight.BETTER, "it is still broken, and findings of a kind are gone") if gone else None
    if old.verdict is Verdict.BLOCKED:
        return Weight.OTHER, f"it is a finding of its own now; before, {old.blocked_by} explained it"
    return Weight.WORSE, "it is no longer listed as failing, and still does"


def _holds(old: RequirementResult, new: RequirementResult) -> Found:
    """What to say of a requirement that holds now, and did not before, or not so."""
    if new.verdict is Verdict.XPASS:
        weight = Weight.BETTER if old.verdict in (*BROKEN, *LISTED) else Weight.OTHER
        return weight, "it holds, and is still listed as failing: remove the entry from conformance.toml"
    if old.verdict in TESTED:
        return Weight.BETTER, "it holds now"
    return Weight.BETTER, f"it is tested now, and holds; before: {_why(old)}"


def _unseen(old: RequirementResult, new: RequirementResult) -> Found | None:
    """What to say of a requirement that is not tested now."""
    why = _why(new)
    if old.verdict in TESTED:
        if new.excused:
            return Weight.EXCUSED, f"it is not tested any more ({why}), and the statement says why: {new.excused}"
        return Weight.WORSE, f"it was tested before, and is not now: {why}"
    if old.verdict is Verdict.NOT_APPLICABLE and not new.excused:
        return Weight.WORSE, f"it did not apply before; it does now, and is not tested: {why}"
    return Weight.OTHER, why


def _why(result: RequirementResult) -> str:
    """Why a requirement was not tested."""
    if result.blocked_by:
        return f"blocked by {result.blocked_by}"
    return result.reason or LOOKS[result.verdict].means
