"""Which calls of a Pure tool may have been answered from a cache: the tool's own code did not begin."""

from collections.abc import Sequence

from conformance.contracts.invocation.calls import Invocation
from conformance.contracts.invocation.kit import EXECUTION
from conformance.contracts.invocation.records import Records
from conformance.judge.kinds import spelled


def perhaps_cached(calls: Sequence[Invocation], kept: Records) -> frozenset[int]:
    """Of one tool's calls, in the order sent, the numbers of those that may have been answered from a cache.

    None where none surely was: an accepted call that repeats an input, and of which the records show no execution.
    """
    repeating: list[Invocation] = []
    inputs: set[str] = set()
    for one in calls:
        given = spelled([one.call.instance, one.input])
        if given in inputs and one.call.accepted:
            repeating.append(one)
        inputs.add(given)
    shown = {one.call.call: _executed(one, kept) for one in repeating}
    recorded = any(_executed(one, kept) for one in calls)
    sure = recorded and any(executed is False for executed in shown.values())
    return frozenset(number for number, executed in shown.items() if not executed) if sure else frozenset()


def _executed(one: Invocation, kept: Records) -> bool | None:
    """Whether an execution of a call is recorded; None where nobody looked when it had to be there."""
    looked = kept.of(one, EXECUTION) if kept.distinct(one) else None
    return None if looked is None or not looked.tells(one) else bool(looked.entries)
