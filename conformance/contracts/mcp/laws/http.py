"""MC-RPC-09, -10, -16 and -18: a server behind HTTP."""

from collections.abc import Callable, Iterable, Iterator
from urllib.parse import urlsplit

from conformance.contract.catalogue import Contract
from conformance.contracts.mcp.laws.asking import AT_THE_DOOR, AWAY, FAULTY, well_asked
from conformance.contracts.mcp.laws.definitions import nobody_reads_only
from conformance.contracts.mcp.laws.limits import for_a_time
from conformance.contracts.mcp.laws.offered import not_offered
from conformance.contracts.mcp.laws.protocol import without_handshake
from conformance.contracts.mcp.laws.provoked import is_answer
from conformance.contracts.mcp.laws.repeated import params_of
from conformance.contracts.mcp.laws.stdio import no_message
from conformance.contracts.mcp.laws.toolless import no_tools
from conformance.contracts.mcp.offered import PROMPTS, RESOURCES
from conformance.contracts.mcp.sessions import NOT_FOUND, Sessions, session_of
from conformance.judge.alike import alike, settled
from conformance.judge.judgements import breach, holds, told
from conformance.judge.kinds import spelled
from conformance.judge.law import law
from conformance.judge.served import served
from conformance.judge.windows import Key, Sequence, key_of, sequences
from conformance.model.ending import words_of
from conformance.model.events import Http, Message
from conformance.model.exchange import LEFT_OPEN, SESSION, Aside, Connection, Exchange
from conformance.model.history import History
from conformance.model.revision import stateless
from conformance.model.verdict import Judgement

OFFERED = {"resources/read": "contents", "prompts/get": "messages"}
"""What reads, besides calls, and under which key it is answered."""
OK = 200
NOT_ALLOWED = 405
CLIENT = 4
"""First digit of the HTTP statuses that refuse a request."""
EVENTS = "text/event-stream"
FORMS = ("application/json", EVENTS)
LOOPBACK = ("localhost", "127.0.0.1", "::1")
FORBIDDEN = 403
FORBIDDEN_SINCE = "2025-11-25"
"""From here on a foreign Origin is refused by one HTTP status; before, in any way."""
GET_SINCE = "2025-03-26"
"""The first revision with streamable HTTP."""
OCCUPIED = 409
"""The session has its stream already, as some servers count."""


@law("MC-RPC-09")
def a_foreign_origin_is_refused(history: History, _: Contract) -> Iterator[Judgement]:
    """A request whose Origin is not this machine is refused, while the same request without an Origin is served."""
    served_without = {e.method for e in history.exchanges if e.accepted and _origin(e) is None}
    sessions = Sessions(history)
    for exchange in history.exchanges:
        origin = _origin(exchange)
        told = exchange.connection.binding == "mcp" and exchange.received is not None and not exchange.misdirected
        if origin is None or not told or exchange.status in AWAY or sessions.forgot(exchange):
            continue
        if urlsplit(origin).hostname not in LOOPBACK and (exchange.accepted or exchange.method in served_without):
            revision = exchange.connection.revision or ""
            saw = f"a request of a page of {origin} was {'refused' if exchange.refused else 'served'}"
            saw += f" with HTTP {exchange.status}" if exchange.refused else ""
            by_any = revision < FORBIDDEN_SINCE or exchange.status in AT_THE_DOOR
            right = exchange.refused and (by_any or exchange.status == FORBIDDEN)
            yield holds(right, saw, exchange, expected="HTTP 403", got=exchange.status)


def _origin(exchange: Exchange) -> str | None:
    """The Origin that a request names."""
    return exchange.asked.headers.get("origin") if exchange.asked is not None else None


def _nothing_is_read(history: History, contract: Contract) -> str:
    """That no tool says that it reads, nor is a resource or a prompt offered; empty where there may be a read."""
    none = nobody_reads_only(history, contract) or no_tools(history, contract)
    others = [not_offered(each, history) for each in (RESOURCES, PROMPTS)] if none else []
    return "; ".join((none, *others)) if none and all(others) else ""


