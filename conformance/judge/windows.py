"""A call between two reads of the same, with nothing else going on: what the reads show of its effect."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import accumulate, pairwise
from typing import NamedTuple

from conformance.contract.catalogue import Contract
from conformance.judge.alike import alike
from conformance.judge.kinds import arguments, spelled
from conformance.judge.memo import of_each, once
from conformance.model.exchange import Exchange
from conformance.model.history import History

Key = tuple[str, str, str]
NEVER = float("inf")


RESTED_US = 1_000_000
"""What other calls are given to show their effects: some show them late."""


class Window(NamedTuple):
    """A call, the read just before it and the same read just after it."""

    before: Exchange
    call: Exchange
    after: Exchange
    rested: bool
    """Whether other calls were over for a while when the read began: what it shows no longer is not theirs."""
    place: int
    """Of the read among the calls of its instance."""
    calls: "Sequence"

    def rested_from(self, may: Callable[[Exchange], bool]) -> bool:
        """Whether those of the earlier calls that may have done it were over for a while when the read began."""
        begin = self.before.sent - RESTED_US
        ends = (end_of(call) for call in self.calls[: self.place] if may(call))
        return all(end is not None and end <= begin for end in ends)


@of_each
def key_of(call: Exchange) -> Key:
    """What makes two calls the same: tool, arguments, caller and conditions."""
    conditions = spelled(call.conditions) if call.conditions else ""
    return str(call.tool), arguments(call), f"{call.credential.name} {conditions}"


class Sequence(list[Exchange]):
    """The tool calls of an instance, in the order in which they were sent."""

    @cached_property
    def _over(self) -> list[float]:
        """When all calls up to each place were over."""
        return self._ends(NEVER)

    @cached_property
    def _answered(self) -> list[float]:
        """When those of the calls up to each place were over that ever were."""
        return self._ends(0)

    def _ends(self, lost: float) -> list[float]:
        ends = (end_of(call) for call in self)
        return [*accumulate((lost if end is None else end for end in ends), max)]

    def rested(self, first: int) -> bool:
        """Whether, when this read was sent, all calls before it but the same read were over for a while."""
        key, last = key_of(self[first]), first - 1
        while last >= 0 and key_of(self[last]) == key:
            last -= 1
        return last < 0 or self._over[last] + RESTED_US <= self[first].sent

    def alone(self, first: int, last: int, *, but_lost: bool = False) -> bool:
        """Whether these calls followed each other, and none before or after them overlaps them.

        One without an answer may take effect at any time: it overlaps all that follow it, unless `but_lost`.
        """
        over = self._answered if but_lost else self._over
        return all(over[place - 1] <= self[place].sent for place in range(max(1, first), min(last + 2, len(self))))


@once
def sequences(history: History, _: Contract) -> tuple[Sequence, ...]:
    """The tool calls of each instance, in the order in which they were sent."""
    by_instance: dict[str, Sequence] = defaultdict(Sequence)
    for call in history.calls():
        by_instance[call.instance].append(call)
    return tuple(by_instance.values())


def windows(history: History, contract: Contract, is_read: Callable[[Exchange], bool]) -> Iterator[Window]:
    """Every call that stands alone between two accepted reads of one key.

    Reads that change by themselves are left out: those of which two in a row, with nothing between, were not alike;
    and those which were never seen twice in a row.
    """
    for calls in sequences(history, contract):
        steady = _steady(calls, is_read)
        for index in range(len(calls) - 2):
            before, call, after = calls[index : index + 3]
            if not (before.accepted and after.accepted and before.tool == after.tool):
                continue
            key = key_of(before)
            if key in steady and key == key_of(after) != key_of(call) and calls.alone(index, index + 2):
                yield Window(before, call, after, calls.rested(index), index, calls)


class Gone(NamedTuple):
    """A call after which a read that was accepted before is refused, and refused alike once more; rested as above."""

    before: Exchange
    call: Exchange
    after: Exchange
    again: Exchange
    rested: bool

    @property
    def calls(self) -> tuple[Exchange, ...]:
        """All of them, in order."""
        return self.before, self.call, self.after, self.again


def gone(history: History, contract: Contract, is_read: Callable[[Exchange], bool]) -> Iterator[Gone]:
    """Every call that stands alone between a steady read that was accepted and the same read refused twice alike."""
    for calls in sequences(history, contract):
        steady = _steady(calls, is_read)
        for index in range(len(calls) - 3):
            before, call, after, again = calls[index : index + 4]
            if not (before.accepted and after.refused and again.refused and after.tool == again.tool == before.tool):
                continue
            key = key_of(before)
            same = key in steady and key == key_of(after) == key_of(again) != key_of(call)
            if same and alike(after, again) and calls.alone(index, index + 3):
                yield Gone(before, call, after, again, calls.rested(index))


def in_a_row(
    history: History, contract: Contract, is_read: Callable[[Exchange], bool]
) -> Iterator[tuple[Exchange, Exchange]]:
    """Every read that was accepted twice, one right after the other, nothing else going on or over only just now."""
    for calls in sequences(history, contract):
        for index, (first, second) in enumerate(pairwise(calls)):
            both = first.accepted and second.accepted and first.tool == second.tool
            if (
                both
                and is_read(first)
                and key_of(first) == key_of(second)
                and calls.alone(index, index + 1)
                and calls.rested(index)
            ):
                yield first, second


def end_of(call: Exchange) -> int | None:
    """When a call was answered, be it after the time limit; None where it never was."""
    if call.received is not None:
        return call.received
    answers = (m for m in call.extras if isinstance(m.payload, dict) and "method" not in m.payload)
    return next((answer.t for answer in answers), None)


def _steady(calls: list[Exchange], is_read: Callable[[Exchange], bool]) -> set[Key]:
    seen: dict[Key, bool] = {}
    for first, second in pairwise(calls):
        both = first.accepted and second.accepted and first.tool == second.tool
        if both and is_read(first) and first.before(second):
            key = key_of(first)
            if key == key_of(second):
                seen[key] = seen.get(key, True) and alike(first, second)
    return {key for key, steady in seen.items() if steady}
