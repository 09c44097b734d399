"""MC-RPC-12, -14 and MC-CALL-13: what is sent unasked, by the server or to it."""

from collections.abc import Collection, Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.mcp.laws.asking import meta_of
from conformance.contracts.mcp.laws.levels import Levels
from conformance.contracts.mcp.laws.provoked import beside, is_answer, is_notification, provoked
from conformance.judge.judgements import breach, holds
from conformance.judge.kinds import spelled
from conformance.judge.law import law
from conformance.model.events import Http, Json, Message
from conformance.model.exchange import Aside, Connection, Exchange, Inquiry
from conformance.model.history import History
from conformance.model.measure import standing
from conformance.model.revision import LEVELS, stateless
from conformance.model.verdict import HELD, Judgement

ACCEPTED = 202
AT_ONCE = 2_000_000
"""Microseconds within which a server that is well answers a list: less than half of what a notification is given."""
REFUSED = 400
"""From here on an HTTP status says that a notification was not accepted, which a server may."""
FAILED = 500
"""From here on it says that the server failed, which is no refusal."""
ASKED_FOR = ("tools/list", "tools/call")


def _spoken(history: History) -> Iterator[tuple[Connection, Exchange]]:
    """The connections of MCP on which something was served, each with the last exchange of that kind."""
    found = {e.connection.id: e for e in history.exchanges if e.method in ASKED_FOR and e.received is not None}
    for exchange in found.values():
        if exchange.connection.binding == "mcp" and exchange.connection.revision is not None:
            yield exchange.connection, exchange


@law("MC-RPC-12")
def the_server_asks_nothing_that_it_may_not(history: History, _: Contract) -> Iterator[Judgement]:
    """A server sends no request except ping, and that only after a handshake.

    The suite declares no capability, so the server does not ask for roots, sampling or elicitation. In a recording of
    another client nobody knows what that client declared; nothing is judged there.
    """
    guilty, offers = set(), _offers(history)
    for inquiry in history.inquiries:
        allowed = ("ping", *offers.get(inquiry.connection.id, ()))
        if inquiry.method.partition("/")[0] in allowed and not stateless(inquiry.revision):
            continue
        guilty.add(inquiry.connection.id)
        call = history.find(inquiry.request.call) if inquiry.request.call is not None else None
        yield breach(_asked(inquiry), *([call] if call is not None else []), got=inquiry.method)
    yield from (HELD for connection, _ in _spoken(history) if connection.id not in guilty)


def _offers(history: History) -> dict[str, tuple[str, ...]]:
    """By connection the capabilities that its client declared: each has the name that requests for it begin with."""
    found = {}
    for exchange in history.exchanges:
        if exchange.method == "initialize" and isinstance(exchange.request, dict):
            params = exchange.request.get("params")
            declared = params.get("capabilities") if isinstance(params, dict) else None
            found[exchange.connection.id] = tuple(declared) if isinstance(declared, dict) else ()
    return found


def _asked(inquiry: Inquiry) -> str:
    if stateless(inquiry.revision):
        return f"the server sent the request {inquiry.method}; in {inquiry.revision} a server sends none"
    return f"the server sent the request {inquiry.method}, for which the client declared no capability"


@law("MC-RPC-14")
def a_notification_is_not_answered(history: History, contract: Contract) -> Iterator[Judgement]:
    """A notification gets no answer, and over HTTP status 202 without a body, unless it is refused.

    After a handshake a server has to take some, so that a refusal tells nothing; without one it counts as kept.
    That no response comes at all is a breach where none came to any notification of this name, no call was under way
    meanwhile, and the request after it was answered at once.
    """
    heard = {_named(aside) for aside in history.asides.values() if is_notification(aside) and aside.answers}
    for aside in history.asides.values():
        if not is_notification(aside):
            continue
        if aside.connection.transport == "http":
            yield from _over_http(aside)
            if aside.silence and _named(aside) not in heard:
                yield from _unheard(aside, history)
            continue
        answers = provoked(history, contract).by(aside)
        got = answers[0].payload if answers else None
        saw = f"{aside.sent.payload['method']} was answered, though it is a notification"
        yield holds(not answers, saw, *beside(aside, history), got=got)


def _named(aside: Aside) -> tuple[int, str]:
    """Where a notification went, and its name."""
    return aside.connection.endpoint, aside.sent.payload["method"]


def _unheard(aside: Aside, history: History) -> Iterator[Judgement]:
    """A notification without a response, where the server had nothing else to do and answered what came after it."""
    mine = [e for e in history.exchanges if e.connection.endpoint == aside.connection.endpoint]
    after = next((e for e in mine if e.connection is aside.connection and e.sent > aside.sent.t), None)
    if after is None or after.received is None or after.received - after.sent >= AT_ONCE:
        return
    busy = any(e.sent < after.sent and (e.received is None or e.received > aside.sent.t) for e in mine)
    if not busy:
        saw = f"{aside.sent.payload['method']} was sent: {aside.silence}"
        yield breach(saw, after, expected="HTTP 202 without a body", got="no response")


