"""What a frame is to the calls of a run: a request, an answer, a contract's method over plain HTTP."""

from typing import NamedTuple

from conformance.model.events import Json, Message
from conformance.model.exchange import Connection, Exchange

PLAIN_METHODS = "/mcp/"
"""Over plain HTTP a contract's method is the path's part after this."""
JSON = "application/json"


class Asked(NamedTuple):
    """What a request asks for."""

    method: str
    """The JSON-RPC method; over plain HTTP tools/call for the contract's methods, else the HTTP method and path."""
    tool: str | None = None
    arguments: Json = None


def asked_by(message: Message, connection: Connection) -> Asked:
    """What a frame that was sent for a call asks for."""
    payload = message.payload
    if connection.binding == "http":
        return _plainly(message, connection)
    if not isinstance(payload, dict):
        return Asked("")
    method, params = payload.get("method", ""), payload.get("params")
    if method != "tools/call" or not isinstance(params, dict):
        return Asked(method)
    called = params.get("name")
    return Asked(method, called if isinstance(called, str) else None, params.get("arguments"))


def _plainly(message: Message, connection: Connection) -> Asked:
    """The same over plain HTTP, where the path names the method."""
    path = (message.http.path or "").partition("?")[0] if message.http is not None else ""
    verb = message.http.method or "" if message.http is not None else ""
    if verb == "POST" and is_method(path, connection) and is_json(message):
        return Asked("tools/call", path.rpartition(PLAIN_METHODS)[2], message.payload)
    return Asked(f"{verb} {path}")


def is_method(path: str, connection: Connection) -> bool:
    """Whether a path is that of a method: under the endpoint's own, where that is on record."""
    return PLAIN_METHODS in path if connection.path is None else path.startswith(f"{connection.path}{PLAIN_METHODS}")


def is_json(message: Message) -> bool:
    """Whether a request's body is JSON, and says so."""
    headers = message.http.headers if message.http is not None else {}
    return message.raw is None and headers.get("content-type", JSON).partition(";")[0].strip().lower() == JSON


def answers(message: Message, exchange: Exchange) -> bool:
    """A frame answers a call unless it is a notification or a request of the server's own."""
    if exchange.connection.binding == "http" or message.raw is not None:
        return True
    return not (isinstance(message.payload, dict) and "method" in message.payload)


def is_request(message: Message) -> bool:
    """Whether a frame is a request: it names a method, and an id under which it wants an answer."""
    payload = message.payload
    return isinstance(payload, dict) and "method" in payload and payload.get("id") is not None


def made_under(number: Json, exchange: Exchange) -> bool:
    """Whether a call was made under this JSON-RPC id."""
    made = exchange.request.get("id") if isinstance(exchange.request, dict) else None
    return made is not None and type(made) is type(number) and bool(made == number)
