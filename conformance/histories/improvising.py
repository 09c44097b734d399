"""Makes up a history from drawn numbers: good calls that build on one another, as they are, repeated and changed."""

import copy
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from conformance.drive.bench import Bench
from conformance.drive.errors import SkipError
from conformance.drive.vectors import Vector
from conformance.histories.corpus import Corpus
from conformance.histories.origins import answered
from conformance.histories.patterns import Pattern, Story
from conformance.histories.twists import ALONE, MASK, ONWARD, TWISTS, WAYS, Turn
from conformance.histories.varying import varied
from conformance.histories.world import AGENTS, Filling, Scene, World
from conformance.model.events import Json
from conformance.model.exchange import Exchange

DEEPEST = 4
"""How many calls may be made first, one for the other, so that a call has what it builds on."""
LOOKS = 4
"""Reads at the end of a history."""
TRIES = 3
"""Calls of one tool that are made so that there is what a call builds on."""
WRITES, READS = (2, 4), 2
"""Tools of a history that is about few."""


SCENES = 3
"""Stories that are under way in one history: the oldest is left for another."""
STRAIGHT = Turn(1, 0, 0, 0, 1)
"""A call as it is, on what is newest."""
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
    scene: Scene | None = None
    """The story that it is told in."""


class Improvisation:
    """One random history on one instance."""

    def __init__(
        self,
        words: Corpus,
        bench: Bench,
        vectors: dict[str, list[Vector]],
        lanes: list[Bench],
        focus: int = 0,
    ) -> None:
        """`lanes` takes the bench that a connection is opened for. `focus`: which few tools it is about; 0: about all.

        What goes wrong between a few tools is seldom met by calls of all of them.
        """
        self._corpus = words
        self._bench = bench
        self._vectors = vectors
        self._patterns = vocabulary(words, bench.settings)
        reads = bench.contract.reads()
        self._reads = [tool for tool in self._patterns if tool in reads]
        about = _few(list(self._patterns), reads, focus) if focus else self._patterns
        # what only shows is drawn half as often as what may change something
        self._tools = [tool for tool in about for _ in range(1 if tool in reads else 2)]
        self._world = World(words, bench, 1 + focus % AGENTS)
        self._made: list[Made] = []
        self._scenes: dict[Story, Scene] = {}
        self._lanes = lanes

    async def play(self, turns: Sequence[Turn], over: Callable[[], bool] = bool) -> None:
        """Makes the calls until `over`. What the target cannot do, as to know a second agent, is left out."""
        for turn in turns:
            if over():
                return
            try:
                await self._turn(turn)
            except SkipError:
                continue
        for number in range(min(LOOKS, len(self._reads)) if self._made else 0):
            tool = self._reads[(turns[-1].pick + number) % len(self._reads)]
            pattern = self._patterns[tool][turns[-1].a % len(self._patterns[tool])]
            if all(self._world.known[hole.kind] for hole in pattern.holes):
                await self._make(self._filled(pattern, STRAIGHT))

    async def _turn(self, turn: Turn) -> None:
        twist = TWISTS[turn.twist % len(TWISTS)]
        if twist in ("again", "altered") and self._made:
            await self._make(self._repeated(turn, altered=twist == "altered"))
            return
        pattern, scene = self._chosen(turn)
        tool = pattern.tool
        if scene is None:
            await self._prepared(pattern, turn, DEEPEST)
        else:
            await self._led_up(pattern, scene)
        made = self._changed(self._filled(pattern, turn, scene), twist, turn)
        match twist:
            case "lane":
                await self._make(made, await self._lane())
            case "under":
                await self._make(made, await self._under(tool, turn))
            case "at_once":
                await self._at_once(made, turn)
            case "refused_first":
                await self._make(Made(tool, self._with_vector(made, turn), made.by, pattern))
                await self._make(made)
            case "lasting":
                self._bench = await self._under(tool, turn) or self._bench
                await self._make(made)
            case "over":
                held = {name: value for name, value in self._bench.conditions.items() if name == CLOCK}
                self._bench = replace(self._bench, conditions=held)
                await self._make(made)
            case _:
                await self._make(made)

    def _chosen(self, turn: Turn) -> tuple[Pattern, Scene | None]:
        """The call of a turn, and the story that it is told in."""
        way = WAYS[turn.d % len(WAYS)]
        if way == ONWARD and self._scenes:
            story, scene = list(self._scenes.items())[turn.d // len(WAYS) % len(self._scenes)]
            told = self._corpus.of(story)
            return told[(turn.pick * MASK + turn.a) % len(told)], scene
        tool = self._tools[turn.pick % len(self._tools)]
        pattern = self._patterns[tool][turn.a % len(self._patterns[tool])]
        if way == ALONE or not self._corpus.of(pattern.story):
            return pattern, None
        if pattern.story not in self._scenes and len(self._scenes) == SCENES:
            del self._scenes[next(iter(self._scenes))]
        return pattern, self._scenes.setdefault(pattern.story, Scene())

    async def _led_up(self, pattern: Pattern, scene: Scene) -> None:
        """Makes the calls of a story that one rests on and that are not made yet; what it read is read again."""
        taken = {hole.call for hole in pattern.holes}
        for link in self._corpus.before(pattern):
            if link.call not in scene.answers or (link.call in taken and link.tool in self._reads):
                await self._make(self._filled(link, STRAIGHT, scene))

    def _repeated(self, turn: Turn, *, altered: bool) -> Made:
        """An earlier call, as it was or with one argument changed."""
        earlier = self._made[turn.a % len(self._made)]
        arguments = earlier.arguments
        if altered:
            like = [each for each in self._made if each.tool == earlier.tool]
            arguments = _crossed(arguments, like[turn.b % len(like)].arguments, turn)
        return Made(earlier.tool, arguments, earlier.by, earlier.pattern)

    def _changed(self, made: Made, twist: str, turn: Turn) -> Made:
        """The call with other arguments, or made by somebody else."""
        match twist:
            case "without":
                made.arguments = _without(made.arguments, turn.b)
            case "added":
                made.arguments = self._with_vector(made, turn, valid=True)
            case "vector":
                made.arguments = self._with_vector(made, turn)
            case "varied":
                known = self._bench.contract.tools.get(made.tool)
                schema = known.inputSchema if known is not None else {}
                made.arguments = varied(schema, made.arguments, self._world.said, turn.b * 64 + turn.c)
            case "other":
                made.by = self._other(made.pattern, turn)
            case "token":
                made.by = self._with_defect(made.pattern, turn)
            case _:
                pass
        return made

    async def _prepared(self, pattern: Pattern, turn: Turn, depth: int) -> None:
        """Makes the calls first whose answers, or whose names, this one builds on."""
        if not depth:
            return
        for name, tools in self._corpus.shared.items():
            if name in pattern.arguments and not self._world.names[name] and pattern.tool not in tools:
                await self._first(tools[0], turn, depth, naming=name)
        home = self._world.home({name: self._world.named(name, turn) for name in pattern.arguments})
        for kind, was in dict.fromkeys(hole[:2] for hole in pattern.holes):
            tool = kind.partition(" ")[0]
            # of a tool that makes several kinds of things, another call may make the one that is wanted
            for number in range(TRIES if depth == DEEPEST else 1):
                if not self._world.near(kind, was, home):
                    await self._first(tool, turn._replace(b=turn.b + number), depth)

    async def _first(self, tool: str, turn: Turn, depth: int, naming: str = "") -> None:
        """A plain call of this tool, with a name of its own for what it introduces."""
        turn = turn._replace(twist=0, c=turn.c | 1)
        known = self._patterns.get(tool, [])
        some = [each for each in known if isinstance(each.arguments.get(naming), dict)] or known
        # a plan before its tasks, which the same tool makes
        some = [each for each in some if not self._wants_its_like(each, turn)] or some
        if some:
            pattern = some[turn.b % len(some)]
            await self._prepared(pattern, turn, depth - 1)
            await self._make(self._filled(pattern, turn))

    def _wants_its_like(self, pattern: Pattern, turn: Turn) -> bool:
        """Whether a call builds on what another call of its tool has yet to make."""
        home = self._world.home({name: self._world.named(name, turn) for name in pattern.arguments})
        own = [each for each in pattern.holes if each.kind.startswith(f"{pattern.tool} ")]
        return not all(self._world.near(each.kind, each.was, home) for each in own)

    def _filled(self, pattern: Pattern, turn: Turn, scene: Scene | None = None) -> Made:
        filling = Filling(self._world, pattern.tool, turn, scene)
        arguments = filling.arguments(pattern)
        by = self._world.agent(*pattern.by) if pattern.by is not None else None
        return Made(pattern.tool, arguments, by, pattern, scene)

    async def _make(self, made: Made, bench: Bench | None = None) -> Exchange:
        exchange = await (bench or self._bench).call(made.tool, made.arguments, credential=made.by)
        self._remember(made, exchange)
        return exchange

    def _remember(self, made: Made, exchange: Exchange) -> None:
        self._made.append(made)
        if made.scene is not None:
            made.scene.answers[made.pattern.call] = answered(exchange) if exchange.accepted else None
        if exchange.accepted:
            self._world.learn(made.tool, exchange)
            self._world.introduced(made.tool, made.arguments)

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
        filling = Filling(self._world, tool, turn)
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
        return self._world.agent(roles[turn.b % len(roles)], turn.c) if roles and pattern.by is not None else None

    def _with_defect(self, pattern: Pattern, turn: Turn) -> str | None:
        """The caller with a token that is not in order, as some of the run were."""
        defects = self._corpus.defects
        if not defects or pattern.by is None:
            return None
        return self._world.agent(*pattern.by, defect=defects[turn.b % len(defects)])


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


def _few(tools: list[str], reads: Sequence[str], focus: int) -> list[str]:
    """Some writes and reads of these."""
    drawn = Random(focus)  # noqa: S311 -- which tools a history is about is no secret
    chosen: list[str] = []
    for some, most in (
        ([t for t in tools if t not in reads], drawn.randint(*WRITES)),
        ([t for t in tools if t in reads], READS),
    ):
        chosen += drawn.sample(some, min(most, len(some)))
    return chosen or tools


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
