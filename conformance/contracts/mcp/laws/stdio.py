"""MC-RPC-07 and -08: a server on stdin and stdout."""

from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.judge.judgements import breach, holds
from conformance.judge.law import law
from conformance.model.events import Json, Message
from conformance.model.exchange import Connection
from conformance.model.history import History
from conformance.model.revision import BATCHING
from conformance.model.verdict import HELD, Judgement

SHOWN = 120
PATIENCE_MS = 4_990
"""The driver waits for five seconds, by a clock that ticks in milliseconds, before it asks the process to end."""


@law("MC-RPC-07")
def stdout_carries_messages_only(history: History, _: Contract) -> Iterator[Judgement]:
    """Every line that a server on stdio writes to stdout is one JSON-RPC message."""
    for exchange in history.exchanges:
        if exchange.connection.transport != "stdio":
            continue
        if exchange.response is not None and (wrong := no_message(exchange.response, exchange.connection)):
            yield breach(f"stdout carried {wrong}", exchange)
        elif exchange.response is not None:
            yield HELD
        for extra in exchange.extras:
            if wrong := no_message(extra.payload, exchange.connection):
                yield breach(f"stdout carried {wrong}", exchange)
            else:
                yield HELD
    for stray in history.strays:
        connection = history.connections.get(stray.connection)
        if connection is not None and connection.transport == "stdio":
            yield from _stray(stray, connection)


def _stray(message: Message, connection: Connection) -> Iterator[Judgement]:
    if message.raw is None:
        wrong = no_message(message.payload, connection)
    elif _cut_by_us(message, connection):
        return
    else:
        wrong = f"{message.raw[:SHOWN]!r} ({message.fault})"
    yield breach(f"stdout carried {wrong}", got=message.raw) if wrong else HELD


def _cut_by_us(message: Message, connection: Connection) -> bool:
    """A line that we stopped reading at our size limit, or that ended because we ended the process."""
    fault = message.fault or ""
    ended = connection.closed is not None and connection.closed.by == "suite"
    return fault.startswith("longer than") or (ended and fault.startswith("the stream ended"))


def no_message(payload: Json, connection: Connection) -> str:
    """What a JSON value is where it is no JSON-RPC message; empty where it is one."""
    if isinstance(payload, list) and payload and connection.revision == BATCHING:
        return next((wrong for each in payload if (wrong := no_message(each, connection))), "")
    if not isinstance(payload, dict):
        return f"a JSON value that is no message: {str(payload)[:SHOWN]!r}"
    if payload.get("jsonrpc") != "2.0":
        return f"a message with jsonrpc {payload.get('jsonrpc')!r}"
    if "method" not in payload and "result" not in payload and "error" not in payload:
        return "an object that is no request, notification or answer"
    return ""


@law("MC-RPC-08")
def the_server_ends_with_its_input(history: History, _: Contract) -> Iterator[Judgement]:
    """A server whose stdin was closed ends by itself, within the five seconds that it is given."""
    for connection in history.connections.values():
        closed = connection.closed
        if connection.transport == "stdio" and closed is not None and closed.lingered_ms is not None:
            saw = f"the process was still there {closed.lingered_ms} ms after its stdin was closed"
            yield holds(closed.lingered_ms < PATIENCE_MS, saw, got=closed.lingered_ms)
