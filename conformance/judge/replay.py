"""Writes under a key: which calls repeat which, and which reuse a key for something else."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import NamedTuple

from conformance.contract.catalogue import Contract
from conformance.judge.kinds import alike
from conformance.judge.refused import surely_refused
from conformance.model.events import Json
from conformance.model.exchange import Exchange

Key = Callable[[Exchange], Hashable | None]
"""What a call's key is, with its scope; None where it has none."""


class Repeat(NamedTuple):
    """A later call under a key, with the accepted call that used the key first."""

    original: Exchange
    again: Exchange
    equal: bool | None
    """Whether the payload is the original's, by value; None where that is in doubt."""


def repeats(calls: Iterable[Exchange], key: Key, payload: Callable[[Exchange], Json]) -> Iterator[Repeat]:
    """Pairs each call with the accepted one that had used its key before it was sent.

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
            yield Repeat(original, call, alike(payload(original), payload(call)))


def concurrent(calls: Iterable[Exchange], key: Key) -> Iterator[list[Exchange]]:
    """Groups of two or more calls of one key in which every call overlaps the first, and none came before."""
    groups: dict[Hashable, list[Exchange]] = defaultdict(list)
    for call in sorted(calls, key=lambda exchange: exchange.sent):
        name = key(call)
        if name is None:
            continue
        group = groups[call.instance, name]
        if not group or not group[0].before(call):
            group.append(call)
    return (group for group in groups.values() if len(group) > 1)


def firsts(calls: Iterable[Exchange], key: Key, contract: Contract) -> Iterator[Exchange]:
    """Accepted calls that surely did something of their own: no earlier call may have used their key.

    Calls without a key are among them. A call that was surely refused uses up no key; one at which the server failed,
    or that got no answer, may have.
    """
    used: set[Hashable] = set()
    for call in sorted(calls, key=lambda exchange: exchange.sent):
        name = key(call)
        if name is None:
            if call.accepted:
                yield call
            continue
        scoped = (call.instance, name)
        if scoped not in used and call.accepted:
            yield call
        if not surely_refused(call, contract):
            used.add(scoped)
