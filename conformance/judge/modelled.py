"""What a server answered beside what a model did that was told the same: what a clause decides, what it leaves open.

Answers are compared as long as both servers must be in one state: not while writes overlap, nor in a scope in which the
one has accepted what the other has not, or a write got no answer.
"""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from conformance.contract.catalogue import Contract, Modelling, Shown
from conformance.contract.limits import go_on
from conformance.judge.epochs import epochs
from conformance.judge.judgements import MISSING, breach, told
from conformance.judge.kinds import alike, spelled
from conformance.judge.memo import once
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.pairing import Apart, Pairing
from conformance.model.pointer import ABSENT, ASKED, EACH, at, entries
from conformance.model.verdict import Judgement

AT_ONCE = 64
"""Calls between two looks at the clock."""


class Difference(NamedTuple):
    """A call that the two answered differently."""

    ours: Exchange
    theirs: Exchange
    saw: str
    place: Apart
    decided: str = ""
    """The requirement whose clause the difference breaks; empty where the contract leaves it open."""
    write: Exchange | None = None
    """The call that wrote what is shown otherwise."""


@dataclass(slots=True)
class Compared:
    """What came of comparing a run with a model's."""

    model: str = ""
    alike: int = 0
    """Calls that both answered the same."""
    left_out: Counter[str] = field(default_factory=Counter)
    """Calls that were not compared, by why."""
    differences: list[Difference] = field(default_factory=list)


class _Comparison:
    """Goes through the calls in the order in which the model was told them."""

    def __init__(self, history: History, contract: Contract, rule: Modelling) -> None:
        self._history, self._contract, self._rule = history, contract, rule
        self._epochs = epochs(history, contract)
        never = {key for mark in contract.marks.values() for key in mark.volatile}
        self._pairs: dict[Hashable, Pairing] = defaultdict(lambda: Pairing(rule.made, never.union(rule.volatile)))
        self._parted: dict[Hashable, str] = {}
        """Scopes in which the two are not in one state any more, and why."""
        self._written: dict[Hashable, set[str]] = defaultdict(set)
        """By scope, kind of entity and argument, what accepted writes were told."""
        self._writers: dict[Hashable, Exchange] = {}
        """By scope, kind of entity and the model's name of it, the last write of it."""
        self.found = Compared()

    def run(self) -> Compared:
        """Compares them all."""
        for number, (call, theirs) in enumerate(self._history.modelled.items()):
            if number % AT_ONCE == 0:
                go_on()
            ours = self._history.find(call)
            if ours is not None and ours.tool in self._contract.marks:
                self.found.model = theirs.connection.id
                self._look(ours, theirs)
        return self.found

    def _look(self, ours: Exchange, theirs: Exchange) -> None:
        scope, mark = self._scope(ours), self._contract.marks[ours.tool or ""]
        writes, told_before = mark.effect == "write", len(self.found.differences)
        pairs = self._paired(ours, theirs)
        if why := self._apart(scope, ours, theirs):
            self.found.left_out[why] += 1
            if writes and not (ours.refused and theirs.refused):
                self._parted.setdefault(scope, why)
            return
        if ours.accepted is not theirs.accepted or (ours.refused and ours.code != theirs.code):
            self._outcome(ours, theirs)
            if writes and ours.accepted is not theirs.accepted:
                self._parted[scope] = "an earlier call was accepted by one of the two alone"
        elif ours.accepted:
            if mark.state:
                self._shown(scope, ours, theirs, pairs)
            if writes:
                self._learn(scope, ours, pairs)
        self.found.alike += told_before == len(self.found.differences)

    def _apart(self, scope: Hashable, ours: Exchange, theirs: Exchange) -> str:
        """Why the two answers tell nothing beside each other; empty where they do."""
        if why := self._parted.get(scope, ""):
            return why
        if ours.received is None:
            return "no answer came, so that nobody knows what was done"
        mark = self._contract.marks[ours.tool or ""]
        # what a call makes is met by no other; what no read shows is in nobody's way
        met = mark.shown == () or any(ours.argument(name) is None for name in mark.scope)
        if not met and self._epochs.met(ours) is None:
            return "calls overlapped, so that their order is not known"
        if theirs.error is not None and ours.error is None:
            return "the model's protocol refused the call"
        return ""

    def _scope(self, call: Exchange) -> Hashable:
        """What a call is about: also that of a call which makes it."""
        mark = self._contract.marks[call.tool or ""]
        named = [
            call.argument(name) if call.argument(name) is not None else call.given.get(name) for name in mark.scope
        ]
        return call.instance, spelled(named)

    def _paired(self, ours: Exchange, theirs: Exchange) -> Pairing:
        pairs = self._pairs[call_of(ours, self._rule)]
        if ours.accepted and theirs.accepted:
            pairs.learn(ours.payload, theirs.payload)
        return pairs

    def _learn(self, scope: Hashable, call: Exchange, pairs: Pairing) -> None:
        """Takes what an accepted write was told, and which entity it wrote, by the model's name for it."""
        for row in self._contract.shown:
            if row.write != call.tool:
                continue
            named = _named(row.entity, call, call.payload)
            if isinstance(named, str):
                self._writers[scope, row.kind, pairs.to_model(named)] = call
            for name in row.fields:
                value = at(call.arguments, f"/{name}")
                if value is not ABSENT:
                    self._written[scope, row.kind, name].add(spelled(value))

    def _outcome(self, ours: Exchange, theirs: Exchange) -> None:
        saw = f"{ours.tool}: {told(ours)}, {theirs.connection.id}: {told(theirs)}"
        decided = self._rule.codes.get(theirs.code or "", "") if ours.accepted else ""
        place = Apart("", told(ours), told(theirs))
        self.found.differences.append(Difference(ours, theirs, saw, place, decided))

    def _shown(self, scope: Hashable, ours: Exchange, theirs: Exchange, pairs: Pairing) -> None:
        places = pairs.apart(ours.payload, theirs.payload)
        reads = self._contract.marks[ours.tool or ""].effect == "read"
        decided: dict[str, tuple[Exchange, Apart]] = {}
        if any(place.pointer.rpartition("/")[2] in self._rule.numbers for place in places):
            self._parted[scope] = "the two number what they make differently"
        elif reads and places:
            rows = [row for row in self._contract.shown if row.read == ours.tool]
            # several rows may be about one entity: what each of its writes wrote
            decided = dict(each for row in rows for each in self._rows(row, scope, ours, theirs, pairs))
        for what, (write, place) in decided.items():
            saw = f"{ours.tool} shows {what}; {theirs.connection.id}, which was told the same, does"
            self.found.differences.append(Difference(ours, theirs, saw, place, self._rule.shown, write))
        for place in places if not decided else ():
            saw = f"{ours.tool} shows {place.pointer} otherwise than {theirs.connection.id}"
            self.found.differences.append(Difference(ours, theirs, saw, place))

    def _rows(
        self, row: Shown, scope: Hashable, ours: Exchange, theirs: Exchange, pairs: Pairing
    ) -> Iterator[tuple[str, tuple[Exchange, Apart]]]:
        """What was written and the model shows as it was written: entities not shown, and fields shown otherwise."""
        held = {pairs.to_model(name): found for name, *found in _entities(row, ours)}
        cut = any(each.given.get(key) is True for each in (ours, theirs) for key in self._rule.cut)
        for named, _, entry in _entities(row, theirs):
            # the model was asked in its own names, and what is kept of the call are ours
            name = str(pairs.to_model(named)) if row.named.startswith(ASKED) else named
            write = self._writers.get((scope, row.kind, name))
            if write is None:
                continue
            if name not in held:
                if self._rule.lists and not cut and EACH in row.entry:
                    yield f"no {row.kind} {name}", (write, Apart(row.entry.partition(f"/{EACH}")[0], MISSING, name))
                continue
            pointer, own = held[name]
            for argument, where in row.fields.items():
                value, shown = at(entry, where), at(own, where)
                written = value is not ABSENT and spelled(value) in self._written[scope, row.kind, argument]
                left_out = (row.partial and shown is ABSENT) or self._rewrites(value)
                if written and not left_out and _otherwise(pairs.to_model(shown), value):
                    got = MISSING if shown is ABSENT else shown
                    place = Apart(f"{pointer}{where}", got, value)
                    yield f"{place.pointer} otherwise than as it was written", (write, place)

    def _rewrites(self, value: Json) -> bool:
        """Whether a server may spell a text otherwise than it was written, at its ends as well."""
        marks = self._rule.rewritten
        if not marks or not isinstance(value, str):
            return False
        return value != value.strip() or any(mark in value for mark in marks)


