"""Random histories within a budget: drawn by Hypothesis, tried apart, judged by the same laws, shrunk."""

import asyncio
import contextlib
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

from conformance import collector
from conformance.contract.catalogue import Contract
from conformance.drive import stimulus
from conformance.drive.bench import Bench
from conformance.drive.errors import UsageError
from conformance.drive.stimulus import StimulusPlan
from conformance.drive.vectors import Vector, frozen, vectors
from conformance.histories.conversation import Conversation, ConversationError, read, write
from conformance.histories.corpus import Corpus
from conformance.histories.extracting import of_calls
from conformance.histories.improvising import Improvisation
from conformance.histories.kinds import Kind
from conformance.histories.replaying import play_of, smallest
from conformance.histories.trying import Play, Trial, Trying
from conformance.histories.twists import DRAWN, Turn
from conformance.model.events import Json

FOLDER = Path(".conformance")
INSTALL = 'pip install "mcp-contract-conformance[generate]"'
"""Where examples that failed are kept, to be tried first the next time."""
ROUND = 40
"""Histories that are drawn together."""
TOGETHER = 20
"""Of them that are judged together."""
LEAST_TURNS, MOST_TURNS = 16, 60
FOCI = 2**16
VECTORS = 12
"""Of a tool, where its contract has none that are frozen."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What may be spent: calls, or seconds."""

    calls: int | None = None
    seconds: float | None = None

    @classmethod
    def of(cls, text: str) -> "Budget":
        """As it is typed: 30s, or 5000 calls; UsageError for anything else."""
        try:
            found = cls(seconds=float(text[:-1])) if text.endswith("s") else cls(calls=int(text))
        except ValueError:
            found = cls()
        if not (found.calls or found.seconds or 0) > 0:
            raise UsageError(f"{text!r} is no budget", "--fuzz", todo="write seconds as 30s, or a number of calls")
        return found


@dataclass(slots=True)
class Told:
    """What random histories did in a run."""

    seed: int
    histories: int = 0
    calls: int = 0
    seconds: float = 0.0
    found: dict[str, Conversation] = field(default_factory=dict)
    """By requirement, the shortest conversation that breaks it."""
    once: set[str] = field(default_factory=set)
    """Of these requirements, those that the same calls did not break again."""
    files: dict[str, Path] = field(default_factory=dict)
    cut: str = ""
    """Why no history was tried."""

    @property
    def line(self) -> str:
        """All that in one line."""
        if self.cut:
            return f"random histories: none, {self.cut}"
        spent = f"{_calls(self.calls)} in {self.seconds:.1f} s, seed {self.seed}"
        return f"random histories: {self.histories}, {spent}: {self._broken}"

    @property
    def _broken(self) -> str:
        if not self.found:
            return "nothing broken"
        told = ", ".join(f"{name} in {_calls(len(shown.calls))}{self._but(name)}" for name, shown in self.found.items())
        kept = next((str(path.parent) for path in self.files.values()), "")
        return f"broken {told}" + (f"; kept in {kept}" if kept else "")

    def _but(self, requirement: str) -> str:
        return " (which did not show it when made again)" if requirement in self.once else ""


def _calls(number: int) -> str:
    return "1 call" if number == 1 else f"{number} calls"


