"""What a random history has made so far, and the values that its next calls take from that."""

import re
from collections import defaultdict
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from conformance.drive.bench import Bench
from conformance.drive.secrets import mark
from conformance.histories import patterns, values
from conformance.histories.corpus import Corpus
from conformance.histories.origins import answered
from conformance.histories.patterns import KNOWN, NAME, WHO, Hole, Pattern
from conformance.histories.twists import TWISTS, Turn
from conformance.histories.values import AHEAD, LITERAL, PLANTED, RENEWED, TEXT
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.pointer import ABSENT, at, entries

MOST_KNOWN = 12
"""Values of a kind that are remembered: the newest."""
AGENTS = 3
"""Different agents of a role, at most: the fewer there are, the more their calls have to do with each other."""
NEWEST = 5
"""In so many of eight cases a value is the newest."""
REUSED = 16
"""One name in so many is new where another call introduces it."""
OLDER = 4
"""Where one was introduced, one in so many is not the newest."""
REPEATED = 4
"""One in so many is not, where the call itself introduces it, or nobody does."""
Home = tuple[str, ...]
_LETTERS = re.compile(r"[A-Za-z]+")


class Scene:
    """A story of the run that a history tells anew: what its names are now, and what its calls are answered."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        """By the name in the run."""
        self.answers: dict[int, Json] = {}
        """By the call of the run; None where it was refused this time."""


class World:
    """What a history has made so far."""

    def __init__(self, words: Corpus, bench: Bench, agents: int = AGENTS) -> None:
        self.corpus = words
        self.bench = bench
        self._agents = agents
        self.known: dict[str, list[Json]] = defaultdict(list)
        """What was answered, by where calls take it from, the newest last."""
        self.names: dict[str, list[str]] = defaultdict(list)
        """What we named, by the argument that names it, the newest last; of what has to be introduced, what was."""
        self._homes: dict[tuple[str, Json], set[Home]] = defaultdict(set)
        """By kind and value, where it was answered."""
        self.said: dict[str, list[Json]] = defaultdict(list)
        """What was said or answered under a name, the newest last."""
        self._count = 0

    def agent(self, role: str, number: int, defect: str | None = None) -> str:
        """The credential of an agent of a role."""
        place = number % self._agents
        return self.bench.credential(role, f"r{place}" if place else "", defect=defect)

    def claim(self, role: str, number: int, name: str) -> Json:
        """A claim of such an agent."""
        return self.bench.claims(self.agent(role, number)).get(name, "")

    def renewed(self, text: str) -> str:
        """A name that no other call has."""
        self._count += 1
        place = self.bench.instance.partition("-")[0]
        return text.replace(RENEWED, f"{self.bench.session.nonce}-{place}-{self._count}")

    def home(self, arguments: Mapping[str, Json]) -> Home:
        """The names, as other calls introduce them, that a call is about: ids are known within them."""
        return tuple(str(arguments.get(name)) for name in sorted(self.corpus.shared))

    def named(self, name: str, turn: Turn) -> str | None:
        """A name that was introduced: mostly the newest."""
        names = self.names[name]
        return names[-1 - (len(names) > 1 and turn.pick % OLDER == 0)] if names else None

    def near(self, kind: str, was: Json, home: Home) -> list[Json]:
        """Of these, those that were answered there."""
        return [value for value in self.like(kind, was) if home in self._homes[kind, value]]

    def like(self, kind: str, was: Json) -> list[Json]:
        """The known values of a kind that begin as this one does: plans alone, where the same tool makes tasks."""
        begins = _begin(was)
        return [value for value in self.known[kind] if _begin(value) == begins]

    def introduced(self, tool: str, arguments: dict[str, Json]) -> None:
        """Keeps the names that an accepted call introduced, and what its arguments were."""
        for name, value in arguments.items():
            _add(self.said[name], value)
            if isinstance(value, str) and tool in self.corpus.shared.get(name, ()):
                _add(self.names[name], value)

    def learn(self, tool: str, exchange: Exchange) -> None:
        """Takes from an accepted answer what other calls go on from."""
        said, home = answered(exchange), self.home(exchange.arguments)
        for kind in self.corpus.sources:
            source, _, place = kind.partition(" ")
            for _, value in entries(said, place) if source == tool else ():
                if isinstance(value, str | int) and not isinstance(value, bool):
                    _add(self.known[kind], value)
                    self._homes[kind, value].add(home)
                    _add(self.said[place.rpartition("/")[2]], value)


def _add(known: list[Any], value: Json) -> None:
    if value in known:
        known.remove(value)
    known.append(value)
    del known[:-MOST_KNOWN]


def _is_claim(value: Json) -> bool:
    return isinstance(value, dict) and value.keys() == {WHO}


def _begin(value: Json) -> str:
    """The letters that an id begins with; empty for any number."""
    found = _LETTERS.match(value) if isinstance(value, str) else None
    return found[0] if found is not None else ""


class Filling:
    """Fills the holes of one call."""

    def __init__(self, world: World, tool: str, turn: Turn, scene: Scene | None = None) -> None:
        """`scene`: the story that the call is part of; None: it builds on whatever there is."""
        self._world = world
        self._scene = scene
        self._tool = tool
        self._turn = turn
        self._holes = 0
        self._home: Home = ()

    def arguments(self, pattern: Pattern) -> dict[str, Json]:
        """Those of a call, without holes: what it is about before what is known there."""
        about = {name: self.argument(name, value) for name, value in pattern.arguments.items() if self._names(name)}
        self._home = self._world.home(about)
        return {name: about[name] if name in about else self.of(name, each) for name, each in pattern.arguments.items()}

    def _names(self, name: str) -> bool:
        return name in self._world.corpus.shared

    def argument(self, name: str, value: Json) -> Json:
        """An argument without holes. What another call has to introduce is never what it was in the run."""
        introducing = self._world.corpus.shared.get(name, ()) if self._scene is None else ()
        fixed = isinstance(value, str) and introducing and self._tool not in introducing
        return self._name(str(value), name) if fixed else self.of(name, value)

    def of(self, name: str, value: Json) -> Json:
        """A value of the argument of this name, without holes."""
        if isinstance(value, list):
            filled = [self.of(name, each) for each in value]
            # several callers may be one in this history, and are named once then
            return list(dict.fromkeys(filled)) if value and all(map(_is_claim, value)) else filled
        if not isinstance(value, dict):
            return value
        if len(value) == 1:
            kind, held = next(iter(value.items()))
            if kind in (KNOWN, NAME, WHO, AHEAD, TEXT, LITERAL, PLANTED):
                return self._filled(kind, held, name)
        return {key: self.of(name, each) for key, each in value.items()}

    def _filled(self, kind: str, held: Any, name: str) -> Json:
        world = self._world
        match kind:
            case patterns.KNOWN | patterns.NAME:
                return self._known(Hole(*held)) if kind == KNOWN else self._name(held, name)
            case patterns.WHO:
                return world.claim(*held)
            case values.AHEAD:
                at = datetime.now(UTC) + timedelta(seconds=held["s"])
                return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
            case values.TEXT:
                return "".join(str(self.of(name, part)) for part in held)
            case _:
                return mark(str(held)) if kind == PLANTED else held

    def _known(self, hole: Hole) -> Json:
        """A value that an answer gave: that of the story, else mostly the newest, or a number that is near to it."""
        self._holes += 1
        value = self._told(hole) if self._scene is not None else ABSENT
        if value is ABSENT:
            value = self._any(hole)
        if isinstance(value, int) and TWISTS[self._turn.twist % len(TWISTS)] == "older":
            return value + (-1, 1, 7)[self._turn.c % 3]
        return value

    def _told(self, hole: Hole) -> Json:
        """What stands there in the answer that the call of the story was given this time."""
        value = at(self._scene.answers.get(hole.call), hole.at) if self._scene is not None else ABSENT
        return value if type(value) is type(hole.was) else ABSENT

    def _any(self, hole: Hole) -> Json:
        world = self._world
        known = world.near(hole.kind, hole.was, self._home) or world.like(hole.kind, hole.was) or world.known[hole.kind]
        if not known:
            return hole.was
        chosen = (self._turn.c + self._holes) % 8
        return known[-1] if chosen < NEWEST else known[(self._turn.b + chosen) % len(known)]

    def _name(self, text: str, name: str) -> str:
        """A name of our own: mostly one that was introduced, where another call does that, else mostly a new one."""
        if self._scene is not None:
            return self._scene.names.setdefault(text, self._world.renewed(text))
        names, introducing = self._world.names[name], self._world.corpus.shared.get(name, ())
        if introducing and self._tool not in introducing:
            known = self._world.named(name, self._turn) if self._turn.c % REUSED else None
            return known if known is not None else self._world.renewed(text)
        if names and self._turn.c % REPEATED == 0:
            return names[-1]
        made = self._world.renewed(text)
        if not introducing:
            _add(names, made)
        return made
