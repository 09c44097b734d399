"""Judges a transcript larger than memory part by part: each is a history of its own, and is let go when it is over."""

from collections.abc import Callable, Collection, Iterable
from typing import Protocol

from conformance.contract.catalogue import Contract
from conformance.judge.divided import Divided
from conformance.judge.law import Compares
from conformance.judge.tally import Tally
from conformance.model.events import Event, Listing, Stimulus
from conformance.model.exchange import Exchange
from conformance.model.history import WHOLE_BYTES, History
from conformance.model.parts import Parts
from conformance.model.places import Place, Places

TOLD_BYTES = 16_000_000
"""Octets of the first parts that are kept for what a report tells beside its verdicts."""
KINDS = 1_000
"""Stimuli and connections of which the whole still knows."""
LISTINGS = 20
"""Different lists of tools of which it knows."""
ALL: Collection[Compares] = ("all", "entity", "call")

Conclude = Callable[[History, Collection[Compares]], None]
"""Judges a history by the laws over histories that compare so much."""


class Source(Protocol):
    """The lines of a transcript, of which any can be read once more."""

    place: Place
    """Where the last event that was given stands."""

    def again(self, places: Iterable[Place]) -> Iterable[tuple[Event, int]]:
        """The events at these places, each with its octets."""


class Whole:
    """One history of all that comes. What is more than is kept is cut there, and judged answer by answer from there."""

    all_listed = True

    def __init__(self, history: History, conclude: Conclude) -> None:
        self._history, self._conclude = history, conclude

    def feed(self, event: Event, octets: int) -> Exchange | None:
        """Takes the next event; gives the exchange that it completes, if it does."""
        return self._history.feed(event, octets)

    def settle(self, breaking: Exchange | None) -> None:
        """To be told after each event of the exchange in which a law on exchanges found a breach."""
        if breaking is not None:
            self._history.witness(breaking)

    def close(self) -> None:
        """No more comes."""
        self._conclude(self._history, ALL)


class _Part:
    """A part that is not over: what is held of it, and where all of it stands."""

    def __init__(self, history: History, divided: Divided | None) -> None:
        self.history = history
        self.divided = divided
        """Where it is larger than what is kept."""
        self.held = 0
        """Octets of its history."""
        self.places = Places()
        """Of what was put into the history."""
        self.put_off = False
        """Whether it is to be read again when there is room for it."""
        self.beginning: History | None = None
        """Where it is divided: what is to be judged as a whole when the calls that are under way are over."""
        self.waiting: set[int] = set()
        """Those calls."""
        self.first = 0
        """Calls of its beginning."""