class Fuzzing:
    """The random part of one run, after its stimuli."""

    def __init__(
        self, contract: Contract, budget: Budget, seed: int, folder: Path = FOLDER, about: Collection[str] | None = None
    ) -> None:
        self._contract = contract
        self._budget = budget
        self._about = about
        self._folder = folder / contract.name
        self.told = Told(seed)
        self._known: set[str] | None = None
        """What the run had broken before; None while nobody asked: to tell takes as long as to judge the run."""
        self._later: dict[str, Trial] = {}
        """By such a requirement, a history that breaks it too: it is shrunk when no more are tried."""
        self._alone: set[tuple[str, Kind]] = set()
        """What a history shows by itself, and not beside all else that the run knows."""

    async def run(self, bench: Bench) -> None:
        """Tries histories as long as the budget lasts. What breaks a law is written to the transcript, shrunk."""
        began = time.monotonic()
        self._until = began + self._budget.seconds if self._budget.seconds is not None else None
        self._trying = Trying(bench, self._contract, self._about)
        if not self._trying.apart:
            # what is tried is part of the run from then on
            self._known = self._trying.broken()
        await self._before()
        corpus = Corpus(bench.session.recorder.history, self._contract)
        self._vectors = self._made(corpus)
        if not self._trying.apart:
            # a clock that was moved stays so, and what a command brings about is about every call of a shared server
            corpus.conditions.clear()
        settings = [each for each in corpus.settings() if self._trying.apart or not each]
        if settings:
            with collector.settled():
                await self._drawn(corpus, settings)
                await self._shortened()
        elif not self.told.histories:
            self.told.cut = "no call of this run was accepted, so that no others could be made from it"
        self.told.calls = self._trying.calls
        self.told.seconds = time.monotonic() - began

    def _made(self, corpus: Corpus) -> dict[str, list[Vector]]:
        found = dict(frozen(self._contract.name))
        for tool in {each.tool for each in corpus.patterns}:
            known = self._contract.tools.get(tool)
            if tool not in found and known is not None:
                found[tool] = vectors(known.inputSchema, limit=VECTORS)
        return found

    def _over(self) -> bool:
        if self._until is not None and time.monotonic() >= self._until:
            return True
        return self._budget.calls is not None and self._trying.calls >= self._budget.calls

    def _late(self) -> bool:
        """Whether shrinking has taken as long as the histories may: what was found is told as short as it is."""
        return self._until is not None and time.monotonic() >= self._until + (self._budget.seconds or 0)

    async def _drawn(self, corpus: Corpus, settings: list[dict[str, Json]]) -> None:
        """Draws histories in rounds, in a thread of its own: Hypothesis knows no event loop.

        They are tried here: where the run is cut short, they are as well, and what they had begun is put back.
        """
        number = 0
        while not self._over():
            number += 1
            found = await asyncio.to_thread(_round, self.told.seed + number, len(settings))
            await self._several(corpus, [(turns, settings[place], focus) for turns, place, focus in found])

    async def _several(self, corpus: Corpus, drawn: list[tuple[list[Turn], dict[str, Json], int]]) -> None:
        """Tries some together: as many as are judged in one go, fewer where instances take their time to start."""
        while drawn and not self._over():
            some, drawn = drawn[:TOGETHER], drawn[TOGETHER:]
            plays = [self._play(corpus, *each) for each in some]
            await self._looked_at(plays)

    def _play(self, corpus: Corpus, turns: list[Turn], settings: dict[str, Json], focus: int) -> Play:
        async def make(bench: Bench, lanes: list[Bench]) -> None:
            await Improvisation(corpus, bench, self._vectors, lanes, focus).play(turns, self._over)

        return Play(make, settings, self._over)

    async def _looked_at(self, plays: list[Play]) -> None:
        before = self._trying.played
        trials = await self._trying.of(*plays)
        self.told.histories += self._trying.played - before
        if trials and self._known is None:
            self._known = self._trying.broken()
        for trial in trials:
            for requirement in [name for name in trial.broken if name not in self.told.found]:
                if requirement in (self._known or ()):
                    self._later.setdefault(requirement, trial)
                else:
                    await self._weighed(requirement, trial)

    async def _shortened(self) -> None:
        """What the run had broken before is told of again, in fewer calls, as far as there is time."""
        for requirement, trial in self._later.items():
            if not self._late():
                await self._weighed(requirement, trial)

    async def _weighed(self, requirement: str, trial: Trial) -> None:
        kind = requirement, trial.kinds[requirement][0]
        stands = kind not in self._alone and requirement in self._trying.broken(trial)
        if not (stands and await self._found(requirement, trial)):
            self._alone.add(kind)

    async def _before(self) -> None:
        """What failed at another time is tried first."""
        for path in sorted(self._folder.glob("*.json")):
            try:
                conversation = read(path)
            except (ConversationError, OSError):
                continue
            if conversation.contract == self._contract.name and not self._over():
                await self._looked_at([play_of(conversation)])

    async def _found(self, requirement: str, trial: Trial) -> bool:
        """Shrinks what broke a requirement; the shortest that breaks it is what the run tells of.

        The run has to break it with what is kept: fewer calls may show by themselves what they do not beside all else
        that the run knows, and then the history as it was is kept. False where neither stands: on a server that all
        share, the calls that were tried are the run's too.
        """
        history = trial.judged.history
        about = trial.broken[requirement].saw
        conversation = of_calls(history.exchanges, history, self._contract, requirements=(requirement,), about=about)
        shrunk, shown = await smallest(conversation, requirement, self._trying, trial, self._late)
        either = (shrunk, shown or trial), (conversation, trial)
        standing = next((each for each in either if requirement in self._trying.broken(each[1])), None)
        if standing is None:
            return False
        least, kept = standing
        if shown is trial:
            self.told.once.add(requirement)
        self._trying.keep(kept)
        self.told.found[requirement] = least
        text = f"{requirement}-{blake2b(repr(least.calls).encode(), digest_size=4).hexdigest()}.json"
        # the run tells of it all the same where it cannot be written
        with contextlib.suppress(OSError):
            write(least, self._folder / text)
            self.told.files[requirement] = self._folder / text
        return True


