"""The exchanges of a run and the conditions under which they happened: what every law is a function of."""

from collections import defaultdict
from collections.abc import Iterable
from itertools import islice
from typing import Any

from conformance.model.calls import Calls
from conformance.model.envelope import PLAIN, EnvelopeRule
from conformance.model.events import (
    Agreed,
    Closed,
    Condition,
    Credential,
    Document,
    Effect,
    Event,
    Flight,
    Footer,
    Header,
    Instance,
    Json,
    Killed,
    Listing,
    Message,
    Modelled,
    Opened,
    Step,
    Stimulus,
    Unanswered,
)
from conformance.model.exchange import GONE, NO_CREDENTIAL, NO_RESPONSE, Aside, Connection, Exchange, Inquiry
from conformance.model.frames import answers, asked_by, is_request, made_under
from conformance.model.parting import Parting
from conformance.model.room import Room
from conformance.model.stores import Stores, came, reached

CANCELLED = "notifications/cancelled"


WHOLE_BYTES = 128_000_000
"""Octets of a transcript that are kept to be judged together. Decoded they take about six times as much."""
WITNESSES = 1_000
"""Exchanges beyond the whole that are kept, since a finding names them."""
RECENT = 1_000
"""Calls among which the one is looked for that a client of others cancels."""
LATE = 10_000
"""Connections, and calls that are under way, that are still known beyond the whole."""