def _entities(row: Shown, read: Exchange) -> Iterator[tuple[str, str, Json]]:
    """The entities in an answer: the name of each, its place and what is shown of it."""
    for pointer, entry in entries(read.payload, row.entry):
        named = _named(row.named, read, entry)
        if isinstance(named, str):
            yield named, pointer, entry


def _named(pointer: str, call: Exchange, shown: Json) -> Json:
    """What a pointer of a row leads to, in a call's arguments or in what is shown."""
    if pointer.startswith(ASKED):
        return at(call.arguments, pointer.removeprefix(ASKED))
    return at(shown, pointer)


def call_of(call: Exchange, rule: Modelling) -> Hashable:
    """Within what the names in a call are unique."""
    return call.instance, spelled([call.argument(name) for name in rule.within])


def _otherwise(shown: Json, written: Json) -> bool:
    """Whether a value is surely not what was written; what is kept may be more, and a list may be a set."""
    if shown is ABSENT:
        return written not in ({}, [], "")
    if isinstance(shown, list) and isinstance(written, list):
        return not {*map(spelled, written)} <= {*map(spelled, shown)}
    if isinstance(shown, dict) and isinstance(written, dict):
        return any(name not in shown or alike(value, shown[name]) is False for name, value in written.items())
    return alike(shown, written) is False


@once
def compared(history: History, contract: Contract) -> Compared:
    """The whole comparison; an empty one where no model was told anything."""
    if contract.model is None or not history.modelled:
        return Compared()
    return _Comparison(history, contract, contract.model).run()


def decided(history: History, contract: Contract) -> Mapping[str, list[Judgement]]:
    """Breaches by requirement: differences that a clause decides."""
    found: dict[str, list[Judgement]] = defaultdict(list)
    for one in compared(history, contract).differences:
        if one.decided:
            place, calls = one.place, [one.write, one.ours] if one.write is not None else [one.ours]
            said = breach(one.saw, *calls, pointer=place.pointer, expected=place.theirs, got=place.ours)
            found[one.decided].append(said)
    return found
