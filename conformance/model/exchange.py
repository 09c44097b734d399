"""One call with its answer, put together from the events of a transcript."""

import re
from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Struct

from conformance.model.envelope import EnvelopeRule
from conformance.model.events import Closed, Credential, Http, Json, Message, Opened
from conformance.model.prose import READ_THROUGH, Prose, read
from conformance.model.texts import decoded, texts_of

NO_CREDENTIAL = Credential(name="none", role="none", defect="missing")
INVALID_PARAMS = -32602
METHOD_NOT_FOUND = -32601
CAPABILITY_MISSING = -32021
"""The client did not declare what the request cannot be served without."""
UNAUTHORIZED_STATUS = 401
TOO_MANY_STATUS = 429
GONE = 404
SESSION = "mcp-session-id"
"""The header that names the session of a request over HTTP, or of its answer."""
GARBLED = "no valid HTTP"
"""How the detail of a call begins whose response could not be read as HTTP."""
STILL_THERE = "the server still accepts connections"
"""How it ends where the server was looked for."""
BEYOND_ITS_END = "it came when the response was over"
"""The fault of what came on a connection and belongs to no response."""
NO_RESPONSE = "no response came"
"""Begins what is said of a request over HTTP beside the calls, to which the server answered nothing."""
LEFT_OPEN = "the stream of events was not ended after the answer"
"""What is noted of a call whose stream was read on for its end, and did not end in time."""
LOOKED_AT = (-32700, -32600, METHOD_NOT_FOUND, INVALID_PARAMS, -32603)
"""Codes of JSON-RPC for what is wrong with a request itself, or went wrong when it was served."""
TOO_MANY = re.compile(r"\brate.?limit|\btoo many (?:requests|calls)\b|\bthrottl", re.IGNORECASE)
WORDED_WITHIN = 10_000
"""Characters of a refusal in which its words are looked for: it may have a megabyte, and laws ask again and again."""
WRAPPED = "result"
"""The key of structuredContent under which SDKs put what is no object."""
_NO_ARGUMENTS: dict[str, Json] = {}


class Connection(Struct):
    """A connection as the history knows it."""

    id: str
    transport: str
    binding: str
    instance: str
    opened: int
    asked: str | None = None
    endpoint: int = 0
    path: str | None = None
    revision: str | None = None
    server: dict[str, Json] = {}
    capabilities: dict[str, Json] = {}
    agreed: int | None = None
    """When both sides first settled on a revision."""
    closed: Closed | None = None
    process: int = 1
    """Which of the processes that serve the instance, counted from 1."""

    @classmethod
    def of(cls, event: Opened) -> "Connection":
        """One that begins."""
        named = event.connection, event.transport, event.binding, event.instance
        return cls(*named, event.t, event.asked, event.endpoint, event.path, process=event.process)


class Aside(Struct, kw_only=True, eq=False):
    """What we sent beside the calls: a notification, an answer to a request of the server's, a GET or DELETE."""

    number: int
    connection: Connection
    sent: Message
    answers: list[Message] = []
    """What came back: over HTTP the response, and the frames of a stream that a GET opened."""
    silence: str = ""
    """What is said where no response came over HTTP, though one was waited for."""


class Inquiry(Struct, kw_only=True, eq=False):
    """A request of the server's, and what we answered."""

    connection: Connection
    request: Message
    revision: str | None
    """What was agreed on when it came; None: nothing was yet."""
    reply: Message | None = None
    """None: it was not answered, since the revision gives a client no way to."""

    @property
    def method(self) -> str:
        """The method that it asks for."""
        named = self.request.payload.get("method")
        return named if isinstance(named, str) else ""


