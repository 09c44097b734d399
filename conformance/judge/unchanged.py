"""Two equal reads with no accepted write between them are equal: so a read, a refusal and a replay change nothing."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Container, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from operator import itemgetter
from typing import NamedTuple

from conformance.contract.catalogue import Contract, ToolMark
from conformance.judge.difference import Difference, apart
from conformance.judge.judgements import breach, told
from conformance.judge.kinds import arguments, spelled
from conformance.judge.memo import once
from conformance.judge.refused import surely_refused
from conformance.judge.stores import one_store
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.pointer import ABSENT, at
from conformance.model.verdict import HELD, Judgement

FOREVER = 1 << 62
"""When a call without an answer may take effect: at any time after it was sent."""


class Look(NamedTuple):
    """The nearest two equal reads around a call: one answered before it was sent, one sent after its answer."""

    before: Exchange
    after: Exchange


@dataclass(slots=True)
class _Series:
    """Equal reads, or writes, in the order sent."""

    calls: list[Exchange] = field(default_factory=list)
    sent: list[int] = field(default_factory=list)
    latest: list[int] = field(default_factory=list)
    """At each place, when the last of the calls up to it had been answered."""

    def settle(self) -> None:
        self.calls.sort(key=lambda call: call.sent)
        self.sent = [call.sent for call in self.calls]
        self.latest = list(accumulate((_end(call) for call in self.calls), max))

    def last_before(self, call: Exchange) -> Exchange | None:
        """The last of them that had been answered when the call was sent."""
        for place in range(bisect_right(self.sent, call.sent) - 1, -1, -1):
            other = self.calls[place]
            if other is not call and other.before(call):
                return other
        return None

    def first_after(self, call: Exchange) -> Exchange | None:
        """The first of them that was sent when the call had been answered."""
        for place in range(bisect_left(self.sent, _end(call)), len(self.calls)):
            if self.calls[place] is not call:
                return self.calls[place]
        return None

    def between(self, start: int, end: int) -> Iterator[Exchange]:
        """Those that may have taken effect between two moments."""
        place = bisect_left(self.sent, end)
        while place and self.latest[place - 1] > start:
            place -= 1
            if _end(self.calls[place]) > start:
                yield self.calls[place]


@dataclass(slots=True)
class _Entity:
    """What happened to one entity of one instance."""

    reads: dict[Hashable, _Series] = field(default_factory=lambda: defaultdict(_Series))
    writes: _Series = field(default_factory=_Series)
    firm: _Series = field(default_factory=_Series)
    """Writes that every read shows."""
    trail: list[tuple[int, _Series]] = field(default_factory=list)
    """When each read was sent, in order, with its equals."""

    def settle(self) -> None:
        # a read made once is never before and after: with pages read on by since_seq that is most of them
        self.reads = {likeness: series for likeness, series in self.reads.items() if len(series.calls) > 1}
        for series in (self.writes, self.firm, *self.reads.values()):
            series.settle()
        self.trail = [(sent, series) for series in self.reads.values() for sent in series.sent]
        self.trail.sort(key=itemgetter(0))

    def near(self, call: Exchange) -> Iterable[_Series]:
        """The series of which a read came after the last write before the call: no other shows the call alone."""
        place = bisect_left(self.firm.sent, call.sent)
        start = bisect_left(self.trail, self.firm.latest[place - 1] if place else 0, key=itemgetter(0))
        end = bisect_right(self.trail, call.sent, key=itemgetter(0))
        if end - start >= len(self.reads):
            return self.reads.values()
        return {id(series): series for _, series in self.trail[start:end]}.values()


Names = tuple[str, ...]
_Name = tuple[str, Names, tuple[Json, ...]]
"""Of an entity: its instance, its kind, and the values that name it."""


class Looks:
    """The reads and the writes of a history, by what they show and what they change."""

    def __init__(self, history: History, contract: Contract) -> None:
        self._contract = contract
        marks = contract.marks.values()
        self._kinds: set[Names] = {mark.scope for mark in marks if mark.effect == "read" and mark.state}
        """The kinds of entity that reads show, each by the arguments that name it."""
        self._entities: dict[_Name, _Entity] = defaultdict(_Entity)
        self._anywhere: dict[Hashable, _Series] = defaultdict(_Series)
        """Writes that may have changed any entity of a kind, by instance and kind."""
        self._moves = _moves(history)
        self._attempts: dict[str, list[int]] = defaultdict(list)
        """By instance, when a write was tried, whatever came of it."""
        self._elsewhere = _Series()
        """Writes of every instance, where they keep one store: each may change what another's reads show."""
        shared = one_store(history, contract)
        for call in history.calls():
            mark = contract.marks.get(call.tool or "")
            if mark is not None:
                self._add(call, mark)
                if mark.effect == "write":
                    self._attempts[call.instance].append(call.sent)
                    if shared and not surely_refused(call, contract):
                        self._elsewhere.calls.append(call)
        for writes in (self._elsewhere, *self._anywhere.values()):
            writes.settle()
        for entity in self._entities.values():
            entity.settle()

    def _add(self, call: Exchange, mark: ToolMark) -> None:
        if mark.effect == "read":
            entity = entity_of(call, mark, mark.scope)
            if mark.state and call.accepted and entity is not None:
                self._entities[entity].reads[_likeness(call)].calls.append(call)
        elif mark.shown != () and not surely_refused(call, self._contract):
            for kind in self._kinds:
                entity = entity_of(call, mark, kind)
                known = self._entities[entity].writes if entity is not None else self._anywhere[call.instance, kind]
                known.calls.append(call)
                if entity is not None and mark.shown is None:
                    self._entities[entity].firm.calls.append(call)

    def around(self, call: Exchange) -> Iterator[Look]:
        """One look for each kind of read that was made both before and after the call, with nothing else between."""
        mark = self._contract.marks.get(call.tool or "")
        if mark is None or call.received is None:
            return
        for name in (each for kind in self._kinds for each in _about(call, mark, kind)):
            entity = self._entities.get(name)
            for series in entity.near(call) if entity is not None else ():
                before, after = series.last_before(call), series.first_after(call)
                if before is None or after is None or not _shows(mark, before):
                    continue
                if not self._disturbed(entity, name[1], Look(before, after), call):
                    yield Look(before, after)

    def in_a_row(self) -> Iterator[Look]:
        """Equal reads that followed each other, with nothing but reads between."""
        for (instance, kind, _), entity in self._entities.items():
            attempts = self._attempts.get(instance, [])
            for series in entity.reads.values():
                for before, after in pairwise(series.calls):
                    tried = bisect_left(attempts, _end(after)) - bisect_left(attempts, before.sent)
                    if not tried and before.before(after) and not self._disturbed(entity, kind, Look(before, after)):
                        yield Look(before, after)

    def _disturbed(self, entity: _Entity | None, kind: Names, look: Look, besides: Exchange | None = None) -> bool:
        """Whether anything but the call may have changed what the two reads show."""
        start, end = look.before.sent, _end(look.after)
        instance = look.before.instance
        anywhere = self._anywhere.get((instance, kind))
        for series in (entity.writes if entity is not None else None, anywhere):
            for write in series.between(start, end) if series is not None else ():
                if write is not besides and _shows(self._contract.marks[write.tool or ""], look.before):
                    return True
        others = (write for write in self._elsewhere.between(start, end) if write.instance != instance)
        return next(others, None) is not None or any(start < t < end for t in self._moves.get(instance, ()))