@law("MC-RPC-10", absent=_nothing_is_read)
def a_read_does_not_depend_on_its_connection(history: History, contract: Contract) -> Iterator[Judgement]:
    """Over HTTP, a read that gives the same answer before and after gives it in between on another connection, too.

    A read is a call of a tool that says so, or asks for a resource or a prompt. It applies where there is one of these.
    One that gave two answers on one connection, in the same sequence of calls, changes by itself and is not judged.
    """
    listed = served(history, contract)
    for calls in sequences(history, contract):
        yield from _moved(calls, lambda call: (tool := listed.tool(call)) is not None and tool.reads_only)
    requests: dict[str, Sequence] = {}
    for exchange in history.exchanges:
        requests.setdefault(exchange.instance, Sequence()).append(exchange)
    for each in requests.values():
        yield from _moved(each, lambda exchange: exchange.method in OFFERED)


def _moved(calls: Sequence, is_read: Callable[[Exchange], bool]) -> Iterator[Judgement]:
    for index in range(len(calls) - 2):
        before, there, after = calls[index : index + 3]
        # a call that was never answered may take effect yet, but once: no answer differs for it and is then as before
        if not _elsewhere(before, there, after) or not calls.alone(index, index + 2, but_lost=True):
            continue
        if is_read(there) and before.accepted and after.accepted and _steady(calls, index):
            what = there.tool or there.method
            saw = f"{what} on a new connection: {told(there)}, with another answer than on the first"
            yield holds(there.accepted and _alike(before, there), saw, before, there, pointer="/result")


def _asked(exchange: Exchange) -> Key:
    """What makes two requests the same."""
    if exchange.tool is not None:
        return key_of(exchange)
    params = {name: value for name, value in params_of(exchange).items() if name != "_meta"}
    return exchange.method, spelled(params), exchange.credential.name


def _alike(first: Exchange, second: Exchange) -> bool:
    key = OFFERED.get(first.method)
    if key is None:
        return alike(first, second)
    one, other = ((each.result or {}).get(key) for each in (first, second))
    return bool(settled(one) == settled(other))


def _steady(calls: Sequence, place: int) -> bool:
    """Whether a call, as long as nothing else was called, was answered in one way on each connection."""
    key, first, last = _asked(calls[place]), place, place
    while first > 0 and _asked(calls[first - 1]) == key:
        first -= 1
    while last + 1 < len(calls) and _asked(calls[last + 1]) == key:
        last += 1
    known: dict[str, Exchange] = {}
    row = (call for call in calls[first : last + 1] if call.accepted)
    return all(_alike(known.setdefault(call.connection.id, call), call) for call in row)


def _elsewhere(before: Exchange, there: Exchange, after: Exchange) -> bool:
    """Whether these are one call, made on one connection, on another, and on the first again."""
    if there.connection.transport != "http" or not stateless(there.connection.revision) or there.received is None:
        return False
    if there.misdirected or for_a_time(there):
        # another request's answer came, or a limit refused it: of this one nothing is known
        return False
    if not before.connection is after.connection is not there.connection:
        return False
    return all(well_asked(each) for each in (before, there, after)) and _asked(before) == _asked(there) == _asked(after)


@law("MC-RPC-16", compares="call")
def an_answer_names_its_form(history: History, _: Contract) -> Iterator[Judgement]:
    """An answer that comes with HTTP 200 is application/json or text/event-stream, and says so.

    Where a stream was read on after its answer, it was ended within a few seconds.
    What else a stream carries are messages of JSON-RPC 2.0.

    In the revisions with a handshake a GET gets a stream of events, or HTTP 405.
    """
    for exchange in history.exchanges:
        yield from _form(exchange)
        yield from _carried(exchange.extras, exchange.connection, exchange)
    for stray in history.strays:
        if (connection := history.connections.get(stray.connection)) is not None:
            yield from _carried([stray], connection)
    for aside in history.asides.values():
        yield from _stream(aside)


