"""Calls that got no answer in time, where none like them got one: what they were to show stays open.

A slow server is not blamed for it: it may have answered later. But nobody knows what it would have said, and a pass
would say that of these calls as well.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence

from conformance.judge.judgements import withheld
from conformance.model.exchange import Exchange
from conformance.model.verdict import Judgement, without_values


def silent(call: Exchange) -> bool:
    """Whether a call was waited for in vain."""
    return call.unanswered == "time"


def unheard(call: Exchange, what: str) -> Judgement:
    """That neither this call was answered nor any like it. `what` says in words what is particular about them."""
    none = f"no answer came in time to {call.tool} {what}, nor to any call like it (call {call.call})"
    return withheld(f"{none}; give slow calls more time with --timeout")


def silence(
    calls: Sequence[Exchange], what: Callable[[Exchange], str], beside: Callable[[Exchange], Exchange | None]
) -> Iterator[Judgement]:
    """One for each tool that answered none of some calls that are alike, where one but for the particular was served.

    Calls are alike that have the same arguments, by their names, and of which `what` says the same but for values.
    `beside` finds what was served: where a tool serves nobody, the silence is not for what is particular about them.
    """
    lost = [call for call in calls if silent(call)]
    if not lost:
        return
    told = {_kind(call, what) for call in calls if call.received is not None}
    for call in lost:
        kind = _kind(call, what)
        if kind not in told and beside(call) is not None:
            told.add(kind)
            yield unheard(call, what(call))


def _kind(call: Exchange, what: Callable[[Exchange], str]) -> Hashable:
    names = frozenset(call.arguments) if isinstance(call.arguments, dict) else None
    return call.tool, without_values(what(call)), names