looks = once(Looks)


class Sight(NamedTuple):
    """Two equal reads around a call, and where they part; None where they show the same."""

    look: Look
    apart: Difference | None


def sights(
    history: History, contract: Contract, call: Exchange, *, besides: Container[str | None] = ()
) -> Iterator[Sight]:
    """What reads show of a call's effect: one for each kind of read made before and after it, with nothing between.

    `besides` names reads that are left out.
    """
    for look in looks(history, contract).around(call):
        if look.before.tool not in besides:
            yield Sight(look, parted(look, contract))


def unchanged(
    history: History, contract: Contract, calls: Iterable[Exchange], *, besides: Container[str | None] = ()
) -> Iterator[Judgement]:
    """For each of these calls, and each kind of read made before and after it: the two reads show the same.

    A call with no such reads around it, or with another write between them that may have taken effect, is no subject.
    """
    for call in calls:
        for (before, after), found in sights(history, contract, call, besides=besides):
            if found is None:
                yield HELD
                continue
            saw = f"{after.tool} shows a change after {call.tool} ended as {told(call)}"
            yield breach(saw, before, call, after, pointer=found.pointer, expected=found.expected, got=found.got)


def steady(history: History, contract: Contract) -> Iterator[Judgement]:
    """Equal reads in a row, with nothing but reads between, show the same."""
    by_instance: dict[str, list[Exchange]] = defaultdict(list)
    for call in history.calls():
        by_instance[call.instance].append(call)
    for look in looks(history, contract).in_a_row():
        before, after = look
        found = parted(look, contract)
        if found is None:
            yield HELD
            continue
        between = [call for call in by_instance[before.instance] if before.sent < call.sent < after.sent]
        names = ", ".join(sorted({str(call.tool) for call in between})) or "nothing"
        saw = f"{after.tool} shows a change with nothing but reads in between: {names}"
        place = {"pointer": found.pointer, "expected": found.expected, "got": found.got}
        yield breach(saw, before, *between, after, **place)


