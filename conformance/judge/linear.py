"""Whether calls that overlap can have happened one after another: linearizability, by the search of Wing and Gong.

An order is looked for in which each call takes effect at one moment between its sending and its answer, and in which
each answer is one that an object which serves one call after another can give. Only calls are tried next before which
no other had to come; what was tried once, the same calls done and the object in the same state, is not tried again
(Lowe, Testing for linearizability, 2017); a read that fits is taken as soon as it fits: it stands in nobody's way.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Generic, NamedTuple, TypeVar

from conformance.contract.limits import go_on
from conformance.model.exchange import Exchange

FOREVER = 1 << 62
"""When a call without an answer may take effect: at any time after it was sent."""
MOST_OPERATIONS = 2_000
"""Calls of one object that are ordered."""
MOST_STEPS = 50_000
"""Tries to place a call, after which the search is given up."""
AT_ONCE = 256
"""Tries between two looks at the clock."""

T = TypeVar("T")
S = TypeVar("S", bound=Hashable)
Apply = Callable[[S, T], Iterable[S]]
"""The states to which a call may take the object, its answer being what it is; none where it cannot answer that."""


class Operation(NamedTuple, Generic[T]):
    """A call on an object."""

    what: T
    begun: int
    ended: int
    sure: bool = True
    """Whether it took effect: of a call without an answer nobody knows."""
    reads: bool = False
    """Whether it changes the object in no state."""


class Order(NamedTuple, Generic[T]):
    """What the search found."""

    possible: bool | None
    """None: it was given up, and nothing can be said."""
    placed: tuple[T, ...]
    """The order, or as far as one could be followed."""
    left: tuple[T, ...] = ()
    """The calls of which none could come next."""


class _Calls(Generic[T]):
    """The calls of an object by when they were sent; a set of them is an integer, a bit each."""

    def __init__(self, operations: Iterable[Operation[T]]) -> None:
        self.all = sorted(operations, key=lambda one: (one.begun, one.ended))
        self.sure = sum(1 << place for place, one in enumerate(self.all) if one.sure)

    def next(self, done: int) -> Iterator[int]:
        """Those that may come next: none that is not done had ended before they began."""
        place, horizon = (~done & (done + 1)).bit_length() - 1, FOREVER
        while place < len(self.all) and self.all[place].begun < horizon:
            if not done >> place & 1:
                yield place
                horizon = min(horizon, self.all[place].ended)
            place += 1


def operation(call: Exchange, *, reads: bool = False) -> Operation[Exchange]:
    """A call, from when it left to when its answer came."""
    ended = FOREVER if call.received is None else call.received
    return Operation(call, call.sent, ended, sure=call.received is not None, reads=reads)


def ordered(
    operations: Iterable[Operation[T]], starts: Iterable[S], apply: Apply[S, T], most: int = MOST_STEPS
) -> Order[T]:
    """Looks for an order of the calls of one object, from any of these states."""
    calls = _Calls(operations)
    if len(calls.all) > MOST_OPERATIONS:
        return Order(None, ())
    trail: list[int] = []
    open_ends = [iter([(-1, 0, start)]) for start in starts]
    open_ends.reverse()
    tried: set[tuple[int, S]] = set()
    best: tuple[int, ...] = ()
    steps = 0
    # an iterator for each call placed: what else could have been placed there
    while open_ends:
        found = next(open_ends[-1], None)
        if found is None:
            open_ends.pop()
            del trail[-1:]
            continue
        place, done, state = found
        if (done, state) in tried:
            continue
        tried.add((done, state))
        path = trail if place < 0 else [*trail, place]
        if not calls.sure & ~done:
            return Order(possible=True, placed=_what(calls, path))
        if len(path) >= len(best):
            best = tuple(path)
        steps += 1
        if steps > most:
            return Order(None, _what(calls, best))
        if not steps % AT_ONCE:
            go_on()
        if place >= 0:
            trail.append(place)
        open_ends.append(iter(_onward(calls, done, state, apply)))
    reached = sum(1 << place for place in best)
    return Order(possible=False, placed=_what(calls, best), left=_what(calls, calls.next(reached)))


def _onward(calls: _Calls[T], done: int, state: S, apply: Apply[S, T]) -> list[tuple[int, int, S]]:
    """What may come next, with the calls that are done then and the state."""
    found: list[tuple[int, int, S]] = []
    for place in calls.next(done):
        one = calls.all[place]
        onward = [(place, done | 1 << place, after) for after in apply(state, one.what)]
        if onward and one.reads and one.sure:
            return onward
        found += onward
    return found


def _what(calls: _Calls[T], places: Iterable[int]) -> tuple[T, ...]:
    return tuple(calls.all[place].what for place in places)


def together(calls: Iterable[Exchange]) -> Iterator[list[Exchange]]:
    """Groups of calls, given in the order sent, that overlap directly or through one another."""
    group: list[Exchange] = []
    until = -1
    for call in calls:
        if group and call.sent >= until:
            yield group
            group = []
        group.append(call)
        until = max(until, FOREVER if call.received is None else call.received)
    if group:
        yield group
