"""The exchanges of a run and the conditions under which they happened: what every law is a function of."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from conformance.model.envelope import PLAIN, EnvelopeRule
from conformance.model.events import (
    Agreed,
    Closed,
    Condition,
    Credential,
    Document,
    Effect,
    Event,
    Footer,
    Header,
    Instance,
    Json,
    Listing,
    Message,
    Opened,
    Step,
    Stimulus,
    Unanswered,
)
from conformance.model.exchange import NO_CREDENTIAL, Connection, Exchange

PLAIN_METHODS = "/mcp/"
"""Over plain HTTP a contract's method is the path's part after this."""


class History:
    """Events of one run, put together. Exchanges are in the order in which they were sent."""

    def __init__(self, rule: EnvelopeRule = PLAIN) -> None:
        self.rule = rule
        self.header: Header | None = None
        self.footer: Footer | None = None
        self.exchanges: list[Exchange] = []
        self.by_tool: dict[str, list[Exchange]] = defaultdict(list)
        self.instances: dict[str, Instance] = {}
        self.connections: dict[str, Connection] = {}
        self.credentials: dict[str, Credential] = {}
        self.listings: list[Listing] = []
        self.documents: list[Document] = []
        self.conditions: list[Condition] = []
        self.effects: list[Effect] = []
        self.stimuli: list[Stimulus] = []
        self.strays: list[Message] = []
        """Frames from the server that belong to no call."""
        self._open: dict[int, Exchange] = {}
        self._steps: dict[int, Step] = {}

    @classmethod
    def of(cls, events: Iterable[Event], rule: EnvelopeRule = PLAIN) -> "History":
        """Puts a whole run together."""
        history = cls(rule)
        for event in events:
            history.feed(event)
        return history

    def feed(self, event: Event) -> Exchange | None:  # noqa: C901, PLR0912 -- one arm an event, in order of frequency
        """Takes the next event; gives the exchange that it completes, if it does."""
        match event:
            case Message():
                return self._message(event)
            case Step():
                self._steps[event.call] = event
            case Unanswered():
                exchange = self._open.get(event.call)
                if exchange is not None and exchange.received is None:
                    exchange.unanswered, exchange.detail = event.why, event.detail
                    return exchange
            case Credential():
                self.credentials[event.name] = event
            case Opened():
                self.connections[event.connection] = Connection(
                    event.connection, event.transport, event.binding, event.instance, event.t, event.asked
                )
            case Agreed():
                connection = self._connection(event.connection)
                connection.revision, connection.server = event.revision, event.server
                connection.capabilities = event.capabilities
            case Closed():
                self._connection(event.connection).closed = event
            case Instance():
                self.instances[event.id] = event
            case Listing():
                self.listings.append(event)
            case Effect():
                self.effects.append(event)
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

    def _message(self, message: Message) -> Exchange | None:
        if message.direction == "out":
            if message.call is not None and message.call in self._steps:
                self._begin(message, self._steps[message.call])
            return None
        exchange = self._open.get(message.call) if message.call is not None else None
        if exchange is None:
            self.strays.append(message)
            return None
        if exchange.received is not None or exchange.unanswered is not None or not _answers(message, exchange):
            exchange.extras.append(message)
            return None
        exchange.settle(message, self.rule)
        return exchange

    def _begin(self, message: Message, step: Step) -> None:
        connection = self._connection(message.connection)
        payload = message.payload
        tool: str | None = None
        arguments: Json = None
        if connection.binding == "http":
            path = message.http.path or "" if message.http is not None else ""
            verb = message.http.method or "" if message.http is not None else ""
            method, name = f"{verb} {path}", path.rpartition(PLAIN_METHODS)[2]
            if PLAIN_METHODS in path and verb == "POST":
                method, tool, arguments = "tools/call", name, payload
        else:
            method = payload.get("method", "") if isinstance(payload, dict) else ""
            if method == "tools/call":
                params = payload.get("params")
                if isinstance(params, dict):
                    called, arguments = params.get("name"), params.get("arguments")
                    tool = called if isinstance(called, str) else None
        instance = self.instances.get(step.instance)
        exchange = Exchange(
            call=step.call,
            connection=connection,
            instance=step.instance,
            profile=instance.profile if instance is not None else None,
            stimulus=step.stimulus,
            label=step.label,
            credential=self.credentials.get(step.credential or "", NO_CREDENTIAL),
            conditions=step.conditions,
            method=method,
            tool=tool,
            arguments=arguments,
            request=payload,
            asked=message.http,
            sent=message.t,
        )
        self._open[step.call] = exchange
        self.exchanges.append(exchange)
        if tool is not None:
            self.by_tool[tool].append(exchange)

    def _connection(self, name: str) -> Connection:
        """A connection by its name; one whose opening is not on record is known by its name alone."""
        found = self.connections.get(name)
        if found is None:
            found = self.connections[name] = Connection(name, "unknown", "mcp", "main", 0)
        return found

    def calls(self, *tools: str) -> Iterator[Exchange]:
        """Calls of these tools (all tools where none is named), in the order sent."""
        if len(tools) == 1:
            yield from self.by_tool.get(tools[0], ())
            return
        for exchange in self.exchanges:
            if exchange.tool is not None and (not tools or exchange.tool in tools):
                yield exchange

    def accepted(self, *tools: str) -> Iterator[Exchange]:
        """Calls that the server says it served."""
        return (exchange for exchange in self.calls(*tools) if exchange.accepted)

    def find(self, call: int) -> Exchange | None:
        """The exchange of a call's number."""
        return self._open.get(call)


def _answers(message: Message, exchange: Exchange) -> bool:
    """A frame answers a call unless it is a notification or a request of the server's own."""
    if exchange.connection.binding == "http" or message.raw is not None:
        return True
    return not (isinstance(message.payload, dict) and "method" in message.payload)