class Exchange(Struct, kw_only=True, eq=False):
    """One call: who made it, what was sent, what came back.

    Three ways it can end: `accepted`, `refused` (in the envelope, by isError, by a protocol error or by HTTP), or
    neither, where no answer came, or one that asks back: then nobody knows whether it took effect.
    """

    call: int
    connection: Connection
    instance: str
    profile: str | None = None
    """That of the instance, where it is known."""
    stimulus: str
    label: str
    credential: Credential
    conditions: dict[str, Json]
    method: str
    """The JSON-RPC method; over plain HTTP tools/call for the contract's methods, else the HTTP method and path."""
    tool: str | None
    arguments: Any
    request: Json
    """The payload as it was sent."""
    asked: Http | None
    sent: int
    received: int | None = None
    process: int = 1
    """Which of the processes that serve the instance answered it, counted from 1."""
    late_ms: int = 0
    """Of the time until then, what does not count, as the suite itself was late."""
    response: dict[str, Json] | None = None
    """The first answer, whole: a JSON-RPC response, or the JSON body over plain HTTP."""
    raw: Message | None = None
    """What came instead of an answer: no JSON, a value that is no object, or the answer to another request."""
    answered: Http | None = None
    result: dict[str, Json] | None = None
    status: int | None = None
    """HTTP status, where there is one."""
    error: dict[str, Json] | None = None
    """The JSON-RPC error."""
    protocol_code: int | None = None
    """Its code, if that is how the call was refused."""
    envelope: dict[str, Json] | None = None
    failed: bool = False
    """The envelope, isError or the protocol says that the call failed."""
    accepted: bool = False
    """The server says that it did what was asked."""
    refused: bool = False
    """The server answered, and says that it did not."""
    code: str | None = None
    payload: Json = None
    """What a success gives."""
    given: dict[str, Json] = {}
    """The payload as an object, empty where it is none."""
    prose: tuple[Prose, ...] = ()
    """How its payload was read from a text; none: it was not."""
    unanswered: str | None = None
    given_up: int | None = None
    """When nobody waited for its answer any more."""
    cancelled: int | None = None
    """When the caller told the server that it wants no answer any more."""
    detail: str = ""
    extras: list[Message] = []
    """Notifications and further answers that belong to this call."""
    spelled: str | None = None
    """Its arguments as text, once somebody has asked for that."""
    worked_out: dict[object, Any] = {}
    """What was derived from it, by what derived it."""
    argument: Callable[[str], Json] = _NO_ARGUMENTS.get
    """An argument's value by its name, None where it is absent or the arguments are no object.

    The dictionary's own `get`: laws ask for 50 to 90 arguments of each call, and a method takes twice as long.
    """

    def __post_init__(self) -> None:
        if isinstance(self.arguments, dict):
            self.argument = self.arguments.get

    @property
    def open(self) -> bool:
        """Whether its answer may still come."""
        return self.received is None and self.unanswered is None

    @property
    def turned_away(self) -> bool:
        """Whether an HTTP status refused the request in no words of MCP, or a limit, so that nothing was asked."""
        if self.limited:
            return True
        spoken = (self.result is not None or self.error is not None) and not self.of_no_session
        return self.connection.binding == "mcp" and (self.status or 0) >= 300 and not spoken  # noqa: PLR2004 -- HTTP's own

    @property
    def session(self) -> str | None:
        """The session over HTTP that the request names."""
        return self.asked.headers.get(SESSION) if self.asked is not None else None

    @property
    def of_no_session(self) -> bool:
        """Whether the server knows the request's session no more: HTTP 404, and no answer that names the request."""
        if self.status != GONE or self.session is None:
            return False
        return self.connection.binding == "mcp" and (self.response is None or self.response.get("id") is None)

    @property
    def misdirected(self) -> bool:
        """Whether what came is another request's answer, by its id: it tells nothing of this one."""
        if self.raw is None or not isinstance(self.raw.payload, dict) or not isinstance(self.request, dict):
            return False
        return type(self.raw.payload.get("id")) is type(self.request.get("id"))

    @property
    def withdrawn(self) -> bool:
        """Whether the protocol answered in the tool's place, after the caller had cancelled the call."""
        return self.error is not None and self.cancelled is not None and self.cancelled < (self.received or 0)

    @property
    def left_alone(self) -> bool:
        """Whether its connection was lost, and its server was there all the same."""
        return self.unanswered == "lost" and (self.detail.startswith(GARBLED) or self.detail.endswith(STILL_THERE))

    @property
    def asks_back(self) -> bool:
        """Whether the answer asks its caller for more before anything is decided."""
        return self.result is not None and self.result.get("resultType") == "input_required"

    def repeats(self, other: "Exchange") -> bool:
        """Whether the same caller asks the same of a tool once more, in another session of the connection."""
        if self.connection is not other.connection or self.session == other.session:
            return False
        told, before = ((each.tool, each.credential, each.arguments) for each in (self, other))
        return told == before

    @property
    def limited(self) -> bool:
        """Whether too many requests are what it was refused for, in no words of a contract: nobody looked at it.

        HTTP 429 says so, unless a contract's object comes with it over a plain binding, or an error of JSON-RPC.
        """
        if self.status == TOO_MANY_STATUS:
            return self.raw is not None or (self.connection.binding == "mcp" and self.result is None)
        return self.error is not None and tells_of_limit(self.error)

    def before(self, other: "Exchange") -> bool:
        """Whether this call had been answered when the other was sent."""
        return self.received is not None and self.received <= other.sent

    def asked_of(self, connection: Connection) -> "Exchange":
        """The same call over another connection, not answered yet."""
        names = ("call", "instance", "profile", "stimulus", "label", "credential", "conditions", "method", "tool")
        told = {name: getattr(self, name) for name in (*names, "arguments", "request", "sent")}
        return Exchange(connection=connection, asked=None, **told)

    def gives(self, names: Iterable[str]) -> bool:
        """Whether one of these arguments is there, and not null."""
        given = self.arguments
        if type(given) is not dict or given.keys().isdisjoint(names):
            return False
        return any(given.get(name) is not None for name in names)

    def settle(self, message: Message, rule: EnvelopeRule) -> None:
        """Takes the first answer."""
        self._take(message, rule.of(self.tool))
        # laws ask this of every call, many times over
        self.accepted, self.refused = not (self.failed or self.asks_back), self.failed
        if rule.text and self.accepted:
            self.read_as(rule.prose(self.tool))
        if isinstance(self.payload, dict):
            self.given = self.payload

    def _fails_in_words(self, rule: EnvelopeRule) -> bool:
        return bool(rule.failure_pattern) and rule.fails_in_words(spoken(self) or "")

    def read_as(self, prose: tuple[Prose, ...]) -> None:
        """Reads what a success tells in a text, where it does. A longer one than is read stays as it is."""
        text = spoken(self) if prose else None
        if text is not None and len(text) <= READ_THROUGH:
            self.prose, self.payload = prose, read(prose, text)
            self.given = self.payload

    def _take(self, message: Message, rule: EnvelopeRule) -> None:
        self.received, self.late_ms = message.t, message.late_ms
        self.process = message.process or self.process
        self.answered = message.http
        self.status = message.http.status if message.http is not None else None
        astray = self.connection.binding == "mcp" and of_another(message.payload, self.request)
        if message.raw is not None or not isinstance(message.payload, dict) or astray:
            self.raw = message
            self.failed = True
            return
        self.response = message.payload
        if self.connection.binding == "http":
            self._read(message.payload, rule)
            self.failed = self.failed or (self.status or 200) >= 400  # noqa: PLR2004 -- HTTP's own number
            self._told_by_flag(rule)
            return
        result, error = message.payload.get("result"), message.payload.get("error")
        self.result = result if isinstance(result, dict) else None
        if isinstance(error, dict):
            self.error, code = error, error.get("code")
            self.protocol_code = code if isinstance(code, int) else None
        if self.method == "tools/call" and self.result is not None:
            self._read(carried(self.result), rule)
            if not rule.by_envelope or self.envelope is None:
                self.failed = self.result.get("isError") is True or self._fails_in_words(rule)
                self._told_by_flag(rule)
        else:
            self.failed = self.result is None
            self.payload = self.result

    def _read(self, envelope: Json, rule: EnvelopeRule) -> None:
        if not isinstance(envelope, dict) or not rule.has_envelope:
            self.payload = envelope
            return
        self.envelope = envelope
        if not rule.by_envelope:
            return
        self.failed = rule.failed(envelope)
        if self.failed:
            self.code = rule.code(envelope)
        else:
            self.payload = rule.payload(envelope)

    def _told_by_flag(self, rule: EnvelopeRule) -> None:
        """Takes what the envelope holds, where isError, or HTTP's status, says which of the two it tells of.

        Where there is no envelope, a failure may have its code in its text.
        """
        if self.envelope is None:
            words = next(iter(texts_of(self.result)), "") if self.failed and rule.code_pattern else ""
            found = rule.worded(words)
            self.code = found[1] if found is not None else None
            return
        if rule.by_envelope:
            return
        if self.failed:
            self.code = rule.code(self.envelope)
        else:
            self.payload = rule.payload(self.envelope)