def parted(look: Look, contract: Contract) -> Difference | None:
    """Where the state in two reads differs."""
    return apart(shown(look.before, contract), shown(look.after, contract))


def shown(read: Exchange, contract: Contract) -> Json:
    """The state in a read's answer: what the contract names there, without what its mark calls volatile."""
    mark = contract.marks.get(read.tool or "")
    payload = _steady(read.payload, mark.volatile) if mark is not None and mark.volatile else read.payload
    tool = contract.tools.get(read.tool or "")
    named = tool.outputSchema.get("properties") if tool is not None and tool.outputSchema is not None else None
    # a schema of what wraps a text says nothing of what is read from it
    if not isinstance(payload, dict) or not isinstance(named, dict) or read.prose:
        return payload
    return {name: value for name, value in payload.items() if name in named}


def _steady(value: Json, volatile: Names) -> Json:
    """A value without these keys, at whatever depth."""
    if isinstance(value, dict):
        return {name: _steady(each, volatile) for name, each in value.items() if name not in volatile}
    return [_steady(each, volatile) for each in value] if isinstance(value, list) else value


def _end(call: Exchange) -> int:
    return call.received if call.received is not None else FOREVER


def _shows(mark: ToolMark, read: Exchange) -> bool:
    """Whether a read can show what a tool changes."""
    return mark.shown is None or read.tool in mark.shown


def entity_of(call: Exchange, mark: ToolMark, kind: Names) -> _Name | None:
    """The entity of a kind that a call is about; None where neither its arguments nor its answer name one."""
    values: list[Json] = []
    for name in kind:
        value = call.argument(name)
        value = _told(call, mark, name) if value is None else value
        if name not in mark.scope or not isinstance(value, str | int):
            return None
        values.append(value)
    return call.instance, kind, tuple(values)


def _about(call: Exchange, mark: ToolMark, kind: Names) -> Iterator[_Name]:
    """The entities of a kind that a call is about, or names besides."""
    name = entity_of(call, mark, kind)
    if name is not None:
        yield name
        return
    for argument, asked_by in mark.beside.items():
        value = call.argument(argument)
        if kind == (asked_by,) and isinstance(value, str | int):
            yield call.instance, kind, (value,)


def _told(call: Exchange, mark: ToolMark, name: str) -> Json:
    """The name of an entity as the answer has it."""
    if not mark.named:
        return call.given.get(name)
    found = at(call.payload, mark.named) if call.accepted else ABSENT
    return None if found is ABSENT else found


def _likeness(call: Exchange) -> Hashable:
    """Equal for reads that ask the same: tool, arguments, caller, conditions, binding."""
    conditions = spelled(call.conditions) if call.conditions else ""
    return call.tool, arguments(call), conditions, call.credential.name, call.connection.binding


def _moves(history: History) -> Mapping[str, list[int]]:
    """By instance, when something around it changed: its clock was moved, or a condition was brought about or ended."""
    moves: dict[str, list[int]] = defaultdict(list)
    ahead: dict[str, float] = {}
    for call in history.exchanges:
        clock = call.conditions.get("clock")
        if isinstance(clock, int | float) and clock > ahead.get(call.instance, 0):
            ahead[call.instance] = clock
            moves[call.instance].append(call.sent)
    for condition in history.conditions:
        moves[condition.instance].append(condition.t)
    return moves
