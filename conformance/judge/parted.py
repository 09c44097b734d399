"""Judges a transcript larger than memory part by part: each is a history of its own, and is let go when it is over."""

from collections.abc import Callable, Iterable

from conformance.judge.tally import Tally
from conformance.model.events import Event, Listing, Stimulus
from conformance.model.exchange import Exchange
from conformance.model.history import WHOLE_BYTES, History
from conformance.model.parts import Parts

TOLD_BYTES = 16_000_000
"""Octets of the first parts that are kept for what a report tells beside its verdicts."""
KINDS = 1_000
"""Stimuli and connections of which the whole still knows."""
LISTINGS = 20
"""Different lists of tools of which it knows."""


class Whole:
    """One history of all that comes. What is more than is kept is cut there, and judged answer by answer from there."""

    all_listed = True

    def __init__(self, history: History, conclude: Callable[[History], None]) -> None:
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
        self._conclude(self._history)


class Parted:
    """Puts each event into the history of its part, and has that judged when it is complete.

    Parts that are not over share the `WHOLE_BYTES` that are kept; of one that comes when they are used up, the rest is
    judged answer by answer.
    """

    def __init__(
        self, whole: History, conclude: Callable[[History], None], parts: Parts, tallies: Iterable[Tally]
    ) -> None:
        """`whole` takes what belongs to the run; `conclude` judges the history of a part."""
        self._whole, self._parts, self._conclude, self._tallies = whole, parts, conclude, list(tallies)
        self._open: dict[int, History] = {}
        self._held: dict[int, int] = {}
        self._line = self._told = self._total = 0
        self._now: int | None = None
        """The part of the last event."""
        self._seen = dict.fromkeys(range(len(self._tallies)), 0)
        """Of each tally, the breaches whose calls are kept."""
        self._elsewhere: list[tuple[Listing, str | None]] = []
        """What all parts know of what was listed in any."""
        self._stimuli: set[tuple[str, ...]] = set()
        self._kinds: set[tuple[object, ...]] = set()
        self.all_listed = True
        """Whether the whole knows of all that was listed."""

    def feed(self, event: Event, octets: int) -> Exchange | None:
        """Takes the next event; gives the exchange that it completes, if it does."""
        self._line += 1
        part = self._now = self._parts.part(event)
        if part is None:
            self._take(event)
            return None
        history = self._open.get(part)
        if history is None:
            history = self._open[part] = self._begun()
            self._held[part] = 0
        exchange = history.feed(event, octets)
        if isinstance(event, Listing):
            self._list(event, history)
        if not history.over:
            self._held[part] += octets
            self._total += octets
            if self._total > WHOLE_BYTES:
                history.end()
        return exchange

    def settle(self, breaking: Exchange | None) -> None:
        """To be told after each event, when the laws on exchanges have looked at what it completed.

        `breaking` is that exchange, where one of them found a breach.
        """
        part = self._now
        if part is None:
            return
        if breaking is not None:
            self._open[part].witness(breaking)
        if self._parts.ends(part, self._line):
            self._end(part)

    def close(self) -> None:
        """No more comes: what is open ends here."""
        for part in list(self._open):
            self._end(part)

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

    def _end(self, part: int) -> None:
        history, octets = self._open.pop(part), self._held.pop(part)
        self._total -= octets
        self._conclude(history)
        # what was derived from it refers to it: without that it would stay until the collector comes by
        history.worked_out.clear()
        whole = self._whole
        whole.parts += 1
        self._know(history)
        if self._told + octets <= TOLD_BYTES:
            self._told += octets
            whole.add(history)
        else:
            whole.apart += len(history.exchanges) + len(history.again)
        for place, tally in enumerate(self._tallies):
            for judgement in tally.judgements[self._seen[place] :]:
                for call in judgement.calls:
                    found = history.find(call)
                    if found is not None:
                        whole.keep(found)
            self._seen[place] = len(tally.judgements)
        whole.beyond += history.beyond
        whole.cut_parts += history.over
        whole.room.refused += history.room.refused

    def _know(self, history: History) -> None:
        """What a verdict on the run may ask of its instances, connections and lists."""
        whole = self._whole
        whole.instances.update(history.instances)
        for name, connection in history.connections.items():
            kind = (connection.transport, connection.binding, connection.revision, connection.endpoint)
            if len(whole.connections) < KINDS or kind not in self._kinds:
                self._kinds.add(kind)
                whole.connections[name] = connection
