"""What two looks at a read show of the hints of a tool that was called between them."""

from conformance.judge.alike import alike, removed, shown
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.listed import ListedTool


def idempotent(tool: ListedTool | None) -> bool:
    """Whether a tool that writes says that a repetition changes nothing more."""
    return tool is not None and not tool.reads_only and tool.hint("idempotentHint") is True


def additive(tool: ListedTool) -> bool:
    """Whether a tool that writes says that it removes nothing."""
    return not tool.reads_only and tool.hint("destructiveHint") is False


def doubtful(tool: ListedTool, before: Exchange, after: Exchange, *, again: bool) -> bool:
    """Whether a read shows after an accepted call what it should not; `again`: the call was a repetition."""
    if after.refused:
        return before.accepted and (tool.reads_only or additive(tool))
    if tool.reads_only or (again and idempotent(tool)):
        return not alike(before, after)
    return additive(tool) and bool(removed(shown(before), shown(after)))


def loses(first: Exchange, second: Exchange) -> bool:
    """Whether the second of two reads in a row shows less than the first, and nothing else."""
    return _less(shown(first), shown(second))


def _less(before: Json, after: Json) -> bool:
    """Whether a value is another one without some of its entries, and holds nothing new."""
    return bool(removed(before, after)) and not removed(after, before) and _within(after, before)


def _within(small: Json, large: Json) -> bool:
    """Whether all that a value holds is in another: members by their key, entries of lists in any place."""
    if isinstance(small, dict) and isinstance(large, dict):
        return all(key in large and _within(value, large[key]) for key, value in small.items())
    if isinstance(small, list) and isinstance(large, list):
        return all(entry in large for entry in small)
    return isinstance(small, int | float) or bool(small == large)
