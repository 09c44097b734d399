"""The highest number that calls had reached when another call was sent."""

from bisect import bisect_right
from collections.abc import Hashable, Iterable
from typing import NamedTuple

from conformance.model.exchange import Exchange


class Mark(NamedTuple):
    """A number that an accepted call reached, for its owner."""

    owner: Hashable
    number: int
    call: Exchange


class Peaks:
    """Marks by the time at which they were answered; each question costs a search among them."""

    def __init__(self, marks: Iterable[Mark]) -> None:
        answered = [(mark.call.received, mark) for mark in marks if mark.call.received is not None]
        answered.sort(key=lambda pair: pair[0])
        self._times = [time for time, _ in answered]
        self._tops: list[tuple[Mark, Mark | None]] = []
        """At each place the highest mark so far, and the highest of any other owner."""
        first: Mark | None = None
        second: Mark | None = None
        for _, mark in answered:
            if first is None or mark.number > first.number:
                if first is not None and first.owner != mark.owner:
                    second = first
                first = mark
            elif mark.owner != first.owner and (second is None or mark.number > second.number):
                second = mark
            self._tops.append((first, second))

    def before(self, call: Exchange, *, besides: Hashable = None) -> Mark | None:
        """The highest mark answered before the call was sent, of any owner but one."""
        place = bisect_right(self._times, call.sent)
        if not place:
            return None
        first, second = self._tops[place - 1]
        return second if besides is not None and first.owner == besides else first
