"""Breakages of lists, of numbers that rise, of reads that stay equal, and of what tools/list says."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from conformance.contract.making import Make
from conformance.contract.naming import id_listed
from conformance.contract.paging import NOTHING
from conformance.contract.promises import Place
from conformance.drive.wire.between import Message, Passed
from conformance.judge.promised.calls import value
from conformance.judge.promised.numbers import BOUNDS
from conformance.model.arguments import properties, required
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.pointer import ABSENT, ASKED, at, last, pointer_of
from conformance.model.prose import TEXT
from conformance.prove.proxy.breakage import Breakage, World
from conformance.prove.proxy.entities import _OfEntities
from conformance.prove.proxy.knowing import spelled
from conformance.prove.proxy.rewriting import another, asking, having, lacking, paying


@dataclass
class LosesEntry(_OfEntities):
    """A later page leaves out an entry."""

    tool: str
    cursor: Place
    entries: Place

    def act(self, call: Exchange, world: World) -> Message | None:
        """One that was made in this run: of others the suite knows nothing."""
        found = value(call, self.entries) if call.tool == self.tool else ABSENT
        if value(call, self.cursor) in NOTHING:
            return None
        mine = next((e for e in _in(found) if spelled(_id(e, self.make)) in self.known.made), None)
        left = _less(found, mine)
        return paying(call, world.contract.envelope, having(call.payload, self.entries, left)) if mine else None


@dataclass
class HidesEntry(_OfEntities):
    """A list leaves out an entity that is there."""

    entries: Place

    def act(self, call: Exchange, world: World) -> Message | None:
        """One that was made in this run: of others the suite knows nothing."""
        listing = self.make.list
        found = value(call, self.entries) if listing is not None and call.tool == listing.tool else ABSENT
        there = self.known.made - self.known.removed
        mine = [e for e in _in(found) if spelled(_id(e, self.make)) in there]
        if not mine:
            return None
        return paying(call, world.contract.envelope, having(call.payload, self.entries, _less(found, mine[-1])))


@dataclass
class RepeatsEntry(Breakage):
    """A later page begins with the last entry of the page before."""

    tool: str
    cursor: Place
    entries: Place
    last: Json = field(default_factory=list, init=False)

    def answered(self, call: Exchange, world: World) -> Message | None:
        """The entry comes once more."""
        found = value(call, self.entries) if call.tool == self.tool else ABSENT
        if not isinstance(found, list | dict):
            return None
        before, self.last = self.last, found[-1:] if isinstance(found, list) else dict([*found.items()][-1:])
        if value(call, self.cursor) in NOTHING or not before:
            return None
        both: Json = {**before, **found} if isinstance(found, dict) else [*before, *found]
        return paying(call, world.contract.envelope, having(call.payload, self.entries, both))


@dataclass
class Unfilters(Breakage):
    """A list is asked for without its filter."""

    tool: str
    argument: Place
    cursor: Place = ""
    """On later pages alone."""

    def asked(self, call: Exchange, world: World) -> Passed | None:  # noqa: ARG002 -- the base's form
        """The argument does not reach the server."""
        if call.tool != self.tool or value(call, self.argument) is ABSENT:
            return None
        if self.cursor and value(call, self.cursor) in NOTHING:
            return None
        return Passed(asking(call, lacking(call.arguments, self.argument.removeprefix(ASKED))))


@dataclass
class _OfLists(Breakage):
    """One that acts on a list of two entries or more."""

    tool: str
    entries: Place

    def answered(self, call: Exchange, world: World) -> Message | None:
        """Its entries are others."""
        found = value(call, self.entries) if call.tool == self.tool else ABSENT
        if not isinstance(found, list) or len(found) < 2:  # noqa: PLR2004 -- of one entry nothing is before another
            return None
        return paying(call, world.contract.envelope, having(call.payload, self.entries, self.made_of(found)))

    def made_of(self, found: list[Json]) -> list[Json]:
        """What is in the place of these entries."""
        raise NotImplementedError


@dataclass
class Drops(_OfLists):
    """An entry is left out."""

    def made_of(self, found: list[Json]) -> list[Json]:
        """The second is."""
        return [found[0], *found[2:]]


@dataclass
class Repeats(_OfLists):
    """An entry comes twice."""

    def made_of(self, found: list[Json]) -> list[Json]:
        """The first does."""
        return [found[0], *found]


@dataclass
class Turns(_OfLists):
    """The entries come in the opposite order."""

    def made_of(self, found: list[Json]) -> list[Json]:
        """Reversed."""
        return found[::-1]


@dataclass
class Overfills(Breakage):
    """A page has an entry more than it may have."""

    tool: str
    entries: Place
    size: Place
    most: int | None

    def answered(self, call: Exchange, world: World) -> Message | None:
        """Its last entry comes again and again."""
        found = last(call.payload, self.entries) if call.tool == self.tool and call.accepted else ABSENT
        asked = value(call, self.size) if self.size else ABSENT
        caps = [asked] if isinstance(asked, int) and not isinstance(asked, bool) and asked > 0 else []
        caps += [self.most] if self.most is not None else []
        if not isinstance(found, list | dict) or not found or not caps:
            return None
        lacking = max(min(caps) + 1 - len(found), 0)
        more: Json
        if isinstance(found, dict):
            more = {**found, **{f"more-{number}": _in(found)[-1] for number in range(lacking)}}
        else:
            more = [*found, *found[-1:] * lacking]
        return paying(call, world.contract.envelope, having(call.payload, self.entries, more))


@dataclass
class Untruncates(Breakage):
    """A page that is cut says that it is whole."""

    tool: str
    truncated: Place

    def answered(self, call: Exchange, world: World) -> Message | None:
        """The flag is turned."""
        if call.tool != self.tool or value(call, self.truncated) is not True:
            return None
        return paying(call, world.contract.envelope, having(call.payload, self.truncated, False))


@dataclass
class Stalls(Breakage):
    """A number that ought to rise is given again."""

    tool: str
    at: Place
    within: tuple[Place, ...]
    first: dict[str, Json] = field(default_factory=dict, init=False)

    def answered(self, call: Exchange, world: World) -> Message | None:
        """The first number is."""
        found = value(call, self.at) if call.tool == self.tool else ABSENT
        if found is ABSENT:
            return None
        inside = [value(call, each) for each in self.within]
        first = self.first.setdefault(spelled([None if each is ABSENT else each for each in inside]), found)
        return paying(call, world.contract.envelope, having(call.payload, self.at, first))


@dataclass
class Drifts(Breakage):
    """A read that is made again shows something else, though nothing was written."""

    tools: tuple[str, ...]
    volatile: tuple[str, ...] = ()
    """Keys whose values may change at any time: another one breaks no promise."""
    reads: set[str] = field(default_factory=set, init=False)

    def answered(self, call: Exchange, world: World) -> Message | None:
        """One value of the answer is another."""
        if call.tool in world.contract.writes():
            self.reads.clear()
        if call.tool not in self.tools or not call.accepted:
            return None
        asked = spelled([call.tool, call.arguments])
        if asked not in self.reads:
            self.reads.add(asked)
            return None
        text = call.given.get(TEXT) if call.prose else call.payload
        if isinstance(text, str):
            return paying(call, world.contract.envelope, another(text))
        place = _leaf(call.payload, self.volatile)
        if not place:
            return None
        return paying(call, world.contract.envelope, having(call.payload, place, another(at(call.payload, place))))


@dataclass
class Lists(Breakage):
    """tools/list says something else of a tool."""

    tool: str
    how: str
    """gone, required: an argument more is; bound: one is another; hint: an annotation says the opposite."""

    def answered(self, call: Exchange, world: World) -> Message | None:
        """The tool is listed so."""
        tools = (call.result or {}).get("tools") if call.method == "tools/list" else None
        if not isinstance(tools, list) or not any(_named(each, self.tool) for each in tools):
            return None
        kept = [self._listed(each, world) if _named(each, self.tool) else each for each in tools]
        return {**(call.response or {}), "result": {**(call.result or {}), "tools": [each for each in kept if each]}}

    def _listed(self, tool: dict[str, Any], world: World) -> Json:
        if self.how == "gone":
            return None
        said = tool.get("inputSchema")
        schema = said if isinstance(said, dict) else {}
        if self.how == "required":
            more = {**properties(schema), "reason": {"type": "string"}}
            wanted = [*required(schema), "reason"]
            return {**tool, "inputSchema": {**schema, "properties": more, "required": wanted}}
        if self.how == "bound":
            name, keyword = bounds(world.contract.tools[self.tool].inputSchema)[0]
            about = properties(schema).get(name)
            if not isinstance(about, dict) or not isinstance(about.get(keyword), int | float):
                return tool
            other = {**about, keyword: about[keyword] + 1}
            return {**tool, "inputSchema": {**schema, "properties": {**schema["properties"], name: other}}}
        hints = world.contract.tools[self.tool].annotations
        return {**tool, "annotations": {**hints, **{k: not v for k, v in hints.items() if isinstance(v, bool)}}}


def bounds(schema: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The arguments that have a bound which is a number, each with its keyword."""
    return [
        (name, keyword)
        for name, about in properties(schema).items()
        for keyword, value in (about.items() if isinstance(about, dict) else ())
        if keyword in BOUNDS and isinstance(value, int)
    ]


def _named(tool: Json, name: str) -> bool:
    return isinstance(tool, dict) and tool.get("name") == name


def _in(found: Json) -> list[Json]:
    """The entries of a list, or of a map."""
    return [*found.values()] if isinstance(found, dict) else found if isinstance(found, list) else []


def _less(found: Json, entry: Json) -> Json:
    """A list, or a map, without an entry."""
    if isinstance(found, dict):
        return {name: each for name, each in found.items() if each is not entry}
    return [each for each in found if each is not entry]


def _id(entity: Json, make: Make) -> Json:
    found = id_listed(make, entity)
    return None if found is ABSENT else found


def _leaf(payload: Json, volatile: tuple[str, ...], pointer: str = "") -> str:
    """The first place of a text or a number; empty where there is none."""
    inner = payload.items() if isinstance(payload, dict) else enumerate(payload) if isinstance(payload, list) else ()
    for key, each in ((key, each) for key, each in inner if key not in volatile):
        place = pointer + pointer_of([key])
        if isinstance(each, str | int | float):
            return place
        if found := _leaf(each, volatile, place):
            return found
    return ""
