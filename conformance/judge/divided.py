"""Divides an instance that is too large to be judged as a whole: the calls about one entity stay together.

Where all that is read and written belongs to an entity that calls name (`Contract.unit`), the calls about one are a
history of their own for each law that compares nothing beyond it. Entities are put into groups by a digest of their
names, so that no more has to be kept of each than where its lines stand.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from zlib import crc32

from conformance.contract.catalogue import Contract
from conformance.judge.refused import surely_refused
from conformance.judge.unchanged import entity_of
from conformance.model.events import Condition, Effect, Event, Flight, Killed, Listing, Message, Step, Unanswered
from conformance.model.exchange import Exchange
from conformance.model.history import CANCELLED, LATE, History
from conformance.model.places import Place, Places

GROUP_BYTES = 32_000_000
"""Octets that a group is to have."""
RECENT = 100_000
"""Calls of which the group is still known: what tells of a call comes soon after it."""
LISTINGS = 20
"""Lists of tools that are kept."""


@dataclass(slots=True)
class _Call:
    """A call of which the group is known once it is answered."""

    places: Places = field(default_factory=Places)
    group: Places | None = None
    asked: tuple[str, str] | None = None
    """Its connection and its id there, by which its client may cancel it."""

    def add(self, place: Place, octets: int) -> None:
        (self.places if self.group is None else self.group).add(place, octets)

    def settle(self, group: Places) -> None:
        if self.group is None:
            group.join(self.places)
            self.group = group


class Divided:
    """The groups of one part of a transcript, and what all of them have to know."""

    def __init__(self, contract: Contract, octets: int) -> None:
        self._contract, self._unit = contract, contract.unit
        self.why = ""
        """Why it cannot be divided; empty where it can."""
        self.calls = 0
        self.listings: list[Listing] = []
        self._groups = [Places() for _ in range(octets // GROUP_BYTES + 1)]
        self._others: list[Places] = []
        """Calls that name no entity, in the order in which they were made."""
        self._beside = Places()
        """What was sent and came beside all calls."""
        self._calls: dict[int, _Call] = {}
        self._asked: dict[tuple[str, str], _Call] = {}
        self._flown = False

    def take(self, event: Event, place: Place, octets: int) -> None:  # noqa: C901 -- one arm for each kind of event
        """Takes the next event, which stands at this place."""
        match event:
            case Step():
                self.calls += 1
                self._calls[event.call] = _Call()
                self._note(event.call, place, octets)
                self._forget()
                if "clock" in event.conditions:
                    self.why = "the clock was moved meanwhile"
            case Message() if event.call is not None:
                self._note(event.call, place, octets)
                self._ask(event, event.call)
            case Message():
                self._take_beside(event, place, octets)
            case Unanswered() | Effect():
                self._note(event.call, place, octets)
            case Flight():
                self._flown = True
                groups = {id(c.group or c.places): c for c in map(self._calls.get, event.calls) if c is not None}
                for call in groups.values():
                    call.add(place, octets)
            case Listing() if len(self.listings) < LISTINGS:
                self.listings.append(event)
            case Listing():
                self.why = f"its tools were listed more than {LISTINGS} times"
            case Killed() | Condition():
                self.why = "its circumstances were changed meanwhile"
            case _:
                pass

    def _take_beside(self, message: Message, place: Place, octets: int) -> None:
        """Takes a message that is none of a call's. One that cancels a call belongs to it as well."""
        if message.aside is not None:
            self._beside.add(place, octets)
        cancelled = self._cancelled(message)
        if cancelled is not None:
            cancelled.add(place, octets)

    def settle(self, exchange: Exchange) -> None:
        """Takes a call that is over, or of which no more is to come."""
        call = self._calls.get(exchange.call)
        if call is not None:
            call.settle(self._group(exchange))

    def close(self, history: History) -> None:
        """No more comes. `history` knows the calls that are still under way."""
        for number, call in self._calls.items():
            exchange = history.find(number) if call.group is None else None
            if exchange is not None:
                self.settle(exchange)
        if len(history.connections) >= LATE:
            self.why = f"it had more than {LATE:,} connections"

    def groups(self) -> Iterator[Places]:
        """The lines of each group."""
        return (group for group in (*self._groups, *self._others, self._beside) if group.octets)

    def begun(self, known: History) -> History:
        """An empty history for a group, which knows of the connections and lists of tools of the whole."""
        history = History(known.rule)
        history.header, history.footer, history.credentials = known.header, known.footer, known.credentials
        history.instances, history.connections = known.instances, known.connections
        history.elsewhere, history.listings = known.elsewhere, list(self.listings)
        if self._flown:
            # a history without any flights tells of calls that overlap by their times alone
            history.flights.append(Flight(calls=(), together=False, t=0))
        return history

    def _note(self, number: int, place: Place, octets: int) -> None:
        call = self._calls.get(number)
        if call is not None:
            call.add(place, octets)

    def _ask(self, message: Message, number: int) -> None:
        if message.direction == "out" and isinstance(message.payload, dict) and number in self._calls:
            call = self._calls[number]
            call.asked = (message.connection, repr(message.payload.get("id")))
            self._asked[call.asked] = call

    def _cancelled(self, message: Message) -> _Call | None:
        """The call that a client wants no answer to any more."""
        payload = message.payload
        if message.direction != "out" or not isinstance(payload, dict) or payload.get("method") != CANCELLED:
            return None
        params = payload.get("params")
        wanted = params.get("requestId") if isinstance(params, dict) else None
        return self._asked.get((message.connection, repr(wanted)))

    def _forget(self) -> None:
        """Of calls long ago no more is told. One without an end by then has none."""
        if len(self._calls) > 2 * RECENT:
            old = dict(list(self._calls.items())[:RECENT])
            for number, call in old.items():
                if call.group is None:
                    self.why = f"a call was under way while {RECENT:,} others were made"
                self._asked.pop(call.asked or ("", ""), None)
                del self._calls[number]

    def _group(self, exchange: Exchange) -> Places:
        mark = self._contract.marks.get(exchange.tool or "")
        entity = entity_of(exchange, mark, (self._unit,)) if mark is not None and self._unit is not None else None
        if entity is not None:
            return self._groups[crc32(repr(entity).encode(errors="replace")) % len(self._groups)]
        if self._may_change_any(exchange):
            self.why = f"a {exchange.tool} that names no {self._unit} may have changed any of them"
        if not self._others or self._others[-1].octets > GROUP_BYTES:
            self._others.append(Places())
        return self._others[-1]

    def _may_change_any(self, exchange: Exchange) -> bool:
        """Whether a call that names no entity may have written to one that others name.

        What a call makes that does not say which is to be made is none of those that there are.
        """
        mark, tool = self._contract.marks.get(exchange.tool or ""), self._contract.tools.get(exchange.tool or "")
        if self._unit is None or mark is None or mark.effect != "write" or self._unit not in mark.scope:
            return False
        takes = tool is None or self._unit in tool.inputSchema.get("properties", {})
        return takes and not surely_refused(exchange, self._contract)
