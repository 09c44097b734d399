"""Makes up a history from drawn numbers: good calls that build on one another, as they are, repeated and changed."""

import copy
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from conformance.drive.bench import Bench
from conformance.drive.errors import SkipError
from conformance.drive.secrets import mark
from conformance.drive.vectors import Vector
from conformance.histories import corpus, values
from conformance.histories.corpus import KNOWN, NAME, WHO, Corpus, Pattern, kinds_in
from conformance.histories.origins import answered
from conformance.histories.values import AHEAD, LITERAL, PLANTED, RENEWED, TEXT
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.pointer import entries

DEEPEST = 4
"""How many calls may be made first, one for the other, so that a call has what it builds on."""
MOST_KNOWN = 12
"""Values of a kind that are remembered: the newest."""
LOOKS = 4
"""Reads at the end of a history."""
AGENTS = 3
"""Different agents of a role."""
NEWEST = 5
"""In so many of eight cases a value is the newest."""
REUSED = 8
"""One name in so many is new where it names what other calls name too."""


class Turn(NamedTuple):
    """One drawn step: which call, what is done with it, and three numbers for how."""

    pick: int
    twist: int
    a: int
    b: int
    c: int


TWISTS = (
    "plain", "plain", "plain", "under", "again", "again", "altered", "altered", "added", "added", "without", "vector",
    "other", "lane", "at_once", "older", "refused_first",
)  # fmt: skip
"""What is done with a good call. again: an earlier one as it was; altered: with one argument changed; added: with an
argument that it may have; vector: with one as a vector has it; other: by somebody else; lane: over another connection;
older: with a number before or after the newest; refused_first: after a bad one; under: while a condition holds, such as
the run had for this tool."""


PROFILE = "profile"
CLOCK = "clock"
"""A condition that only moves forward, and stays."""


@dataclass(slots=True)
class Made:
    """A call as it was made."""

    tool: str
    arguments: dict[str, Json]
    by: str | None
    pattern: Pattern


class World:
    """What a history has made so far."""

    def __init__(self, words: Corpus, bench: Bench) -> None:
        self.corpus = words
        self.bench = bench
        self.known: dict[str, list[Json]] = defaultdict(list)
        """What was answered, by where calls take it from, the newest last."""
        self.names: dict[str, list[str]] = defaultdict(list)
        """What we named, by the argument that names it, the newest last."""
        self._count = 0

    def agent(self, role: str, number: int) -> str:
        """The credential of an agent of a role."""
        return self.bench.credential(role, f"r{number % AGENTS}" if number else "")

    def claim(self, role: str, number: int, name: str) -> Json:
        """A claim of such an agent."""
        return self.bench.claims(self.agent(role, number)).get(name, "")

    def renewed(self, text: str) -> str:
        """A name that no other call has."""
        self._count += 1
        place = self.bench.instance.partition("-")[0]
        return text.replace(RENEWED, f"{self.bench.session.nonce}-{place}-{self._count}")

    def learn(self, tool: str, exchange: Exchange) -> None:
        """Takes from an accepted answer what other calls go on from."""
        said = answered(exchange)
        for kind in self.corpus.sources:
            source, _, place = kind.partition(" ")
            for _, value in entries(said, place) if source == tool else ():
                if isinstance(value, str | int) and not isinstance(value, bool):
                    known = self.known[kind]
                    if value in known:
                        known.remove(value)
                    known.append(value)
                    del known[:-MOST_KNOWN]


