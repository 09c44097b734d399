"""Writes under a key: which calls repeat which, and which reuse a key for something else."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import NamedTuple

from conformance.model.events import Json
from conformance.model.exchange import Exchange


class Repeat(NamedTuple):
    """A later call under a key, with the accepted call that used the key first."""

    original: Exchange
    again: Exchange
    equal: bool
    """Whether the payload is the original's, by value."""


def repeats(
    calls: Iterable[Exchange], key: Callable[[Exchange], Hashable | None], payload: Callable[[Exchange], Json]
) -> Iterator[Repeat]:
    """Pairs each call with the accepted one that had used its key before it was sent. A key of None is no key.

    Calls that overlap the first are left out: which of them came first is not known.
    """
    firsts: dict[Hashable, Exchange] = {}
    for call in sorted(calls, key=lambda exchange: exchange.sent):
        name = key(call)
        if name is None:
            continue
        scoped = (call.instance, name)
        original = firsts.get(scoped)
        if original is None:
            if call.accepted:
                firsts[scoped] = call
        elif original.before(call):
            yield Repeat(original, call, payload(original) == payload(call))


def concurrent(calls: Iterable[Exchange], key: Callable[[Exchange], Hashable | None]) -> Iterator[list[Exchange]]:
    """Groups of two or more calls of one key in which every call overlaps the first."""
    groups: dict[Hashable, list[Exchange]] = defaultdict(list)
    for call in sorted(calls, key=lambda exchange: exchange.sent):
        name = key(call)
        if name is None:
            continue
        group = groups[call.instance, name]
        if not group or not group[0].before(call):
            group.append(call)
    return (group for group in groups.values() if len(group) > 1)
