"""Breakages of entities: their revisions, what writes leave behind, and how long they live."""

from dataclasses import dataclass, field

from conformance.contract.making import Call, Make
from conformance.contract.promises import Place, argued
from conformance.contract.templates import fits, place_of
from conformance.drive.wire.between import Message, Passed
from conformance.judge.promised.calls import value
from conformance.judge.promised.sightings import shows_none
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.pointer import ABSENT, ASKED, at
from conformance.prove.proxy.breakage import Breakage, World, seen, settled
from conformance.prove.proxy.knowing import Known, named, spelled
from conformance.prove.proxy.rewriting import (
    another,
    answering,
    asking,
    carries,
    given,
    having,
    lacking,
    paying,
    replaced,
)


@dataclass
class _OfEntities(Breakage):
    """One that knows the entities of a kind."""

    make: Make
    known: Known = field(init=False)

    def __post_init__(self) -> None:
        """Nothing is known at first."""
        self.known = Known(self.make)

    def answered(self, call: Exchange, world: World) -> Message | None:
        """Takes what is shown, and then acts."""
        new = self.act(call, world)
        self.known.see(call)
        return new

    def act(self, call: Exchange, world: World) -> Message | None:  # noqa: ARG002 -- those that act on calls
        """What is heard in an answer's place; None: the answer."""
        return None


@dataclass
class StaysAtRevision(_OfEntities):
    """A change is answered with the revision that the entity had."""

    def act(self, call: Exchange, world: World) -> Message | None:
        """The old revision is shown."""
        template = self.make.change
        before = self.known.revision(named(call, template))
        if template is None or before is ABSENT or not call.accepted:
            return None
        return paying(call, world.contract.envelope, having(call.payload, template.at + self.make.revision, before))


@dataclass
class Unguards(_OfEntities):
    """A change that expects an old revision is done: in the place of its refusal, or besides."""

    template: Call
    expected: Place
    besides: bool

    def asked(self, call: Exchange, world: World) -> Passed | None:  # noqa: ARG002 -- the base's form
        """It reaches the server as one that expects the current revision."""
        current = self.known.revision(named(call, self.template))
        wanted = value(call, self.expected) if call.tool == self.template.tool else ABSENT
        if current is ABSENT or wanted is ABSENT or spelled(current) == spelled(wanted):
            return None
        message = asking(call, having(call.arguments, self.expected.removeprefix(ASKED), current))
        return Passed(call.request, before=message) if self.besides else Passed(message)


@dataclass
class StaysBarred(_OfEntities):
    """What was once in a state is refused a call for ever."""

    enter: Call
    tool: str
    place: str
    code: str
    entered: set[str] = field(default_factory=set, init=False)

    def act(self, call: Exchange, world: World) -> Message | None:
        """Refused, where it was brought into the state before."""
        if call.accepted and fits(self.enter.arguments, call.arguments) and (name := named(call, self.enter)):
            self.entered.add(name)
        found = at(call.arguments, self.place) if call.tool == self.tool else ABSENT
        barred = found is not ABSENT and spelled(found) in self.entered
        return world.refusal(call, self.code) if barred and call.accepted else None


@dataclass
class WritesOtherwise(Breakage):
    """What is kept of a write is not what it says; its answer says what it said."""

    tool: str
    argument: Place
    said: dict[int, tuple[Json, Json]] = field(default_factory=dict, init=False)

    def asked(self, call: Exchange, world: World) -> Passed | None:  # noqa: ARG002 -- the base's form
        """Another value reaches the server."""
        old = value(call, self.argument) if call.tool == self.tool else None
        if old is ABSENT or old is None or old == "":
            return None
        self.said[call.call] = old, another(old)
        return Passed(asking(call, having(call.arguments, self.argument.removeprefix(ASKED), another(old))))

    def answered(self, call: Exchange, world: World) -> Message | None:  # noqa: ARG002 -- as above
        """The caller is shown what it wrote."""
        if call.call not in self.said or call.result is None:
            return None
        old, new = self.said[call.call]
        return given(call, replaced(carries(call), new, old))


@dataclass
class FirstSights(_OfEntities):
    """A read shows an entity as it was shown first, whatever was changed since."""

    first: dict[str, Json] = field(default_factory=dict, init=False)

    def act(self, call: Exchange, world: World) -> Message | None:
        """The old entity is in the place of the new one."""
        for name, entity in self.known.shown.items():
            self.first.setdefault(name, entity)
        template = self.make.read
        old = self.first.get(named(call, template))
        if template is None or old is None or not call.accepted:
            return None
        return paying(call, world.contract.envelope, having(call.payload, template.at, old))


@dataclass
class OldReads(Breakage):
    """A read shows what it showed the first time. What else its answer tells, such as when it was made, is its own."""

    tool: str
    first: dict[str, Json] = field(default_factory=dict, init=False)

    def answered(self, call: Exchange, world: World) -> Message | None:
        """Equal reads show the same, whatever was written."""
        if call.tool != self.tool or not call.accepted:
            return None
        return paying(call, world.contract.envelope, self.first.setdefault(spelled(call.arguments), call.payload))