class History:
    """Events of one run, put together. Exchanges are in the order in which they were sent.

    What is larger than `WHOLE_BYTES` is not kept: from there on each exchange is given out when it is complete, and
    forgotten. What is kept is a run that was cut there.
    """

    def __init__(self, rule: EnvelopeRule = PLAIN) -> None:
        self.rule = rule
        self.header: Header | None = None
        self.footer: Footer | None = None
        self._calls = Calls()
        self.exchanges, self.by_tool = self._calls.exchanges, self._calls.by_tool
        self.by_stimulus: dict[str, list[Exchange]] = defaultdict(list)
        self.instances: dict[str, Instance] = {}
        self.stores = Stores()
        self.killed: list[Killed] = []
        """Servers that the suite killed, in order."""
        self.again: list[Exchange] = []
        """Calls of tools at a server that was started on the store of one that was killed.

        They are not among the exchanges: whether a store is still what it was is one question, asked by its own laws.
        """
        self.connections: dict[str, Connection] = {}
        self.credentials: dict[str, Credential] = {}
        self.listings: list[Listing] = []
        self.documents: list[Document] = []
        self.conditions: list[Condition] = []
        self.effects: list[Effect] = []
        self.stimuli: list[Stimulus] = []
        self.flights: list[Flight] = []
        self.modelled: dict[int, Exchange] = {}
        """By call, the same with what a model answered."""
        self.strays: list[Message] = []
        """Frames from the server that belong to no call."""
        self.worked_out: dict[object, Any] = {}
        """What was derived from it, by what derived it."""
        self.asides: dict[tuple[str, int], Aside] = {}
        """What was sent beside the calls, by its connection and its number there."""
        self.inquiries: list[Inquiry] = []
        """Requests of the server's, in the order in which they came."""
        self._unreplied: dict[tuple[str, str], Inquiry] = {}
        self.witnesses: list[Exchange] = []
        """Exchanges beyond the whole, of which a finding tells."""
        self.beyond = 0
        """Exchanges that came when no more was kept."""
        self.forgotten = 0
        """Calls beyond the whole of which nothing is known, since too many others were under way."""
        self.elsewhere: list[tuple[Listing, str | None]] = []
        """Lists of tools in other parts of the transcript, each with the profile of its instance."""
        self.parting = Parting()
        self._ended = False
        self._octets = 0
        self.room = Room()
        self._passing: set[int] = set()
        """Calls beyond the whole that are not over."""
        self._open: dict[int, Exchange] = {}
        self._steps: dict[int, Step] = {}

    @classmethod
    def of(cls, events: Iterable[Event], rule: EnvelopeRule = PLAIN) -> "History":
        """Puts a whole run together."""
        history = cls(rule)
        for event in events:
            history.feed(event)
        return history

    @property
    def over(self) -> bool:
        """Whether as much as is kept has come."""
        return self._ended or self._octets > WHOLE_BYTES

    def end(self) -> None:
        """No more is to be kept from here on."""
        self._ended = True

    @property
    def under_way(self) -> set[int]:
        """The calls that are not over."""
        return {call for call, exchange in self._open.items() if exchange.open}

    def rest(self) -> "History":
        """What goes on from here and keeps nothing: it knows who is connected, and which calls are under way."""
        after = History(self.rule)
        after.header, after.footer, after.credentials = self.header, self.footer, self.credentials
        after.instances, after.connections, after.killed = self.instances, self.connections, self.killed
        after.stores = self.stores
        after._open = {call: exchange for call, exchange in self._open.items() if exchange.open}
        after._steps = {call: step for call, step in self._steps.items() if call not in self._open}
        after._passing = {*after._open, *after._steps}
        after.end()
        return after

    @property
    def cut(self) -> str:
        """What was not kept to be judged together; empty where everything was."""
        told = list(self.parting.divided)
        if self.over:
            told.append(
                f"the transcript is larger than the {WHOLE_BYTES:,} bytes that are judged as a whole: "
                f"{self.beyond:,} later calls were judged each by itself"
            )
        if self.forgotten:
            told.append(f"{self.forgotten:,} calls were not judged: {LATE:,} others were under way when they were made")
        if self.room.refused:
            told.append(f"{self.room.refused:,} frames that answer nothing were too many to be judged")
        return "; ".join(told)

    def feed(self, event: Event, octets: int = 0) -> Exchange | None:
        """Takes the next event, which took so many octets; gives the exchange that it completes, if it does."""
        self._calls.forget()
        if self._ended or self._octets > WHOLE_BYTES:
            return self._pass(event)
        if type(event) is Message:
            if event.direction == "in":
                return self._message(event, octets)
            self._octets += octets
            return self._message(event)
        self._octets += octets
        return self._take(event)

    def _pass(self, event: Event) -> Exchange | None:
        """The same where no more is kept."""
        match event:
            case Step() if len(self._passing) >= LATE:
                self.forgotten += 1
                return None
            case Step():
                self._passing.add(event.call)
            case Opened() | Agreed() if len(self.connections) >= LATE:
                return None
            case Instance() if len(self.instances) >= LATE:
                return None
            case Message() | Unanswered() | Closed() | Footer() | Opened() | Agreed() | Instance():
                pass
            case _:
                return None
        exchange = self._take(event)
        if exchange is not None and exchange.call in self._passing:
            self._passing.discard(exchange.call)
            self._open.pop(exchange.call, None)
        return exchange

    def witness(self, exchange: Exchange) -> None:
        """Keeps an exchange of which a finding tells."""
        if self.over:
            self.keep(exchange)

    def keep(self, exchange: Exchange) -> None:
        """The same where this is the history of a whole that was judged in parts."""
        if len(self.witnesses) < WITNESSES and exchange.call not in self._open:
            self.witnesses.append(exchange)
            self._open[exchange.call] = exchange

    def add(self, part: "History") -> None:
        """Takes the exchanges of a part, for what is told beside the verdicts."""
        for exchange in part.exchanges:
            self._calls.add(exchange)
            self._open[exchange.call] = exchange
        for name, exchanges in part.by_stimulus.items():
            self.by_stimulus[name] += exchanges
        self.again += part.again
        self._open |= {exchange.call: exchange for exchange in part.again}

    def _take(self, event: Event) -> Exchange | None:  # noqa: C901, PLR0912 -- one arm an event, in order of frequency
        match event:
            case Message():
                return self._message(event)
            case Step():
                self._steps[event.call] = event
            case Unanswered():
                exchange = self._open.get(event.call)
                if exchange is not None and exchange.received is None:
                    exchange.unanswered, exchange.detail = event.why, event.detail
                    exchange.given_up = event.t
                    return exchange
            case Credential():
                self.credentials[event.name] = event
            case Opened():
                self.connections[event.connection] = Connection.of(event)
                self.stores.served(event.instance, event.process)
            case Agreed():
                connection = self._connection(event.connection)
                connection.revision, connection.server = event.revision, event.server
                connection.capabilities = event.capabilities
                connection.agreed = event.t if connection.agreed is None else connection.agreed
            case Closed():
                self._connection(event.connection).closed = event
            case Instance():
                self.instances[event.id] = event
            case Killed():
                self.killed.append(event)
            case Listing():
                self.listings.append(event)
            case Effect():
                self.effects.append(came(event, self._open))
            case Flight():
                self.flights.append(event)
            case Modelled():
                self._model(event)
            case Document():
                self.documents.append(event)
            case Condition():
                self.conditions.append(event)
            case Stimulus():
                self.stimuli.append(event)
            case Header():
                self.header = event
            case Footer():
                self.footer = event
        return None

    def _message(self, message: Message, octets: int = 0) -> Exchange | None:
        if message.direction == "out":
            if message.call is not None and message.call in self._steps:
                self._begin(message, self._steps[message.call])
            elif message.aside is not None and not self.over:
                self._beside(message, message.aside)
            return None
        exchange = self._open.get(message.call) if message.call is not None else None
        if exchange is not None and exchange.open and answers(message, exchange):
            self._octets += octets
            exchange.settle(message, self.rule)
            if message.process is not None and (step := self._steps.get(exchange.call)) is not None:
                exchange.instance = reached(message.process, step.instance, self.instances)
                self.stores.served(exchange.connection.instance, message.process)
            if exchange.status == GONE:
                self._calls.look(exchange)
            if self.stores.bygone(exchange, self.exchanges):
                self._calls.came_to_none(exchange)
            return exchange
        if self.room.takes(octets, over=self.over):
            self._unasked(message, exchange)
        return None

    def _unasked(self, message: Message, exchange: Exchange | None) -> None:
        """Takes a frame that is no first answer to a call."""
        if is_request(message) and (connection := self._connection(message.connection)).binding == "mcp":
            inquiry = Inquiry(connection=connection, request=message, revision=connection.revision)
            self.inquiries.append(inquiry)
            self._unreplied[message.connection, repr(message.payload["id"])] = inquiry
        beside = self.asides.get((message.connection, message.aside)) if message.aside is not None else None
        if beside is not None and (message.fault or "").startswith(NO_RESPONSE):
            beside.silence = message.fault or ""
            return
        if beside is not None:
            beside.answers.append(message)
            if message.http is not None:
                return
        if exchange is None:
            self.strays.append(message)
        else:
            exchange.extras.append(message)

    def _beside(self, message: Message, number: int) -> None:
        connection = self._connection(message.connection)
        self.asides[message.connection, number] = Aside(number=number, connection=connection, sent=message)
        payload = message.payload
        if isinstance(payload, dict) and payload.get("method") == CANCELLED:
            params = payload.get("params")
            asked = params.get("requestId") if isinstance(params, dict) else None
            call = self._asked(connection, asked)
            if call is not None and call.cancelled is None:
                call.cancelled = message.t
        if isinstance(payload, dict) and "method" not in payload:
            inquiry = self._unreplied.pop((message.connection, repr(payload.get("id"))), None)
            if inquiry is not None:
                inquiry.reply = message

    def _asked(self, connection: Connection, number: Json) -> Exchange | None:
        """The call that was made under an id: ours are the calls' own numbers, those of others' clients may not be."""
        latest = islice(reversed(self.exchanges), RECENT)
        known = [self._open[number]] if type(number) is int and number in self._open else []
        return next((e for e in (*known, *latest) if e.connection is connection and made_under(number, e)), None)

    def _begin(self, message: Message, step: Step) -> None:
        connection = self._connection(message.connection)
        asked = asked_by(message, connection)
        instance = self.instances.get(step.instance)
        exchange = Exchange(
            call=step.call,
            connection=connection,
            instance=reached(connection.process, step.instance, self.instances),
            process=connection.process,
            profile=instance.profile if instance is not None else None,
            stimulus=step.stimulus,
            label=step.label,
            credential=self.credentials.get(step.credential or "", NO_CREDENTIAL),
            conditions=step.conditions,
            method=asked.method,
            tool=asked.tool,
            arguments=asked.arguments,
            request=message.payload if message.raw is None else message.raw,
            asked=message.http,
            sent=message.t,
        )
        self._open[step.call] = exchange
        before = self._open.get(step.instead_of) if step.instead_of is not None else None
        if before is not None and before.limited:
            self._calls.let_go(before)
        if self.over:
            del self._steps[step.call]
            self.beyond += 1
            return
        self.by_stimulus[step.stimulus].append(exchange)
        if asked.tool is not None and any(step.instance == killed.again for killed in self.killed):
            self.again.append(exchange)
        else:
            self._calls.add(exchange)

    def of_calls(self, exchanges: Iterable[Exchange]) -> "History":
        """These exchanges alone, as they would have happened in a run like this one."""
        part = History(self.rule)
        part.header, part.footer, part.instances, part.connections = (
            self.header, self.footer, self.instances, self.connections,
        )  # fmt: skip
        part.credentials, part.listings, part.documents = self.credentials, self.listings, self.documents
        for exchange in exchanges:
            part._open[exchange.call] = exchange
            part._calls.add(exchange)
        return part

    def _model(self, event: Modelled) -> None:
        """Takes the answer of a model to a call that is known."""
        asked = self._open.get(event.call)
        if asked is not None:
            twin = asked.asked_of(Connection(event.model, "in-process", "mcp", asked.instance, 0))
            answer = Message(connection=event.model, direction="in", call=event.call, payload=event.response, t=event.t)
            twin.settle(answer, self.rule)
            self.modelled[event.call] = twin

    def _connection(self, name: str) -> Connection:
        """A connection by its name; one whose opening is not on record is known by its name alone."""
        found = self.connections.get(name)
        if found is None:
            found = self.connections[name] = Connection(name, "unknown", "mcp", "main", 0)
        return found

    def calls(self, *tools: str) -> tuple[Exchange, ...]:
        """Calls of these tools (all tools where none is named), in the order sent."""
        return self._calls.of(tools)

    def accepted(self, *tools: str) -> tuple[Exchange, ...]:
        """Calls that the server says it served."""
        return self._calls.accepted(tools)

    def find(self, call: int) -> Exchange | None:
        """The exchange of a call's number."""
        return self._open.get(call)
