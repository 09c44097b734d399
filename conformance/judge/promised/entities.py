"""The entities of a run by their kind and id: which call made one, what was seen of it, what may have changed it."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from conformance.contract.catalogue import Contract
from conformance.contract.making import Call, Make
from conformance.contract.naming import id_made, within
from conformance.contract.templates import slots
from conformance.judge.kinds import spelled
from conformance.judge.memo import once
from conformance.judge.promised.calls import as_written, repeated, writes
from conformance.judge.promised.moves import Turn, moved, moves_of
from conformance.judge.promised.sightings import Name, Sighting, asked, listed, name_of, shown_by
from conformance.judge.refused import surely_refused
from conformance.judge.unchanged import FOREVER
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.pointer import ABSENT, scalars


def end(call: Exchange) -> int:
    """When a call was over; one without an answer never was."""
    return call.received if call.received is not None else FOREVER


class Entities:
    """All that were seen in a run."""

    def __init__(self, history: History, contract: Contract) -> None:
        again = repeated(history, contract)
        self._contract = contract
        self._described = {call.tool for make in contract.makes.values() for call in make.calls}
        self.made: dict[Name, Exchange] = {}
        """The calls that made them, as far as these were answered with success."""
        self.sightings: dict[Name, list[Sighting]] = defaultdict(list)
        self.reads: dict[Name, list[Exchange]] = defaultdict(list)
        """The calls that ask for one by its id, whatever came of them."""
        self.tried: dict[Name, list[Exchange]] = defaultdict(list)
        """The calls that were to change or remove one, whatever came of them."""
        self.removed: dict[Name, list[Exchange]] = defaultdict(list)
        """Those of them that were to remove it."""
        self.lists: dict[tuple[str, str], list[Exchange]] = defaultdict(list)
        """By instance and kind, the accepted calls that list them."""
        self.doubled: set[Name] = set()
        """Those whose id two calls were told: nobody knows which one is meant, and nothing is said of it."""
        self._alike: dict[tuple[str, str, str], list[Name]] = defaultdict(list)
        """By instance, kind and id, those that were made: each within another entity."""
        self._named: dict[tuple[str, str], list[Exchange]] = defaultdict(list)
        """By instance and value, the writes that had it in their arguments."""
        for call in writes(history, contract):
            for _, value in scalars(call.arguments):
                self._named[call.instance, spelled(value)].append(call)
        self._states: dict[Name, Sequence[Turn]] = {}
        self._other: dict[Name, list[Exchange]] = defaultdict(list)
        """The calls that made or changed one otherwise than the contract writes them, as far as they may have."""
        for make in contract.makes.values():
            self._take(history, make, again.calls)
        for name in self.doubled:
            for known in (self.made, self.sightings, self.reads, self.tried, self.removed):
                known.pop(name, None)
        for name in self.made:
            self._alike[name[:3]].append(name)
        for name, call in (*self.made.items(), *((name, call) for name, some in self.tried.items() for call in some)):
            if not as_written(call, contract) and not surely_refused(call, contract):
                self._other[name].append(call)
        self._swept = self._sweeping(history)
        self._ends: dict[Name, Sequence[Exchange]] = {}

    def _take(self, history: History, make: Make, again: set[int]) -> None:
        for call in history.calls(make.make.tool):
            name = name_of(call, make, id_made(make, call.arguments, None)) if make.by_caller else None
            seen = shown_by(call, make, make.make, name)
            if name is not None:
                self._called(make, name, call, seen, again)
            elif seen is not None and call.call in again:
                self.tried[seen.name].append(call)
            elif seen is not None:
                if self.made.setdefault(seen.name, call) is not call:
                    self.doubled.add(seen.name)
                self.sightings[seen.name].append(seen)
        # what writes over an entity was taken with what makes one
        taken = {make.make.tool} if make.by_caller else set[str]()
        parts = ((make.read, self.reads), *((each, self.tried) for each in (make.change, make.remove, *make.moves)))
        for template, kept in parts:
            if template is not None and template.tool not in taken:
                taken.add(template.tool)
                self._asked(history, make, template, kept, again)
        for call in history.accepted(make.list.tool) if make.list is not None else ():
            self.lists[call.instance, make.entity].append(call)
            for seen in listed(call, make):
                self.sightings[seen.name].append(seen)

    def _called(self, make: Make, name: Name, call: Exchange, seen: "Sighting | None", again: set[int]) -> None:
        """Takes a call that makes an entity by the name that it gives: a later one may have written over it."""
        first = self.made.get(name)
        if call.accepted and first is not None and within(make, first.arguments) != within(make, call.arguments):
            # not every call about it says what it is within
            self.doubled.add(name)
        if call.accepted and call.call not in again and first is None:
            self.made[name] = call
        else:
            self.tried[name].append(call)
        if seen is not None and call.call not in again:
            self.sightings[name].append(seen)

    def _asked(
        self, history: History, make: Make, template: Call, kept: dict[Name, list[Exchange]], again: set[int]
    ) -> None:
        """Takes the calls that name an entity in their arguments."""
        for call in history.calls(template.tool):
            name = name_of(call, make, asked(call, template))
            if name is None:
                continue
            kept[name].append(call)
            if template is make.remove:
                self.removed[name].append(call)
            # that a removal is accepted does not show that there was anything to remove
            seen = shown_by(call, make, template, name) if template is not make.remove else None
            if seen is not None and call.call not in again:
                self.sightings[name].append(seen)

    def lives(self, name: Name, call: Exchange) -> bool:
        """Whether an entity surely exists while a call is served: it was made before, and nobody tried to remove it.

        One that was made or changed with other values than the contract writes may be over by itself, or hidden; what a
        write does to it that no [[make]] knows, nobody says. It may end with what it was made in, as tasks with a list.
        """
        made = self.made.get(name)
        if made is None or not made.before(call):
            return False
        if name not in self._ends:
            since = (each for each in self._swept[name.instance] if end(each) > made.sent)
            found = {each.call: each for each in (*self._ended(name, {name}), *since)}
            self._ends[name] = sorted(found.values(), key=lambda each: each.sent)
        # the earliest that is not the call itself decides
        return not any(each is not call and each.sent < end(call) for each in self._ends[name][:2])

    def _ended(self, name: Name, passed: set[Name]) -> Iterator[Exchange]:
        """The calls that may have ended an entity, or one that it was made in."""
        yield from self.removed.get(name, ())
        yield from self._other.get(name, ())
        yield from self._foreign(name)
        for above, make in self._above(name, passed):
            yield from self._ended(above, passed)
            yield from (each for each in self.writes_about(above) if moves_of(each, make))

    def _foreign(self, name: Name) -> Iterator[Exchange]:
        """The writes that no [[make]] knows and that name an entity, but for those that were surely refused."""
        foreign = (each for each in self.writes_about(name) if each.tool not in self._described)
        yield from (each for each in foreign if not surely_refused(each, self._contract))

    def _above(self, name: Name, passed: set[Name]) -> Iterator[tuple[Name, Make]]:
        """What an entity was made in, but for what was passed."""
        made = self.made.get(name)
        for _, value in scalars(made.arguments) if made is not None else ():
            for kind, make in self._contract.makes.items():
                for above in self.named(name.instance, kind, spelled(value)):
                    # one of the same name in another place is another one
                    if above not in passed and above[:3] != name[:3]:
                        passed.add(above)
                        yield above, make

    def strange(self, name: Name, passed: set[Name] | None = None) -> Iterator[Exchange]:
        """The writes that no [[make]] knows, and that name what an entity was made in: they may be about it, too."""
        passed = {name} if passed is None else passed
        for above, _ in self._above(name, passed):
            yield from self._foreign(above)
            yield from self.strange(above, passed)

    def sweeping(self) -> Iterator[Exchange]:
        """The writes that no [[make]] knows and that name nothing: they may be about all that there is."""
        for calls in self._swept.values():
            yield from calls

    def _sweeping(self, history: History) -> dict[str, list[Exchange]]:
        """By instance, the writes that no [[make]] knows and that name nothing: they may be about all that there is.

        What an [[example]] has in its arguments names nothing, unless it says so: it only happens to be like an id.
        """
        found: dict[str, list[Exchange]] = defaultdict(list)
        known = {(name.instance, name.id) for name in (*self.made, *self.sightings)}
        about: dict[str, bool] = {}
        for each in self._contract.examples:
            made = any(slot.kind == "made" for slot in slots(each.arguments))
            about[each.tool] = about.get(each.tool, False) or made
        for call in writes(history, self._contract, self._described):
            values = [value for _, value in scalars(call.arguments)] if about.get(call.tool or "", True) else []
            named = any((call.instance, spelled(value)) in known for value in values)
            if not named and not surely_refused(call, self._contract):
                found[call.instance].append(call)
        return found

    def altered(self, name: Name, call: Exchange, *, once: bool = False) -> bool:
        """Whether an entity may no longer be as it was made when a call is served, but for changes as in its [[make]].

        A job that was cancelled cannot be cancelled again, and may be listed no more. `once`: nor for any change.
        """
        make = self._contract.makes[name.kind]
        own = {make.make.tool} if once else {each.tool for each in (make.make, make.change, make.remove) if each}
        named = self._named.get((name.instance, name.id), ())
        return any(
            each is not call and each.sent < end(call) and (each.tool not in own or moves_of(each, make))
            for each in named
        )

    def odd(self) -> Iterator[tuple[Name, int]]:
        """Those that were made or changed otherwise than the contract writes them, and when that was begun first."""
        return ((name, min(call.sent for call in calls)) for name, calls in self._other.items() if calls)

    def named(self, instance: str, kind: str, identifier: str) -> Sequence[Name]:
        """Those of a kind that were made with an id, given in JSON: several where each is within another entity."""
        return self._alike.get((instance, kind, identifier), ())

    def writes_about(self, name: Name) -> Sequence[Exchange]:
        """The writes that have its id among their arguments."""
        return self._named.get((name.instance, name.id), ())

    def in_state(self, name: Name, call: Exchange, state: str) -> bool:
        """Whether an entity surely is in a state when a call is served; '' is the one that it was made in."""
        make = self._contract.makes[name.kind]
        if not make.states:
            return not state and not self.altered(name, call)
        return self.state(name, call) == state

    def state(self, name: Name, call: Exchange) -> str | None:
        """The state that an entity surely is in when a call is served; None where that is not known."""
        now: str | None = ""
        for turn in self._turns(name):
            if turn.write is call:
                continue
            if turn.write.sent >= end(call):
                break
            now = turn.state if turn.write.before(call) else None
        return now

    def left(self, name: Name, call: Exchange, state: str) -> bool:
        """Whether an entity had been in a state and was brought out of it before a call was made."""
        past = [turn.state for turn in self._turns(name) if turn.write is not call and turn.write.before(call)]
        return state in past and past[-1] is not None and past[-1] != state

    def _turns(self, name: Name) -> Sequence[Turn]:
        """What writes made of the state of an entity, in order."""
        if name not in self._states:
            self._states[name] = tuple(self._turned(name, self._contract.makes[name.kind]))
        return self._states[name]

    def _turned(self, name: Name, make: Make) -> Iterator[Turn]:
        now: str | None = ""
        until = 0
        own = {each.tool for each in (make.make, make.change, make.remove) if each}
        named = self._named.get((name.instance, name.id), ())
        for write in sorted(named, key=lambda one: one.sent):
            if surely_refused(write, self._contract):
                continue
            if write.sent < until or not write.accepted:
                now = None
            elif moves := moves_of(write, make):
                now = moved(now, moves)
            # a change keeps the state that the entity was made in; what it makes of another one nobody says
            elif now != "" or write.tool not in own or not as_written(write, self._contract):
                now = None
            until = max(until, end(write))
            yield Turn(write, now)

    def gone(self, name: Name, call: Exchange) -> Exchange | None:
        """The call that surely had removed an entity before another was made; None where there is none.

        What its caller named may have been made again since, by any write that has the name, wherever it stands there.
        """
        make = self._contract.makes[name.kind]
        removals = [one for one in self.removed.get(name, ()) if one.accepted and one.before(call)]
        if not removals or not make.by_caller:
            return next(iter(removals), None)
        last = max(removals, key=lambda one: one.sent)
        others = (one for one in self.writes_about(name) if make.remove is None or one.tool != make.remove.tool)
        since = (one for one in others if one is not call and one.sent < end(call) and end(one) > last.sent)
        return None if any(not surely_refused(one, self._contract) for one in since) else last

    def current(self, name: Name, make: Make, call: Exchange, *, wary: bool = False) -> Json:
        """The revision that an entity surely has when a call is made; ABSENT where that is not known.

        `wary`: a write that was refused may have changed it all the same, as on a server that breaks another promise.
        """
        seen = [s for s in self.sightings.get(name, ()) if s.call is not call and s.call.before(call)]
        latest = max(seen, key=lambda one: one.call.sent, default=None)
        if latest is None or (found := latest.revision(make)) is ABSENT:
            return ABSENT
        for write in self.tried.get(name, ()):
            sure = surely_refused(write, self._contract) and not wary
            if write not in (latest.call, call) and not sure:
                over_before = write.before(latest.call)
                if not over_before and write.sent < end(call):
                    return ABSENT
        return found

    def all(self, kind: str) -> Iterator[tuple[Name, list[Sighting]]]:
        """Those of a kind that were seen, with all that was seen of them."""
        return ((name, seen) for name, seen in self.sightings.items() if name.kind == kind)


entities = once(Entities)