class Improvisation:
    """One random history on one instance."""

    def __init__(
        self,
        words: Corpus,
        bench: Bench,
        vectors: dict[str, list[Vector]],
        reads: Sequence[str],
        lanes: list[Bench],
    ) -> None:
        """`lanes` takes the bench that a connection is opened for."""
        self._corpus = words
        self._bench = bench
        self._vectors = vectors
        self._patterns = vocabulary(words, bench.settings)
        self._reads = [tool for tool in self._patterns if tool in reads]
        # what only shows is drawn half as often as what may change something
        self._tools = [tool for tool in self._patterns for _ in range(1 if tool in reads else 2)]
        self._world = World(words, bench)
        self._made: list[Made] = []
        self._lanes = lanes

    async def play(self, turns: Sequence[Turn]) -> None:
        """Makes the calls. What the target cannot do, as to know a second agent, is left out."""
        for turn in turns:
            try:
                await self._turn(turn)
            except SkipError:
                continue
        for place, tool in enumerate(self._reads[:LOOKS] if self._made else ()):
            pattern = self._patterns[tool][place % len(self._patterns[tool])]
            if all(self._world.known[kind] for kind in _kinds(pattern)):
                await self._make(self._filled(pattern, Turn(0, 0, 0, 0, 0)))

    async def _turn(self, turn: Turn) -> None:
        twist = TWISTS[turn.twist % len(TWISTS)]
        if twist in ("again", "altered") and self._made:
            earlier = self._made[turn.a % len(self._made)]
            arguments = earlier.arguments
            if twist == "altered":
                like = [each for each in self._made if each.tool == earlier.tool]
                arguments = _crossed(arguments, like[turn.b % len(like)].arguments, turn)
            await self._make(Made(earlier.tool, arguments, earlier.by, earlier.pattern))
            return
        tool = self._tools[turn.pick % len(self._tools)]
        pattern = self._patterns[tool][turn.a % len(self._patterns[tool])]
        await self._prepared(pattern, turn, DEEPEST)
        made = self._filled(pattern, turn)
        match twist:
            case "without":
                made.arguments = _without(made.arguments, turn.b)
            case "added":
                made.arguments = self._with_vector(made, turn, valid=True)
            case "vector":
                made.arguments = self._with_vector(made, turn)
            case "other":
                made.by = self._other(pattern, turn)
            case "lane" | "under":
                await self._make(made, await (self._lane() if twist == "lane" else self._under(tool, turn)))
                return
            case "at_once":
                await self._at_once(made, turn)
                return
            case "refused_first":
                await self._make(Made(tool, self._with_vector(made, turn), made.by, pattern))
            case _:
                pass
        await self._make(made)

    async def _prepared(self, pattern: Pattern, turn: Turn, depth: int) -> None:
        """Makes the calls first whose answers, or whose names, this one builds on."""
        if not depth:
            return
        for kind in _kinds(pattern):
            tool = kind.partition(" ")[0]
            if not self._world.known[kind] and self._patterns.get(tool):
                await self._first(tool, turn, depth)
        for name, tools in self._corpus.shared.items():
            if name in pattern.arguments and not self._world.names[name] and pattern.tool not in tools:
                for tool in tools[:1]:
                    if self._patterns.get(tool):
                        await self._first(tool, turn, depth)

    async def _first(self, tool: str, turn: Turn, depth: int) -> None:
        pattern = self._patterns[tool][turn.b % len(self._patterns[tool])]
        await self._prepared(pattern, turn, depth - 1)
        await self._make(self._filled(pattern, turn))

    def _filled(self, pattern: Pattern, turn: Turn) -> Made:
        filling = _Filling(self._world, turn)
        arguments = {name: filling.of(name, value) for name, value in pattern.arguments.items()}
        by = self._world.agent(*pattern.by) if pattern.by is not None else None
        return Made(pattern.tool, arguments, by, pattern)

    async def _make(self, made: Made, bench: Bench | None = None) -> Exchange:
        exchange = await (bench or self._bench).call(made.tool, made.arguments, credential=made.by)
        self._remember(made, exchange)
        return exchange

    def _remember(self, made: Made, exchange: Exchange) -> None:
        self._made.append(made)
        if exchange.accepted:
            self._world.learn(made.tool, exchange)

    async def _at_once(self, made: Made, turn: Turn) -> None:
        other = made
        if turn.b % 2 and self._made:
            other = self._made[turn.c % len(self._made)]
        pair = (made, other)
        calls = [self._bench.call(each.tool, copy.deepcopy(each.arguments), credential=each.by) for each in pair]
        for each, exchange in zip(pair, await self._bench.together(*calls), strict=True):
            self._remember(each, exchange)

    async def _under(self, tool: str, turn: Turn) -> Bench | None:
        """The bench under a condition of the tool's; a clock stays where it was moved to."""
        known = [each for each in self._corpus.conditions.get(tool, ()) if all(map(self._bench.toggles, each))]
        if not known:
            return None
        filling = _Filling(self._world, turn)
        held = {name: filling.of(name, value) for name, value in known[turn.c % len(known)].items()}
        if CLOCK in held:
            held[CLOCK] = max(held[CLOCK], self._bench.conditions.get(CLOCK, 0))
            self._bench = await self._bench.under(**{CLOCK: held[CLOCK]})
        return await self._bench.under(**held)

    async def _lane(self) -> Bench:
        if not self._lanes:
            self._lanes.append(await self._bench.lane())
        return self._lanes[0]

    def _with_vector(self, made: Made, turn: Turn, *, valid: bool = False) -> dict[str, Json]:
        """With one argument as a vector of its tool has it; a valid one is added where the call has none."""
        vectors = [each for each in self._vectors.get(made.tool, ()) if each.valid or not valid]
        named = {name: value for each in vectors for name, value in each.value.items()} if valid else {}
        every = [(name, value) for each in vectors for name, value in each.value.items()]
        places = [(name, value) for name, value in named.items() if name not in made.arguments] if valid else every
        if not places:
            return made.arguments if valid else _without(made.arguments, turn.b)
        name, value = places[(turn.b * 64 + turn.c) % len(places)]
        return {**made.arguments, name: value}

    def _other(self, pattern: Pattern, turn: Turn) -> str | None:
        roles = sorted({each.by[0] for some in self._patterns.values() for each in some if each.by is not None})
        return self._world.agent(roles[turn.b % len(roles)], turn.c % 2) if roles and pattern.by is not None else None