def _carried(messages: Iterable[Message], connection: Connection, *exchanges: Exchange) -> Iterator[Judgement]:
    """What streams carry beside answers, as far as it is JSON. The answers themselves are looked at by MC-RPC-01."""
    if connection.transport != "http" or connection.binding != "mcp":
        return
    for message in messages:
        known = message.payload is None or is_answer(message)
        if not known and (wrong := no_message(message.payload, connection)):
            yield breach(f"a stream carried {wrong}", *exchanges, got=message.payload)


def _stream(aside: Aside) -> Iterator[Judgement]:
    """What a GET at the endpoint got: a server that serves none says so by the one status that clients know."""
    http, revision = aside.sent.http, aside.connection.revision or ""
    if http is None or http.method != "GET" or not _as_a_client(http):
        return
    if stateless(revision) or revision < GET_SINCE:
        return
    # a later one is that of a stream that is opened again, when the session may be over
    came = next((each for each in aside.answers if each.http is not None), None)
    answer = came.http if came is not None else None
    status = answer.status if answer is not None else None
    if came is None or answer is None or status is None or status in (*AT_THE_DOOR, OCCUPIED) or status >= FAULTY:
        return
    if status == NOT_FOUND and SESSION in http.headers:
        return
    kind = _kind(answer)
    if status != NOT_ALLOWED and not (status == OK and kind == EVENTS):
        why = f' ("{said}")' if (said := words_of(came)) else ""
        besides = f" and Content-Type {kind or 'none'}" if status == OK else why
        yield breach(f"GET was answered with HTTP {status}{besides}", expected=f"{EVENTS}, or HTTP 405", got=status)


def _as_a_client(http: Http) -> bool:
    """Whether a request takes a stream, as clients do at the endpoint. What takes JSON alone asks for a document."""
    return EVENTS in http.headers.get("accept", "")


def _kind(http: Http) -> str:
    """The media type of a body."""
    return http.headers.get("content-type", "").partition(";")[0].strip().lower()


def _form(exchange: Exchange) -> Iterator[Judgement]:
    if exchange.connection.transport != "http" or exchange.connection.binding != "mcp":
        return
    if exchange.answered is None or exchange.status != OK or exchange.response is None:
        return
    given = _kind(exchange.answered)
    saw = f"the answer's Content-Type is {given or 'missing'}"
    yield holds(given in FORMS, saw, exchange, expected=" or ".join(FORMS), got=given)
    if any(extra.fault == LEFT_OPEN for extra in exchange.extras):
        yield breach(f"{LEFT_OPEN}, though it was waited for", exchange, expected="its end", got="an open stream")


@law("MC-RPC-18")
def the_endpoint_takes_posts_alone(history: History, _: Contract) -> Iterator[Judgement]:
    """GET and DELETE get HTTP 405, and no answer assigns a session.

    From a server that also serves revisions with a handshake any 4xx is accepted.
    """
    both = {c.endpoint for c in history.connections.values() if c.revision and not stateless(c.revision)}
    for aside in history.asides.values():
        http, connection = aside.sent.http, aside.connection
        if http is None or http.method not in ("GET", "DELETE") or not stateless(connection.revision):
            continue
        for answer in aside.answers if _as_a_client(http) else ():
            status = answer.http.status if answer.http is not None else None
            if status is None or status in AT_THE_DOOR or status >= FAULTY:
                continue
            right = status == NOT_ALLOWED or (connection.endpoint in both and status // 100 == CLIENT)
            yield holds(right, f"{http.method} was answered with HTTP {status}", expected="HTTP 405", got=status)
    for exchange in history.exchanges:
        if (
            session_of(exchange, answered=True) is not None
            and without_handshake(exchange)
            and exchange.method != "initialize"
        ):
            yield breach(f"the answer to {exchange.method} gives a session out", exchange)
