"""Writes to one entity that overlap: whether its revisions, as answers show them, allow that they happened in an order.

Each write raises the revision by one at least, and its answer shows no lower one; a read shows the one that there is.
What an answer shows may be the work of a later write as well: a server may read again before it answers.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from conformance.contract.catalogue import Contract
from conformance.contracts.tasks.changes import changes
from conformance.contracts.tasks.entities import Key
from conformance.contracts.tasks.guards import ledger
from conformance.judge.linear import Order, operation, ordered, together
from conformance.judge.memo import once
from conformance.judge.peaks import Mark, Peaks
from conformance.model.exchange import Exchange
from conformance.model.history import History


@dataclass(frozen=True, slots=True)
class Contest:
    """Accepted writes that surely changed an entity, some of them at once, and what answers tell of it meanwhile."""

    key: Key
    before: Mark
    """The highest revision that was shown before the first of them left."""
    calls: Sequence[Exchange]
    """In the order sent; the last may be the first read that was asked for after them."""
    shown: Mapping[int, int]
    """By call, the lowest revision of the entity in its answer."""
    writes: frozenset[int]
    expected: Mapping[int, int]
    """By write, the revision that it expects, where it expects one by the argument's own name."""

    def order(self, *, guarded: bool) -> Order[Exchange]:
        """Looks for one; `guarded`: a write that expects a revision happens at no other."""
        # a read is no mere look here: it tells how far writes that are not among these had raised the revision
        return ordered(
            map(operation, self.calls), [self.before.number], lambda at, call: self._after(at, call, guarded=guarded)
        )

    def _after(self, at: int, call: Exchange, *, guarded: bool) -> Iterator[int]:
        """The least revision that the entity has after a call, where it had at least `at` before."""
        shown = self.shown.get(call.call)
        if call.call not in self.writes:
            if shown is not None and shown >= at:
                yield shown
            return
        met = self.expected.get(call.call, at) if guarded else at
        if met >= at and (shown is None or shown > met):
            yield met + 1


@once
def contests(history: History, contract: Contract) -> Sequence[Contest]:
    """Every contest of a history in which two writes overlap."""
    known, changed = ledger(history, contract), changes(history, contract)
    writes: dict[Hashable, list[Exchange]] = defaultdict(list)
    keys: dict[Hashable, Key] = {}
    for call in history.accepted():
        for key in changed.of.get(call.call, ()):
            name = known.name(call, key)
            writes[name].append(call)
            keys[name] = key
    # whether the alias is looked at is another rule's
    own = (each for each in known.expectations if known.guard_names(each.call)[0] in each.names and not each.torn)
    expected = {each.call.call: (each.key, each.expected) for each in own}
    found: list[Contest] = []
    for name, calls in writes.items():
        shown: dict[int, int] = {}
        reads: list[Exchange] = []
        for one in known.sightings[name]:
            if one.revision is not None:
                shown[one.call.call] = min(one.revision, shown.get(one.call.call, one.revision))
                if contract.marks[one.call.tool or ""].effect == "read":
                    reads.append(one.call)
        peaks = Peaks(Mark(None, shown[call.call], call) for call in reads)
        for group in together(calls):
            before = peaks.before(group[0])
            if len(group) > 1 and before is not None:
                numbers = frozenset(call.call for call in group)
                guards = {call: e for call, (key, e) in expected.items() if call in numbers and key == keys[name]}
                around = sorted({*group, *_beside(group, reads)}, key=lambda call: call.sent)
                found.append(Contest(keys[name], before, around, shown, numbers, guards))
    return found


def _beside(group: Sequence[Exchange], reads: Sequence[Exchange]) -> Iterator[Exchange]:
    """The reads that overlap the writes of a group, and the first one after all of them."""
    begun, over = group[0].sent, max(call.received or 0 for call in group)
    for read in reads:
        if read.sent >= over:
            yield read
            return
        if (read.received or 0) > begun:
            yield read
