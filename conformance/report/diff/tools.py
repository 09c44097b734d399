"""Tools that were exercised before and are not now, and the other way round."""

from collections.abc import Iterator

from conformance.report.diff.model import ToolChange, Weight
from conformance.report.model import Report, ToolUse
from conformance.report.words import some


def tool_changes(old: Report, new: Report) -> Iterator[ToolChange]:
    """What changed. Nothing where a run was about a selection: it calls only the tools that the selection needs."""
    if old.selected is not None or new.selected is not None:
        return
    before, now = ({use.name: use for use in report.tools} for report in (old, new))
    for name in dict.fromkeys((*before, *now)):
        found = _changed(before.get(name), now.get(name))
        if found is not None:
            yield ToolChange(name=name, weight=found[0], what=found[1])


def _changed(old: ToolUse | None, new: ToolUse | None) -> tuple[Weight, str] | None:
    if old is None or (not old.listed and not old.called):
        return (Weight.OTHER, f"is new: {_told(new)}") if new is not None and new.listed else None
    if new is None or (old.listed and not new.listed):
        return (Weight.OTHER, "is no longer offered by the server")
    if old.accepted and not new.accepted:
        return Weight.WORSE, f"accepted {old.accepted:,} of {some(old.called, 'call')} before; now it {_told(new)}"
    if old.called and not new.called:
        return Weight.WORSE, f"was called before, and is not now{_allowed(new)}"
    if new.accepted and not old.accepted:
        return Weight.BETTER, f"accepts calls now: {new.accepted:,} of {new.called:,}"
    return None


def _told(use: ToolUse) -> str:
    if not use.called:
        return f"was not called{_allowed(use)}"
    return f"accepted {use.accepted or 'none'} of {some(use.called, 'call')}"


def _allowed(use: ToolUse) -> str:
    return "" if use.allowed else ": this run may not call it"