class _Filling:
    """Fills the holes of one call."""

    def __init__(self, world: World, turn: Turn) -> None:
        self._world = world
        self._turn = turn
        self._holes = 0

    def of(self, name: str, value: Json) -> Json:
        """A value of the argument of this name, without holes."""
        if isinstance(value, list):
            return [self.of(name, each) for each in value]
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
            case corpus.KNOWN | corpus.NAME:
                return self._known(held) if kind == KNOWN else self._name(held, name)
            case corpus.WHO:
                return world.claim(*held)
            case values.AHEAD:
                at = datetime.now(UTC) + timedelta(seconds=held["s"])
                return at.isoformat(timespec="milliseconds").replace("+00:00", "Z")
            case values.TEXT:
                return "".join(str(self.of(name, part)) for part in held)
            case _:
                return mark(str(held)) if kind == PLANTED else held

    def _known(self, held: list[Json]) -> Json:
        """A value that an answer gave: mostly the newest, or an older one, or a number that is near to it."""
        self._holes += 1
        known = self._world.known[held[0]]
        if not known:
            return held[1]
        chosen = (self._turn.c + self._holes) % 8
        value = known[-1] if chosen < NEWEST else known[(self._turn.b + chosen) % len(known)]
        if isinstance(value, int) and TWISTS[self._turn.twist % len(TWISTS)] == "older":
            return value + (-1, 1, 7)[self._turn.c % 3]
        return value

    def _name(self, text: str, name: str) -> str:
        """A name of our own: mostly an earlier one where it names what other calls name too, else a new one."""
        names = self._world.names[name]
        if names and name in self._world.corpus.shared and self._turn.c % REUSED:
            return names[-1 - (self._turn.b % 2) * (len(names) > 1)]
        names.append(self._world.renewed(text))
        return names[-1]


def vocabulary(words: Corpus, settings: Mapping[str, Json]) -> dict[str, list[Pattern]]:
    """By tool, the patterns seen in these settings; of tools that were not called there, those of the same profile.

    A call that was accepted in other settings may be refused in these: each combination is tried.
    """
    own: dict[str, list[Pattern]] = defaultdict(list)
    others: dict[str, list[Pattern]] = defaultdict(list)
    for pattern in words.patterns:
        if pattern.settings == settings:
            own[pattern.tool].append(pattern)
        elif pattern.settings.get(PROFILE) == settings.get(PROFILE):
            others[pattern.tool].append(pattern)
    return {**others, **own}


def _kinds(pattern: Pattern) -> list[str]:
    return list(dict.fromkeys(kinds_in(pattern.arguments)))


def _without(arguments: dict[str, Json], number: int) -> dict[str, Json]:
    names = list(arguments)
    left_out = names[number % len(names)] if names else ""
    return {name: value for name, value in arguments.items() if name != left_out}


def _crossed(arguments: dict[str, Json], other: dict[str, Json], turn: Turn) -> dict[str, Json]:
    """With one argument as another call of the tool had it; where both agree, one text or number changed."""
    differing = [name for name in other if other[name] != arguments.get(name)]
    if differing:
        name = differing[turn.c % len(differing)]
        return {**arguments, name: other[name]}
    plain = [name for name, value in arguments.items() if isinstance(value, str | int) and not isinstance(value, bool)]
    if not plain:
        return arguments
    name = plain[turn.c % len(plain)]
    value = arguments[name]
    return {**arguments, name: f"{value} again" if isinstance(value, str) else value + 1}
