"""Times between writes: what two answers of one epoch show is one state, since nothing was written between them."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field

from conformance.contract.catalogue import Contract
from conformance.judge.memo import once
from conformance.judge.refused import surely_refused
from conformance.model.exchange import Exchange
from conformance.model.history import History

FOREVER = 1 << 62
"""When a call without an answer may take effect: at any time after it was sent."""


@dataclass(slots=True)
class _Writes:
    """The writes of one scope that may have taken effect."""

    calls: list[Exchange] = field(default_factory=list)
    sent: list[int] = field(default_factory=list)
    ended: list[int] = field(default_factory=list)

    def settle(self) -> None:
        self.calls.sort(key=lambda call: call.sent)
        self.sent = [call.sent for call in self.calls]
        self.ended = sorted(_end(call) for call in self.calls)


class Epochs:
    """Numbers the epochs of each scope, which is what a tool's mark names as its own.

    With `refused` a write that was surely refused ends an epoch as well.
    """

    def __init__(self, history: History, contract: Contract, *, refused: bool = False) -> None:
        self._contract = contract
        self._writes: dict[Hashable, _Writes] = defaultdict(_Writes)
        self._mine: set[int] = set()
        self._scopes: dict[int, Hashable] = {}
        self._met: dict[int, int | None] = {}
        """By call: laws ask both of every call, many times over."""
        for call in history.calls():
            mark = contract.marks.get(call.tool or "")
            if mark is None or mark.effect == "read":
                continue
            if refused or not surely_refused(call, contract):
                self._mine.add(call.call)
                self._writes[self.scope(call)].calls.append(call)
        for writes in self._writes.values():
            writes.settle()

    def scope(self, call: Exchange) -> Hashable:
        """The instance and the values of the arguments that a tool's mark names as its scope."""
        found = self._scopes.get(call.call)
        if found is None:
            mark = self._contract.marks.get(call.tool or "")
            named = tuple([str(call.argument(name)) for name in mark.scope]) if mark is not None else ()
            found = self._scopes[call.call] = call.instance, named
        return found

    def met(self, call: Exchange) -> int | None:
        """The epoch in which a call found its scope; None where another write overlaps it."""
        try:
            return self._met[call.call]
        except KeyError:
            found = self._met[call.call] = self._find(call)
            return found

    def _find(self, call: Exchange) -> int | None:
        writes = self._writes.get(self.scope(call))
        if writes is None:
            return 0
        mine = call.call in self._mine
        begun = bisect_left(writes.sent, _end(call)) - mine
        over = bisect_right(writes.ended, call.sent)
        return over if begun == over else None

    def shown(self, call: Exchange) -> int | None:
        """The epoch of which an accepted answer tells: for a write the one that it begins."""
        met = self.met(call)
        return met if met is None or call.call not in self._mine else met + 1

    def writes(self, call: Exchange) -> Iterator[Exchange]:
        """The writes in a call's scope that may have taken effect, in the order sent."""
        writes = self._writes.get(self.scope(call))
        return iter(writes.calls if writes is not None else ())


epochs = once(Epochs)


@once
def attempts(history: History, contract: Contract) -> Epochs:
    """Epochs in which nobody even tried to write."""
    return Epochs(history, contract, refused=True)


def _end(call: Exchange) -> int:
    return call.received if call.received is not None else FOREVER