class Parted:
    """Puts each event into the history of its part, and has that judged when it is complete.

    Parts that are not over share the `WHOLE_BYTES` that are kept. One that comes when they are used up is put off, and
    read again at the end. One that is larger than that is divided: its beginning is judged as a whole by the laws that
    compare all that happened, and all of it, a group of its entities after another, by those that compare less.
    """

    def __init__(  # noqa: PLR0913 -- what is judged, by what, and where it comes from
        self,
        whole: History,
        conclude: Conclude,
        parts: Parts,
        *,
        tallies: Iterable[Tally],
        contract: Contract,
        source: Source,
    ) -> None:
        """`whole` takes what belongs to the run; `conclude` judges the history of a part."""
        self._whole, self._parts, self._conclude, self._tallies = whole, parts, conclude, list(tallies)
        self._contract, self._source = contract, source
        self._apart: list[Compares] = ["entity", "call"] if contract.unit is not None else ["call"]
        self._open: dict[int, _Part] = {}
        self._off: list[Places] = []
        """Of parts that were put off."""
        self._line = self._told = self._total = 0
        self._now: int | None = None
        """The part of the last event."""
        self._seen = dict.fromkeys(range(len(self._tallies)), 0)
        """Of each tally, the breaches whose calls are kept."""
        self._elsewhere: list[tuple[Listing, str | None]] = []
        """What all parts know of what was listed in any."""
        self._cut: list[_Part] = []
        """Parts that were not judged as a whole."""
        self._too_large = 0
        """Groups of theirs that were cut."""
        self._stimuli: set[tuple[str, ...]] = set()
        self._kinds: set[tuple[object, ...]] = set()
        self.all_listed = True
        """Whether the whole knows of all that was listed."""

    def feed(self, event: Event, octets: int) -> Exchange | None:
        """Takes the next event; gives the exchange that it completes, if it does."""
        self._line += 1
        number = self._now = self._parts.part(event)
        if number is None:
            self._take(event)
            return None
        part = self._open.get(number)
        if part is None:
            large = self._parts.octets(number) > WHOLE_BYTES
            divided = Divided(self._contract, self._parts.octets(number)) if large else None
            part = self._open[number] = _Part(self._begun(), divided)
        place, kept = self._source.place, not part.history.over
        exchange = part.history.feed(event, octets)
        if part.divided is not None:
            part.divided.take(event, place, octets)
            if exchange is not None:
                part.divided.settle(exchange)
                part.waiting.discard(exchange.call)
        if isinstance(event, Listing):
            self._list(event, part.history)
        if kept or part.put_off:
            part.places.add(place, octets)
        if kept:
            part.held += octets
            self._total += octets
            if self._total > WHOLE_BYTES or part.history.over:
                self._let_go(part)
        if part.beginning is not None and not part.waiting:
            self._begin(part, part.beginning)
        return exchange

    def settle(self, breaking: Exchange | None) -> None:
        """To be told after each event, when the laws on exchanges have looked at what it completed.

        `breaking` is that exchange, where one of them found a breach.
        """
        number = self._now
        if number is None:
            return
        if breaking is not None:
            self._whole.keep(breaking)
        if self._parts.ends(number, self._line):
            self._end(self._open.pop(number))

    def close(self) -> None:
        """No more comes: what is open ends here, and what was put off is read again."""
        for number in list(self._open):
            self._end(self._open.pop(number))
        for places in self._off:
            self._judge(self._again(places, self._begun()), ALL, places.octets)
        self._tell()

    def _begun(self) -> History:
        begun, whole = History(self._whole.rule), self._whole
        begun.header, begun.footer, begun.credentials = whole.header, self._parts.footer, whole.credentials
        begun.elsewhere = self._elsewhere
        return begun

    def _list(self, listing: Listing, history: History) -> None:
        """Other parts may be of the same tools and never list them."""
        whole = self._whole
        if all(listing.tools != each.tools for each in whole.listings):
            self.all_listed = self.all_listed and len(whole.listings) < LISTINGS
            if self.all_listed:
                instance = history.instances.get(listing.instance)
                whole.listings.append(listing)
                self._elsewhere.append((listing, instance.profile if instance is not None else None))

    def _take(self, event: Event) -> None:
        """What belongs to the run. Stimuli that went alike are told of once."""
        if isinstance(event, Stimulus):
            kind = (event.name, event.state, event.why, *event.kept)
            if kind in self._stimuli or len(self._stimuli) >= KINDS:
                return
            self._stimuli.add(kind)
        self._whole.feed(event)

    def _let_go(self, part: _Part) -> None:
        """Makes room. What is divided is judged as far as it has come; what is not is read again later."""
        history = part.history
        part.history = history.rest()
        if part.divided is None:
            part.put_off = True
            self._total -= part.held
            part.held = 0
        else:
            part.beginning, part.waiting, part.first = history, part.history.under_way, len(history.exchanges)

    def _begin(self, part: _Part, beginning: History) -> None:
        """Judges the beginning of a part that is divided."""
        octets, part.held, part.beginning = part.held, 0, None
        self._total -= octets
        self._judge(beginning, [each for each in ALL if each not in self._apart], octets)

    def _end(self, part: _Part) -> None:
        self._whole.parting.parts += 1
        if part.put_off:
            self._off.append(part.places)
        elif part.divided is None:
            self._total -= part.held
            self._judge(part.history, ALL, part.held)
        else:
            self._divide(part, part.divided)

    def _divide(self, part: _Part, divided: Divided) -> None:
        """Judges all of a part that is larger than what is kept: group by group, or its beginning if that cannot be."""
        if part.beginning is not None:
            self._begin(part, part.beginning)
        rest = part.history
        divided.close(rest)
        for places in [part.places] if divided.why else divided.groups():
            history = self._again(places, divided.begun(rest))
            self._conclude(history, self._apart)
            history.worked_out.clear()
            self._witness(history)
            self._too_large += history.over
        self._know(rest)
        self._whole.beyond += rest.beyond
        self._whole.forgotten += rest.forgotten
        self._cut.append(part)

    def _again(self, places: Places, history: History) -> History:
        """A history of what stands at these places."""
        for event, octets in self._source.again(places):
            history.feed(event, octets)
            if history.over:
                break
        return history

    def _judge(self, history: History, compares: Collection[Compares], octets: int) -> None:
        """Judges a history, and keeps of it what is told beside the verdicts."""
        self._conclude(history, compares)
        # what was derived from it refers to it: without that it would stay until the collector comes by
        history.worked_out.clear()
        self._know(history)
        whole = self._whole
        if self._told + octets <= TOLD_BYTES:
            self._told += octets
            whole.add(history)
        else:
            whole.parting.calls += len(history.exchanges) + len(history.again)
        self._witness(history)
        whole.beyond += history.beyond
        whole.forgotten += history.forgotten
        whole.room.refused += history.room.refused

    def _witness(self, history: History) -> None:
        """Keeps the calls of breaches that were found in a history."""
        for place, tally in enumerate(self._tallies):
            for judgement in tally.judgements[self._seen[place] :]:
                for call in (*judgement.beside, *judgement.calls):
                    found = history.find(call)
                    if found is not None:
                        self._whole.keep(found)
            self._seen[place] = len(tally.judgements)

    def _tell(self) -> None:
        """Says what was judged on which calls, where that was not all of them."""
        laws = [(tally, law) for tally in self._tallies for law in tally.laws if law.over_history]
        for part in self._cut:
            divided = part.divided
            if divided is None:
                continue
            kinds = [] if divided.why else self._apart
            less = [tally for tally, law in laws if law.compares not in kinds]
            for tally in less:
                tally.partly = f"judged on the first {part.first:,} of {divided.calls:,} calls of a part alone"
            told = _told(part, divided, self._contract.unit, fully=len(laws) - len(less), less=len(less))
            self._whole.parting.divided.append(told)
            self._whole.parting.partly += [tally.requirement.id for tally in less]
        if self._too_large:
            self._whole.parting.divided.append(
                f"{self._too_large:,} groups of calls about one entity were themselves larger, and were judged as far"
            )

    def _know(self, history: History) -> None:
        """What a verdict on the run may ask of its instances, connections and lists."""
        whole = self._whole
        whole.instances.update(history.instances)
        for name, connection in history.connections.items():
            kind = (connection.transport, connection.binding, connection.revision, connection.endpoint)
            if len(whole.connections) < KINDS or kind not in self._kinds:
                self._kinds.add(kind)
                whole.connections[name] = connection


def _told(part: _Part, divided: Divided, unit: str | None, *, fully: int, less: int) -> str:
    """What a report says of a part that was not judged as a whole."""
    told = f"a part with {divided.calls:,} calls is larger than the {WHOLE_BYTES:,} bytes that are judged as a whole"
    if divided.why:
        later = divided.calls - part.first
        return f"{told}: {later:,} later calls were judged each by itself; it could not be divided, as {divided.why}"
    by = f", the calls of each {unit} together" if unit is not None else ", which judge each call by itself"
    return (
        f"{told}. {fully} requirements were judged on all of it{by}; {less}, which compare more, on its first "
        f"{part.first:,} calls alone"
    )
