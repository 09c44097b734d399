"""Numbers that rise and names that are unique, over calls of which some overlap."""

from collections.abc import Hashable, Iterable, Iterator
from typing import NamedTuple

from conformance.judge.judgements import breach
from conformance.model.exchange import Exchange
from conformance.model.verdict import HELD, Judgement


class Numbered(NamedTuple):
    """What an accepted call was given: its number, within the sequence of its scope."""

    scope: Hashable
    number: int
    call: Exchange


class Named(NamedTuple):
    """An entity that an answer shows: its name, and what tells it from every other."""

    scope: Hashable
    """Within which names are unique."""
    name: Hashable
    entity: Hashable
    call: Exchange


def rising(numbered: Iterable[Numbered], what: str) -> Iterator[Judgement]:
    """Judges that no two calls of a scope share a number, and that a later call has the higher one.

    One judgement for each call that has another to be compared with. Of overlapping calls either may be the higher.
    """
    scopes: dict[Hashable, list[Numbered]] = {}
    for one in numbered:
        scopes.setdefault(one.scope, []).append(one)
    for members in scopes.values():
        members.sort(key=lambda one: one.call.sent)
        answered = sorted(members, key=lambda one: one.call.received or 0)
        holders: dict[int, Exchange] = {}
        highest: Numbered | None = None
        done = 0
        for position, one in enumerate(members):
            while done < len(answered) and answered[done].call.before(one.call):
                highest = max(highest or answered[done], answered[done], key=lambda other: other.number)
                done += 1
            holder = holders.setdefault(one.number, one.call)
            if holder is not one.call:
                saw = f"{what} {one.number} was given twice"
                yield breach(saw, holder, one.call, pointer=f"/{what}", got=one.number)
            elif highest is not None and highest.number >= one.number:
                yield breach(
                    f"{what} is {one.number}, an earlier call had been given {highest.number}",
                    highest.call,
                    one.call,
                    pointer=f"/{what}",
                    got=one.number,
                )
            elif position:
                yield HELD


def unique(named: Iterable[Named], what: str) -> Iterator[Judgement]:
    """Judges that no name stands for two entities of a scope. One judgement for each further pair of the two."""
    bearers: dict[Hashable, tuple[Hashable, Exchange]] = {}
    scopes: set[Hashable] = set()
    seen: set[Hashable] = set()
    for one in named:
        if (pair := (one.scope, one.name, one.entity)) in seen:
            continue
        seen.add(pair)
        entity, call = bearers.setdefault((one.scope, one.name), (one.entity, one.call))
        if entity != one.entity:
            yield breach(f"{what} {one.name!r} stands for two entities", call, one.call, got=str(one.name))
        elif one.scope in scopes:
            yield HELD
        scopes.add(one.scope)