@dataclass
class Unseen(Breakage):
    """What a write changed shows in no read of the same entity, until something else is written there."""

    tool: str
    shown: dict[str, dict[str, Json]] = field(default_factory=dict, init=False)
    kept: dict[str, dict[str, Json]] = field(default_factory=dict, init=False)

    def answered(self, call: Exchange, world: World) -> Message | None:
        """A read is answered as before the write, where it was made before it."""
        mark = world.contract.marks.get(call.tool or "")
        if mark is None or not call.accepted or mark.shown == ():
            return None
        scope = spelled([call.argument(name) for name in mark.scope])
        if mark.effect == "write":
            for each in [scope] if mark.scope else list({**self.shown, **self.kept}):
                shown, kept = self.shown.pop(each, {}), self.kept.pop(each, {})
                if call.tool == self.tool:
                    self.kept[each] = {**shown, **kept}
            return None
        asked = spelled([call.tool, call.arguments])
        if asked in self.kept.get(scope, {}):
            return paying(call, world.contract.envelope, self.kept[scope][asked])
        self.shown.setdefault(scope, {})[asked] = call.payload
        return None


@dataclass
class SwallowsChanges(_OfEntities):
    """A change is answered as if it were done, and reaches nobody."""

    fields: dict[str, Place]

    def asked(self, call: Exchange, world: World) -> Passed | None:
        """The answer is made of the entity as it was shown last, and of what the change says."""
        template = self.make.change
        name = named(call, template)
        if self.make.by_caller and not self.make.revision:
            return like_another(call, template, world) if name in self.known.made else None
        entity, other = self.known.shown.get(name), world.success(call)
        if template is None or not name or not isinstance(entity, dict) or other is None:
            return None
        expects, current = place_of(template, "revision"), self.known.revision(name)
        if expects and spelled(at(call.arguments, expects)) != spelled(None if current is ABSENT else current):
            return None
        for argument, place in self.fields.items():
            if (said := value(call, argued(argument))) is not ABSENT:
                entity = having(entity, place, said)
        if isinstance(current, int):
            entity = having(entity, self.make.revision, current + 1)
        told = seen(call.request, call.call)
        settled(told, other, world.contract)
        answer = paying(told, world.contract.envelope, having(told.payload, template.at, entity))
        return Passed(call.request, answer=answering(call, answer))


@dataclass
class SwallowsRemovals(_OfEntities):
    """A removal is answered as if it were done, and reaches nobody."""

    swallowed: set[str] = field(default_factory=set, init=False)

    def asked(self, call: Exchange, world: World) -> Passed | None:
        """The answer is that of another removal, with this one's id."""
        name = named(call, self.make.remove)
        if not name or name not in self.known.made or name in self.swallowed:
            return None
        passed = like_another(call, self.make.remove, world)
        if passed is not None:
            self.swallowed.add(name)
        return passed


def like_another(call: Exchange, template: Call | None, world: World) -> Passed | None:
    """A call that reaches nobody: its answer is that to an earlier one, with this one's id; None: there was none."""
    found = world.samples.successes.get(call.tool or "")
    if template is None or found is None:
        return None
    place = place_of(template, "id")
    told = seen(call.request, call.call)
    settled(told, answering(call, found[1]), world.contract)
    answer = given(told, replaced(carries(told), at(found[0], place), at(call.arguments, place)))
    return Passed(call.request, answer=answering(call, answer))


@dataclass
class Unfinds(_OfEntities):
    """An entity that is there is not found."""

    code: str = ""
    """None: the read is answered, and shows none."""

    def act(self, call: Exchange, world: World) -> Message | None:
        """A read of it is refused."""
        name = named(call, self.make.read)
        there = name in self.known.made and name not in self.known.removed
        if not there or self.make.read is None or not call.accepted:
            return None
        if self.code:
            return world.refusal(call, self.code)
        return paying(call, world.contract.envelope, lacking(call.payload, self.make.read.at))


@dataclass
class StillFinds(_OfEntities):
    """An entity that was removed can still be read."""

    reads: dict[str, Message] = field(default_factory=dict, init=False)

    def act(self, call: Exchange, world: World) -> Message | None:
        """The last read is given again."""
        name = named(call, self.make.read)
        if not name:
            return None
        found = call.accepted and not shows_none(call, self.make)
        if found:
            self.reads[name] = call.response or {}
            return None
        other = self.reads.get(name) or world.success(call)
        return answering(call, other) if name in self.known.removed and other is not None else None


@dataclass
class SharesValue(_OfEntities):
    """What is made later shares a value with what was made first."""

    at: Place
    first: list[Json] = field(default_factory=list, init=False)

    def act(self, call: Exchange, world: World) -> Message | None:
        """The first one's value is shown."""
        place = self.make.make.at + self.at
        found = at(call.payload, place) if call.tool == self.make.make.tool and call.accepted else ABSENT
        if found is ABSENT:
            return None
        self.first.append(found)
        return paying(call, world.contract.envelope, having(call.payload, place, self.first[0]))
