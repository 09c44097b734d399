"""What a frame is to the calls of a run: a request, an answer, a contract's method over plain HTTP."""

from conformance.model.events import Json, Message
from conformance.model.exchange import Connection, Exchange

PLAIN_METHODS = "/mcp/"
"""Over plain HTTP a contract's method is the path's part after this."""
JSON = "application/json"


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
