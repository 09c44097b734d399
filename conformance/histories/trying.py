"""Tries histories beside the run, on instances of their own: judged by the same laws, kept where they break one."""

import contextlib
from collections.abc import Awaitable, Callable, Collection, Iterator
from dataclasses import replace

from msgspec import Struct

from conformance.contract.catalogue import Contract
from conformance.drive.bench import Bench
from conformance.drive.errors import SkipError, StuckError
from conformance.histories.kinds import Kind, kind_of
from conformance.judge.judge import Judged, judge
from conformance.model.events import Agreed, Closed, Event, Footer, Instance, Json, Opened
from conformance.model.history import History
from conformance.model.transcript import Lines
from conformance.model.verdict import Finding, Verdict


class Play(Struct, frozen=True):
    """One history to be tried."""

    make: Callable[[Bench, list[Bench]], Awaitable[None]]
    """Makes its calls on a bench; those on which it opens connections are added to the list."""
    settings: dict[str, Json]
    over: Callable[[], bool] = bool
    """Whether no more may be spent: then it is not begun."""


class Trial(Struct, frozen=True):
    """What a history showed."""

    broken: dict[str, Finding]
    """By requirement, the first finding that stands by itself."""
    kinds: dict[str, list[Kind]]
    """By requirement, the kinds of all of these."""
    judged: Judged
    lines: list[bytes]


class Trying:
    """Tries histories for one run. `about`: the requirements that it is about; None: all."""

    def __init__(self, bench: Bench, contract: Contract, about: Collection[str] | None = None) -> None:
        self._bench = bench
        self._contract = contract
        self._about = about
        self._recorder = bench.session.recorder
        self._settings = bench.settings
        self.apart = bench.session.provides(bench.endpoint, bench.settings)
        """Whether each history has an instance of its own; where not, all are kept: each is the past of the next."""
        self._began = self._recorder.calls
        self.played = 0
        """Histories that were begun."""

    async def of(self, *plays: Play) -> list[Trial]:
        """What histories show, each on an instance of its own: those that break something, or else none.

        They are judged together, which is quicker, and each by itself where something is broken.
        """
        recorder = self._recorder
        base = list(self._base())
        about = History.of(base, self._contract.envelope)
        about.listings.extend(recorder.history.listings)
        ends: list[int] = []
        with recorder.aside(about) as lines:
            for play in plays:
                if play.over():
                    break
                await self._played(play)
                ends.append(len(lines))
        if not self.apart:
            recorder.adopt(lines)
        base = [*self._base(), *self._listed()]
        if len(ends) != 1 and not self._judged(base, lines).broken:
            return []
        begins = [0, *ends[:-1]]
        trials = [self._judged(base, lines[begin:end]) for begin, end in zip(begins, ends, strict=True)]
        return [trial for trial in trials if trial.broken]

    async def _played(self, play: Play) -> None:
        session = self._bench.session
        # the evidence of each is its own: a finding shows its calls alone
        self.played += 1
        bench = replace(self._bench, stimulus=f"{self._bench.stimulus}-{self.played}")
        lanes: list[Bench] = []
        # what was said until it could not go on is judged
        with contextlib.suppress(SkipError, StuckError):
            bench = await bench.fresh(**play.settings) if self.apart else bench
            await play.make(bench, lanes)
        for lane in lanes:
            await (session.release(lane.connection) if lane.connection is not None else session.end(lane.instance))
        if self.apart:
            await session.end(bench.instance)

    def _judged(self, base: list[Event], lines: list[bytes]) -> Trial:
        end = Footer(complete=True, events=0, calls=0, t=self._recorder.now())
        judged = judge([*base, *Lines(lines), end], self._contract)
        own = self._broken(judged)
        kinds = {name: [kind_of(finding, judged.history) for finding in found] for name, found in own.items()}
        return Trial({name: found[0] for name, found in own.items()}, kinds, judged, lines)

    @property
    def calls(self) -> int:
        """Calls that were made so far."""
        return self._recorder.calls - self._began

    def broken(self, *besides: Trial) -> set[str]:
        """The requirements that the run has broken so far, with these histories in it.

        Some laws ask what all calls were answered. It takes as long as to judge the run.
        """
        own = [event for trial in besides if self.apart for event in Lines(trial.lines)]
        end = Footer(complete=True, events=0, calls=0, t=self._recorder.now())
        return set(self._broken(judge([*self._recorder.events(), *own, end], self._contract)))

    def _broken(self, judged: Judged) -> dict[str, list[Finding]]:
        found = _broken(judged)
        return found if self._about is None else {name: own for name, own in found.items() if name in self._about}

    def keep(self, trial: Trial) -> None:
        """Takes a trial into the transcript, with its times: what it broke is a finding of the run."""
        if self.apart:
            self._recorder.adopt(trial.lines)

    def _listed(self) -> Iterator[Event]:
        """What the run listed of tools, each content once a profile, with the instance that stands for the profile."""
        instances = {event.id: event for event in self._recorder.standing if isinstance(event, Instance)}
        seen: list[tuple[str | None, list[Json]]] = []
        for listing in self._recorder.history.listings:
            about = instances.get(listing.instance)
            what = about.profile if about is not None else None, listing.tools
            if listing.ended != "failed" and what not in seen:
                seen.append(what)
                if about is not None:
                    yield about
                yield listing

    def _base(self) -> Iterator[Event]:
        """What the run knows beside its calls. A closed connection, and a fresh instance of before, are not needed."""
        standing = self._recorder.standing
        closed = {event.connection for event in standing if isinstance(event, Closed)}
        for event in standing:
            over = isinstance(event, Closed | Opened | Agreed) and event.connection in closed
            if not over and not (isinstance(event, Instance) and event.means != "as found"):
                yield event


def _broken(judged: Judged) -> dict[str, list[Finding]]:
    found: dict[str, list[Finding]] = {}
    for outcome in (*judged.outcomes, *judged.foundation):
        if outcome.verdict in (Verdict.FAIL, Verdict.WARN):
            # what a listing breaks by itself is no matter of the history on trial, which has none of its calls
            own = [f for f in outcome.findings if f.blocked_by is None and any(map(judged.history.find, f.calls))]
            if own:
                found[outcome.id] = own
    return found
