"""Optimistic concurrency: every mutable entity carries a revision that rises with what is written to it."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from conformance.contract.catalogue import Contract
from conformance.contracts.tasks.changes import changes
from conformance.contracts.tasks.contests import Contest, contests
from conformance.contracts.tasks.entities import Key
from conformance.contracts.tasks.guards import Sighting, ledger
from conformance.contracts.tasks.lists import cut
from conformance.contracts.tasks.standing import Standing, standing
from conformance.judge.epochs import Epochs, attempts, epochs
from conformance.judge.flights import raced
from conformance.judge.judgements import breach, holds, unjudged
from conformance.judge.law import law
from conformance.judge.parameters import parameters
from conformance.judge.peaks import Mark, Peaks
from conformance.judge.served import distinct
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.listed import tools_of
from conformance.model.verdict import HELD, Judgement

SUSPECTS = 8
"""Reads between two sightings that are named as evidence; one of them, or the last, changed the revision."""


def spoken(key: Key) -> str:
    """An entity in words."""
    return " ".join((key[0], ":".join(key[1:]))).strip()


class _Course:
    """The revisions of one entity, as answers show them."""

    def __init__(self, sightings: Sequence[Sighting]) -> None:
        self.numbered = [one for one in sightings if one.revision is not None]
        self._sent = [one.call.sent for one in self.numbered]
        self._peaks = Peaks(Mark(None, one.revision or 0, one.call) for one in self.numbered)
        self._first = {one.call.call: one for one in reversed(self.numbered)}

    def peak(self, call: Exchange) -> Mark | None:
        """The highest that had been shown when a call was sent."""
        return self._peaks.before(call)

    def after(self, call: Exchange) -> Sighting | None:
        """What the call's own answer shows, else what the first answer shows that was asked for behind it."""
        own = self._first.get(call.call)
        if own is not None or call.received is None:
            return own
        return next(iter(self.numbered[bisect_left(self._sent, call.received) :]), None)


@law("TK-REV-01")
def revisions_rise(history: History, contract: Contract) -> Iterator[Judgement]:
    """Each entity shown has an integer revision, no lower than any seen before, and higher after each write to it.

    An entity that is shown with other contents than before has a higher revision. Where writes overlap, the revision
    rises at least once for each of them.
    """
    known, changed = ledger(history, contract), changes(history, contract)
    courses = {name: _Course(sightings) for name, sightings in known.sightings.items()}
    for name, sightings in known.sightings.items():
        yield from _carried(sightings)
        for sighting in courses[name].numbered:
            yield from _kept(sighting, courses[name])
        yield from _unaltered(courses[name].numbered, epochs(history, contract))
    for call in history.accepted():
        for key in changed.of.get(call.call, ()):
            course = courses.get(known.name(call, key))
            if course is not None:
                yield from _risen(call, key, course)
    for contest in contests(history, contract):
        yield from raced(history, contest.calls, [_once_each(contest)])


def _once_each(contest: Contest) -> Judgement:
    """The revisions that answers show while writes overlap, and after them, leave room for one rise a write."""
    order = contest.order(guarded=False)
    if order.possible is None:
        return unjudged(f"too many writes to {spoken(contest.key)} overlap for every order of them to be tried")
    writes, last = len(contest.writes), contest.calls[-1]
    got = contest.shown.get(last.call)
    saw = (
        f"{spoken(contest.key)} was at revision {contest.before.number}, {writes} overlapping writes to it were "
        f"accepted, and {last.tool} shows revision {got}: it did not rise with each of them"
    )
    return holds(order.possible, saw, contest.before.call, *contest.calls, got=got)


def _carried(sightings: Sequence[Sighting]) -> Iterator[Judgement]:
    for call, seen, revision in sightings:
        if revision is not None:
            yield HELD
        elif (seen.whole and not cut(call)) or "revision" in seen.shown:
            saw = f"{call.tool} shows {spoken(seen.key)} with revision {seen.revision!r}"
            yield breach(saw, call, pointer=f"/result{seen.pointer}/revision", got=seen.revision)


