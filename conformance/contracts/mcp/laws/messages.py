"""MC-RPC-01 to -04: what every message is. The first of them is part of every contract's foundation."""

from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.mcp.crowds import crowds
from conformance.contracts.mcp.laws.asking import well_asked
from conformance.contracts.mcp.laws.debts import Debts
from conformance.contracts.mcp.laws.provoked import is_answer, provoked
from conformance.judge.judgements import breach, told
from conformance.judge.law import law
from conformance.model.ending import detail
from conformance.model.events import Json, Message
from conformance.model.exchange import BEYOND_ITS_END, Exchange
from conformance.model.history import History
from conformance.model.measure import standing
from conformance.model.revision import stateless
from conformance.model.verdict import HELD, Judgement

DEEP = "nested too deep"
VERSION = "2.0"
HTTP_OK = 200
HTTP_REFUSAL = 400
"""From here on an HTTP status refuses the request itself; what comes with it need be no JSON-RPC."""


@law("MC-RPC-01")
def every_request_gets_one_answer(history: History, contract: Contract) -> Iterator[Judgement]:
    """Every request that was not cancelled gets one answer of JSON-RPC 2.0: under its id, a result or an error."""
    debts = Debts(history, crowds(history, contract))
    for exchange in history.exchanges:
        if exchange.received is None:
            yield from _unanswered(exchange, expected=debts.owed(exchange))
        elif any(is_answer(extra) for extra in exchange.extras):
            yield breach(_again(exchange), exchange, expected="one answer", got=_seconds(exchange)[0])
        elif exchange.cancelled is not None and exchange.response is None:
            continue  # a stream that ends without an answer once its call is cancelled
        else:
            wrong = misfit(exchange) if exchange.connection.binding == "mcp" else ""
            aloof = debts.is_probe(exchange) or debts.outside(exchange) or _of_another_version(exchange)
            if wrong and aloof and (exchange.status or 0) >= HTTP_REFUSAL:
                continue  # an older server refuses what has no session, or a header, before it reads what is asked
            if not wrong and (beyond := _beyond(exchange)) is not None:
                saw = f"the response was over, and {beyond.size} bytes more came, which belong to no response"
                yield breach(saw, exchange, got=beyond.raw)
                continue
            yield breach(wrong + _elsewhere(exchange, history), exchange) if wrong else HELD
    for connection in history.connections.values():
        if connection.closed is not None and connection.closed.unkept and connection.closed.why:
            yield breach(f"on {connection.id} {connection.closed.why}", got=connection.closed.unkept)
    yield from _strays(history, contract)


def _of_another_version(exchange: Exchange) -> bool:
    """Whether a header names another version than the handshake did."""
    return not stateless(exchange.connection.revision) and not well_asked(exchange)


def _beyond(exchange: Exchange) -> Message | None:
    """What came on a connection after a response that was whole: a client takes it for the next one."""
    return next((extra for extra in exchange.extras if extra.fault == BEYOND_ITS_END), None)


def _seconds(exchange: Exchange) -> list[Json]:
    """What answers a request besides its answer."""
    return [extra.payload for extra in exchange.extras if is_answer(extra)]


def _again(exchange: Exchange) -> str:
    """How a request was answered once more."""
    error = _seconds(exchange)[0].get("error")
    code = f", with error {error.get('code')}" if isinstance(error, dict) else ""
    cancelled = " after it was cancelled" if exchange.cancelled is not None else ""
    return f"the request was answered more than once{cancelled}{code}"


def _strays(history: History, contract: Contract) -> Iterator[Judgement]:
    beside = provoked(history, contract)
    for stray in history.strays:
        if beside.took(stray):
            continue  # what a notification or a malformed frame brought about is another requirement's matter
        number = stray.payload.get("id") if isinstance(stray.payload, dict) else None
        if is_answer(stray) and number is not None:
            known = history.find(number) if isinstance(number, int) else None
            how = "which came on another stream than its own" if known is not None else "which no request has"
            yield breach(f"an answer came with the id {number!r}, {how}", *([known] if known else []), got=number)
        elif is_answer(stray) and ("result" in stray.payload or not _open(history, stray)):
            yield breach("an answer came without an id, to no request", got=stray.payload)
        elif (stray.fault or "").startswith(DEEP):
            yield breach(f"a message of {stray.size} bytes cannot be read: {stray.fault}", got=stray.raw)


