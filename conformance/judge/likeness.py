"""Calls that are the same but for fields that are said not to matter."""

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from typing import NamedTuple

from conformance.judge.kinds import spelled
from conformance.model.exchange import Exchange

Loose = Callable[[Exchange], Collection[str]]
"""The fields of a call's arguments that are said not to matter."""


class Pair(NamedTuple):
    """A call, and an accepted one that is the same but for the loose fields; None where there is none."""

    call: Exchange
    like: Exchange | None


def lacking(calls: Iterable[Exchange], loose: Loose) -> Iterator[Pair]:
    """Each call that leaves out one of its loose fields, with a like that gives more of them."""
    for call, given, likes in _grouped(calls, loose):
        if len(given) < len(loose(call)):
            yield Pair(call, next((like for like, others in likes if like.accepted and others > given), None))


def having(calls: Iterable[Exchange], loose: Loose) -> Iterator[Pair]:
    """Each call that gives one of its loose fields, with a like that gives none."""
    for call, given, likes in _grouped(calls, loose):
        if given:
            yield Pair(call, next((like for like, others in likes if like.accepted and not others), None))


Given = frozenset[str]


def _grouped(calls: Iterable[Exchange], loose: Loose) -> Iterator[tuple[Exchange, Given, list[tuple[Exchange, Given]]]]:
    """Each call whose arguments are an object, the loose fields it gives, and all calls that are the same but for them.

    The same are instance, binding, tool, caller, conditions and every other argument.
    """
    groups: dict[Hashable, list[tuple[Exchange, Given]]] = defaultdict(list)
    for call in calls:
        if isinstance(call.arguments, dict):
            given = frozenset(loose(call)).intersection(call.arguments)
            rest = {name: value for name, value in call.arguments.items() if name not in given}
            asked = spelled([rest, call.conditions])
            groups[call.instance, call.connection.binding, call.tool, call.credential.name, asked].append((call, given))
    for group in groups.values():
        for call, given in group:
            yield call, given, group