def _kept(sighting: Sighting, course: _Course) -> Iterator[Judgement]:
    highest, revision = course.peak(sighting.call), sighting.revision
    if highest is not None and revision is not None:
        saw = f"{spoken(sighting.seen.key)} is at revision {revision}, an earlier answer had it at {highest.number}"
        pointer = f"/result{sighting.seen.pointer}/revision"
        yield holds(revision >= highest.number, saw, highest.call, sighting.call, pointer=pointer, got=revision)


def _unaltered(sightings: Sequence[Sighting], when: Epochs) -> Iterator[Judgement]:
    """An entity is at one revision in two answers, and they show it alike; no write overlaps either."""
    first: dict[tuple[int | None, str], tuple[Sighting, Standing]] = {}
    for sighting in sightings:
        shown = standing(sighting.call, sighting.seen) if when.met(sighting.call) is not None else None
        if shown is None:
            continue
        earlier = first.setdefault((sighting.revision, shown.tool), (sighting, shown))
        if earlier[0] is not sighting and earlier[0].call.before(sighting.call):
            name, pointer = earlier[1].differs(shown), f"/result{sighting.seen.pointer}/revision"
            saw = (
                f"{spoken(sighting.seen.key)} has another {name} than before, and the same revision {sighting.revision}"
            )
            yield holds(name is None, saw, earlier[0].call, sighting.call, pointer=pointer, got=sighting.revision)


def _risen(write: Exchange, key: Key, course: _Course) -> Iterator[Judgement]:
    """The highest revision seen before a write that surely changed the entity, and the first seen with or after it."""
    before, after = course.peak(write), course.after(write)
    # a revision that fell is told by the rule above
    if before is not None and after is not None and after.revision is not None and after.revision >= before.number:
        saw = f"{spoken(key)} is at revision {after.revision} after {write.tool} wrote to it, as before"
        calls = (before.call, write) if after.call is write else (before.call, write, after.call)
        pointer = f"/result{after.seen.pointer}/revision"
        yield holds(after.revision > before.number, saw, *calls, pointer=pointer, got=after.revision)


@law("TK-REV-08")
def reads_raise_no_revision(history: History, contract: Contract) -> Iterator[Judgement]:
    """Two answers with nothing but reads between them show an entity at one revision."""
    known, quiet = ledger(history, contract), attempts(history, contract)
    for sightings in known.sightings.values():
        last: Sighting | None = None
        for sighting in sightings:
            if sighting.revision is None:
                continue
            if last is not None and _reads(sighting.call, contract) and last.call.before(sighting.call):
                epoch = quiet.met(sighting.call)
                if epoch is not None and epoch == quiet.shown(last.call):
                    yield _same(last, sighting, history, contract)
            last = sighting


def _reads(call: Exchange, contract: Contract) -> bool:
    mark = contract.marks.get(call.tool or "")
    return mark is not None and mark.effect == "read"


def _same(first: Sighting, last: Sighting, history: History, contract: Contract) -> Judgement:
    if first.revision == last.revision:
        return HELD
    quiet = attempts(history, contract)
    between = [
        call
        for call in history.calls(*contract.reads())
        if call.sent > first.call.sent and call.sent < last.call.sent and quiet.scope(call) == quiet.scope(last.call)
    ]
    saw = f"{spoken(last.seen.key)} went from revision {first.revision} to {last.revision} while it was only read"
    evidence = (first.call, *between[-SUSPECTS:], last.call)
    pointer = f"/result{last.seen.pointer}/revision"
    return breach(saw, *evidence, pointer=pointer, expected=first.revision, got=last.revision)


@law("TK-REV-09")
def writes_take_a_revision(history: History, contract: Contract) -> Iterator[Judgement]:
    """The input schema of each listed tool that writes to an entity with a revision names expected_revision."""
    for listing in distinct(history):
        calls = [found for number in listing.calls if (found := history.find(number)) is not None]
        for tool in tools_of(listing):
            marked = contract.tools.get(tool.name)
            guard = marked.writes.guard if marked is not None and marked.writes is not None else None
            if guard is not None:
                named: Json = sorted(parameters(tool.input_schema))
                saw = f"the input schema of {tool.name} has no {guard.argument}"
                yield holds(guard.argument in named, saw, *calls, expected=guard.argument, got=named)