def _elsewhere(exchange: Exchange, history: History) -> str:
    """Where the answer came that a response does not hold: some servers give it on the stream of a GET."""
    number = exchange.request.get("id") if isinstance(exchange.request, dict) else None
    found = any(
        is_answer(stray) and stray.connection == exchange.connection.id and stray.payload.get("id") == number
        for stray in (history.strays if exchange.response is None and number is not None else ())
    )
    return "; an answer with its id came on another stream" if found else ""


def _open(history: History, stray: Message) -> bool:
    """Whether a request of the connection has no answer: an error without an id may be what it got."""
    return any(e.received is None and e.connection.id == stray.connection for e in history.exchanges)


def _unanswered(exchange: Exchange, *, expected: bool) -> Iterator[Judgement]:
    late = [extra for extra in exchange.extras if is_answer(extra)]
    if len(late) == 1:
        yield HELD
    elif late:
        yield breach(
            "the request was answered more than once, after the time limit", exchange, expected=1, got=len(late)
        )
    elif expected:
        besides = f": {known}" if (known := detail(exchange)) else ""
        yield breach(f"{exchange.method}{_under(exchange)} got {told(exchange)}{besides}", exchange)


def _under(exchange: Exchange) -> str:
    """The id of a request, where it is another than most have: some servers answer to none of its kind."""
    number = exchange.request.get("id") if isinstance(exchange.request, dict) else None
    return f" under the id {number!r}" if number is not None and number != exchange.call else ""


def misfit(exchange: Exchange) -> str:
    """Why what came is no answer to the request; empty where it is one."""
    refused = (exchange.status or 0) >= HTTP_REFUSAL
    response = exchange.response
    if response is None:
        fault = exchange.raw.fault if exchange.raw is not None else None
        if exchange.raw is not None and isinstance(exchange.raw.payload, dict):
            return _other_id(exchange.raw.payload, exchange)
        how = f"{_status(exchange)}{fault or 'a value that is no object'}"
        return "" if refused else f"what came is no JSON-RPC answer: {how}"
    if refused and "result" not in response and response.get("id") is None:
        return ""
    return _other_id(response, exchange) or _one_of(response) or _of_another_protocol(response, exchange)


def _of_another_protocol(response: dict[str, Json], exchange: Exchange) -> str:
    # on stdio each line is looked at: MC-RPC-07
    if exchange.connection.transport == "stdio" or response.get("jsonrpc") == VERSION:
        return ""
    return f"the answer's jsonrpc is {standing(response, 'jsonrpc')}"


def _other_id(response: dict[str, Json], exchange: Exchange) -> str:
    given = response.get("id")
    asked = exchange.request.get("id") if isinstance(exchange.request, dict) else None
    same = given == asked and type(given) is type(asked)
    return "" if same else f"the answer's id is {standing(response, 'id')}, the request had {asked!r}"


def _status(exchange: Exchange) -> str:
    """The HTTP status of what is no answer, and where it sends the caller."""
    if exchange.answered is None or exchange.status == HTTP_OK:
        return ""
    location = exchange.answered.headers.get("location")
    return f"HTTP {exchange.status}{f' to {location}' if location else ''}, "


def _one_of(response: dict[str, Json]) -> str:
    if ("result" in response) == ("error" in response):
        return (
            "the answer has both a result and an error"
            if "result" in response
            else "the answer has neither result nor error"
        )
    key = "result" if "result" in response else "error"
    return "" if isinstance(response[key], dict) else f"the answer's {key} is no object"