def tells_of_limit(error: dict[str, Json]) -> bool:
    """Whether an error of JSON-RPC is of what there was too much of, and not of what was asked."""
    message = error.get("message")
    if error.get("code") in LOOKED_AT or not isinstance(message, str):
        return False
    return TOO_MANY.search(message, 0, WORDED_WITHIN) is not None


def of_another(answer: Json, request: Json) -> bool:
    """Whether an answer names another request than the one that it came to. Its own id in another type is its own."""
    if not isinstance(answer, dict) or "method" in answer or not isinstance(request, dict):
        return False
    given, asked = answer.get("id"), request.get("id")
    if given == asked or asked is None or isinstance(given, bool) or not isinstance(given, int | float | str):
        return False
    return str(given) != str(asked)


def carried(result: dict[str, Json]) -> Json:
    """What a tool result carries: structuredContent, else the JSON value of its one text block, else that text."""
    if "structuredContent" in result:
        return result["structuredContent"]
    blocks = result.get("content")
    if isinstance(blocks, list) and len(blocks) == 1 and isinstance(blocks[0], dict):
        text = blocks[0].get("text")
        if isinstance(text, str):
            return decoded(text)
    return None


def spoken(exchange: Exchange) -> str | None:
    """The text that a tool answered with; None where it answered with data."""
    told = exchange.payload
    if exchange.result is None or exchange.envelope is not None or isinstance(told, list):
        return None
    if not isinstance(told, dict):
        return "\n".join(texts_of(exchange.result))
    # so the SDKs wrap the text, or the number, that a function returns
    alone = told.get(WRAPPED) if len(told) == 1 else None
    return str(alone) if isinstance(alone, str | int) and not isinstance(alone, bool) else None