def fuzz_plan(contract: Contract, budget: Budget, seed: int, about: Collection[str] | None = None) -> StimulusPlan:
    """The stimulus that tries random histories when all others of the contract are over.

    `about`: the requirements that the run is about; None: all, the protocol's too. What else is broken is none of its
    findings, and takes none of the budget. UsageError where nothing is there to draw them with.
    """
    if find_spec("hypothesis") is None:
        raise UsageError("random histories need Hypothesis", "--fuzz", todo=INSTALL)

    async def run(bench: Bench) -> stimulus.Told:
        fuzzing = Fuzzing(contract, budget, seed, about=about)
        await fuzzing.run(bench)
        files = {requirement: path.as_posix() for requirement, path in fuzzing.told.files.items()}
        return stimulus.Told(fuzzing.told.line, files)

    return StimulusPlan(f"{contract.name}.fuzz", contract.name, run, (), last=True)


def _round(seed: int, settings: int) -> list[tuple[list[Turn], int, int]]:
    """Histories as Hypothesis draws them, the same for the same seed: turns, in which settings, about which tools."""
    import hypothesis  # noqa: PLC0415 -- an extra
    from hypothesis import strategies as st  # noqa: PLC0415 -- as above

    # one number a turn: drawing six takes as long as making and judging the call
    turn = st.integers(0, DRAWN - 1)
    drawn: list[tuple[list[Turn], int, int]] = []

    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=ROUND,
        database=None,
        deadline=None,
        phases=[hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    @hypothesis.given(
        st.lists(turn, min_size=LEAST_TURNS, max_size=MOST_TURNS),
        st.integers(0, 2 * settings - 1),
        st.integers(0, FOCI),
    )
    def draw(turns: list[int], place: int, focus: int) -> None:
        by = Random(f"{seed} {len(drawn)}")  # noqa: S311 -- no secret
        moved = [Turn.of(turn).moved(by) for turn in turns]
        # half of them in the settings in which most was accepted, half of them about a few tools
        drawn.append((moved, place if place < settings else 0, focus // 2 if focus % 2 else 0))

    collect: Callable[[], Any] = draw
    collect()
    return drawn
