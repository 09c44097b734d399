"""MC-RPC-07 and -08: a server on stdin and stdout."""

from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.judge.judgements import breach, holds
from conformance.judge.law import law
from conformance.model.events import Json, Message
from conformance.model.exchange import Connection, Exchange
from conformance.model.history import History
from conformance.model.measure import standing
from conformance.model.revision import BATCHING
from conformance.model.verdict import HELD, Judgement

SHOWN = 120
LEAST_MS = 5_000
"""A process that was made to end after less was not given the time to end by itself: nothing is said of it."""


@law("MC-RPC-07")
def stdout_carries_messages_only(history: History, _: Contract) -> Iterator[Judgement]:
    """Every line that a server on stdio writes to stdout is one JSON-RPC message."""
    for exchange in history.exchanges:
        if exchange.connection.transport != "stdio":
            continue
        if exchange.response is not None:
            wrong = no_message(exchange.response, exchange.connection)
            yield breach(f"stdout carried {wrong}", exchange) if wrong else HELD
        elif exchange.raw is not None:
            yield from _line(exchange.raw, exchange.connection, exchange)
        for extra in exchange.extras:
            yield from _line(extra, exchange.connection, exchange)
    for stray in history.strays:
        connection = history.connections.get(stray.connection)
        if connection is not None and connection.transport == "stdio":
            yield from _line(stray, connection)


def _line(message: Message, connection: Connection, *exchanges: Exchange) -> Iterator[Judgement]:
    if message.raw is None:
        wrong = no_message(message.payload, connection)
    elif _cut_by_us(message, connection):
        return
    else:
        wrong = f"{message.raw[:SHOWN]!r} ({message.fault})"
    yield breach(f"stdout carried {wrong}", *exchanges, got=message.raw) if wrong else HELD


def _cut_by_us(message: Message, connection: Connection) -> bool:
    """A line that we read no further, for its size or depth, or that ended because we ended the process."""
    fault = message.fault or ""
    ended = connection.closed is not None and connection.closed.by != "server"
    return fault.startswith(("longer than", "nested too deep")) or (ended and fault.startswith("the stream ended"))


def no_message(payload: Json, connection: Connection) -> str:
    """What a JSON value is where it is no JSON-RPC message; empty where it is one."""
    if isinstance(payload, list) and payload and connection.revision == BATCHING:
        return next((wrong for each in payload if (wrong := no_message(each, connection))), "")
    if not isinstance(payload, dict):
        return f"a JSON value that is no message: {str(payload)[:SHOWN]!r}"
    if payload.get("jsonrpc") != "2.0":
        return f"a message whose jsonrpc is {standing(payload, 'jsonrpc')}"
    if "method" not in payload and "result" not in payload and "error" not in payload:
        return "an object that is no request, notification or answer"
    return ""


@law("MC-RPC-08")
def the_server_ends_with_its_input(history: History, _: Contract) -> Iterator[Judgement]:
    """A server whose stdin was closed ends by itself, within the time that it is given."""
    for connection in history.connections.values():
        closed = connection.closed
        if connection.transport != "stdio" or closed is None or closed.lingered_ms is None:
            continue
        if closed.forced and (closed.allowed_ms or 0) < LEAST_MS:
            continue
        saw = f"on {connection.id} the process was still there {closed.lingered_ms} ms after its stdin was closed"
        yield holds(not closed.forced, saw + _meanwhile(connection, history), got=closed.lingered_ms)


def _meanwhile(connection: Connection, history: History) -> str:
    """What may have kept it: calls that it had not answered, and its own last words."""
    busy = [e.tool or e.method for e in history.exchanges if e.connection is connection and e.received is None]
    words = (connection.closed.tail if connection.closed is not None else "").strip().splitlines()[-1:]
    return (f"; not answered: {', '.join(busy[:3])}" if busy else "") + (
        f"; it last wrote: {words[0]}" if words else ""
    )