def _over_http(aside: Aside) -> Iterator[Judgement]:
    what = aside.sent.payload["method"]
    for answer in aside.answers:
        status = (answer.http or Http()).status
        if status is None:
            continue
        if status >= REFUSED:
            if _to_a_request(answer):
                saw = f"{what} was refused with HTTP {status}, and answered like a request"
                yield breach(saw, expected="no body, or an error without an id", got=answer.payload)
            elif status < FAILED and _is_jsonrpc(answer) and stateless(aside.connection.revision):
                # a server's own refusal; without a handshake there is no notification over HTTP that it has to take
                yield HELD
            continue
        body = answer.payload if answer.raw is None else answer.raw
        full = answer.payload is not None or bool((answer.raw or "").strip())
        if status != ACCEPTED:
            yield breach(f"{what} was accepted with HTTP {status}", expected="HTTP 202 without a body", got=status)
        else:
            yield holds(not full, f"{what} was accepted with a body", expected="HTTP 202 without a body", got=body)


def _to_a_request(answer: Message) -> bool:
    """Whether the body of a refusal is more than an error without an id."""
    return _is_jsonrpc(answer) and ("result" in answer.payload or answer.payload.get("id") is not None)


def _is_jsonrpc(answer: Message) -> bool:
    """Whether the server itself answered: what is not JSON-RPC is a gateway's."""
    return is_answer(answer) and answer.payload.get("jsonrpc") == "2.0"


@law("MC-CALL-13")
def progress_and_logs_come_where_they_were_asked_for(history: History, _: Contract) -> Iterator[Judgement]:
    """Progress names a token that was sent, rises, and ends with the answer; logs come where asked for and declared."""
    tokens, levels = _tokens(history), Levels(history)
    last: dict[tuple[str, str], float] = {}
    guilty: set[str] = set()
    for message, exchange in _notices(history):
        connection = exchange.connection if exchange is not None else history.connections.get(message.connection)
        if connection is None or connection.binding != "mcp":
            continue
        method, params = message.payload["method"], message.payload.get("params")
        params = params if isinstance(params, dict) else {}
        if method == "notifications/progress":
            wrong = _progress(params, tokens.get(connection.id, {}), last, connection.id)
            asked = tokens.get(connection.id, {}).get(spelled(params.get("progressToken")))
            wrong = wrong or (_late(message, asked, own=exchange is asked) if asked is not None else "")
        elif method == "notifications/message":
            wrong = _log(message, connection, levels, exchange)
        else:
            continue
        if wrong:
            guilty.add(connection.id)
            yield breach(wrong, *([exchange] if exchange is not None else []), got=params)
        else:
            yield HELD
    yield from (HELD for connection, _ in _spoken(history) if connection.id not in guilty)


def _late(message: Message, asked: Exchange, *, own: bool) -> str:
    """Whether progress came after the answer, on the one way that both came; empty where it did not.

    An answer that only says that a task was begun ends nothing: progress of the task has the same token.
    """
    ordered = own or asked.connection.transport != "http"
    result = asked.result or {}
    goes_on = isinstance(result.get("task"), dict) or result.get("resultType") == "task"
    late = ordered and not goes_on and asked.received is not None and message.t > asked.received
    return f"progress came after the answer to {asked.tool or asked.method}" if late else ""


def _tokens(history: History) -> dict[str, dict[str, Exchange]]:
    """The progress tokens that were sent, each as its JSON text, by connection, with the last request that had it."""
    found: dict[str, dict[str, Exchange]] = {}
    for exchange in history.exchanges:
        token = meta_of(exchange).get("progressToken")
        if token is not None:
            found.setdefault(exchange.connection.id, {})[spelled(token)] = exchange
    return found


def _notices(history: History) -> Iterator[tuple[Message, Exchange | None]]:
    """Every notification of a server, with the call that it came with."""
    found: list[tuple[Message, Exchange | None]] = [(stray, None) for stray in history.strays]
    found += [(extra, exchange) for exchange in history.exchanges for extra in exchange.extras]
    for message, exchange in sorted(found, key=lambda each: each[0].t):
        payload = message.payload
        if isinstance(payload, dict) and isinstance(payload.get("method"), str) and "id" not in payload:
            yield message, exchange


def _progress(params: dict[str, Json], tokens: Collection[str], last: dict[tuple[str, str], float], where: str) -> str:
    token, progress = params.get("progressToken"), params.get("progress")
    if spelled(token) not in tokens:
        return f"the progressToken of progress is {standing(params, 'progressToken')}, which no request had"
    if not isinstance(progress, int | float) or isinstance(progress, bool):
        return f"progress is {standing(params, 'progress')}, no number"
    before = last.get((where, repr(token)))
    last[where, repr(token)] = progress
    return f"progress went from {before} to {progress}" if before is not None and progress <= before else ""


def _log(message: Message, connection: Connection, levels: Levels, exchange: Exchange | None) -> str:
    """Why a log message ought not to have come; empty where it may.

    Before both sides agreed on a revision nobody knows by which rules it came.
    """
    params = message.payload.get("params")
    given = params if isinstance(params, dict) else {}
    level = given.get("level")
    if level not in LEVELS:
        return f"the level of a log message is {standing(given, 'level')}, which MCP does not have"
    if connection.agreed is None or message.t < connection.agreed:
        return ""
    newer = stateless(connection.revision)
    # whoever calls without asking before what a server offers does not show it
    if "logging" not in connection.capabilities and (connection.capabilities or not newer):
        return "a log message came from a server that does not declare the logging capability"
    if newer:
        wanted = levels.wanted(message, exchange)
        if not wanted:
            return "a log message came where no request asked for any"
        least = min((LEVELS.index(each) for each in wanted if each in LEVELS), default=0)
    else:
        least = LEVELS.index(levels.least(message, exchange, ordered=connection.transport != "http") or LEVELS[0])
    weighs = LEVELS.index(level)
    return f"a log message of level {level} came where {LEVELS[least]} was asked for" if weighs < least else ""
