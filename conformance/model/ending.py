"""How a call ended, in words: for whoever reads what was seen."""

import msgspec

from conformance.model.events import Json, Message
from conformance.model.exchange import WORDED_WITHIN, Exchange

UNANSWERED = {
    "time": "no answer within the time limit",
    "size": "an answer beyond the size limit",
    "cancelled": "no answer after it was cancelled",
    "killed": "no answer as its server was killed",
}
REFUSED_FROM = 400
"""From here on an HTTP status refuses the request."""
LONGEST_MESSAGE = 200
LARGE = 65_536
"""Octets of a message beyond which some readers of lines read no further."""


def told(exchange: Exchange) -> str:
    """How a call ended: success, refused with CODE, no answer within the time limit."""
    if exchange.received is None:
        how = _died(exchange) or UNANSWERED.get(exchange.unanswered or "", "no answer")
        return f"{how}{if_large(exchange)}"
    if exchange.raw is not None:
        status = f" with HTTP {exchange.status}" if (exchange.status or 0) >= REFUSED_FROM else ""
        return f"{_instead(exchange.raw)}{status}"
    if exchange.failed:
        return _refused(exchange)
    return "a question back" if exchange.asks_back else "success"


def if_large(exchange: Exchange) -> str:
    """How many octets a request that got no answer has, where it is large: `_meta`, which is not shown, may be long."""
    octets = len(msgspec.json.encode(exchange.request)) if exchange.request is not None else 0
    return f", to a message of {octets:,} octets" if octets > LARGE else ""


def _died(exchange: Exchange) -> str:
    """That the server's process ended before it answered; empty where it did not."""
    closed = exchange.connection.closed
    if exchange.unanswered != "lost" or closed is None or closed.by != "server" or closed.exit is None:
        return ""
    how = f"with status {closed.exit}" if closed.exit >= 0 else f"by signal {-closed.exit}"
    return f"no answer: the server's process ended {how}"


def _instead(message: Message) -> str:
    if message.raw is not None:
        return "an answer that is no JSON"
    if not isinstance(message.payload, dict):
        return "an answer that is no object"
    # some servers give errors that they tie to no request an id of their own
    return "an error under another id" if "error" in message.payload else "the answer to another request"


def _refused(exchange: Exchange) -> str:
    if exchange.code is not None:
        return f"refused with {exchange.code}"
    if exchange.protocol_code is not None:
        return f"refused with JSON-RPC error {exchange.protocol_code}"
    if (exchange.status or 0) >= REFUSED_FROM:
        return f"refused with HTTP {exchange.status}"
    return "refused"


def detail(exchange: Exchange) -> str:
    """What is known of a silence besides how the call ended; of a process that ended its last words."""
    return exchange.detail.partition("; ")[2] if _died(exchange) else exchange.detail


def reason(exchange: Exchange) -> str:
    """What the server itself says of a refusal or a silence, on one line and cut; empty where it says nothing."""
    if exchange.received is None:
        return detail(exchange)[:LONGEST_MESSAGE]
    if exchange.raw is not None:
        return words_of(exchange.raw)
    return _on_one_line(_message(exchange)) if exchange.failed else ""


def words_of(message: Message) -> str:
    """What a response that is no answer says, on one line and cut: the message of its error, else its text."""
    said = _said(message.payload.get("error") if isinstance(message.payload, dict) else None)
    return _on_one_line(message.raw or "" if said is None else said)


def _on_one_line(text: str) -> str:
    return " ".join(text[:WORDED_WITHIN].split())[:LONGEST_MESSAGE]


def _said(error: Json) -> str | None:
    """The message of an error, and the text beside it where some servers say the rest; None where it has no message."""
    message = error.get("message") if isinstance(error, dict) else None
    if not isinstance(error, dict) or not isinstance(message, str):
        return None
    beside = error.get("data")
    return f"{message}: {beside}" if isinstance(beside, str) and beside.strip() and beside not in message else message


def _message(exchange: Exchange) -> str:
    said = _said(exchange.envelope.get("error") if exchange.envelope is not None else exchange.error)
    if said is not None:
        return said
    blocks = (exchange.result or {}).get("content")
    texts = [block.get("text") for block in blocks if isinstance(block, dict)] if isinstance(blocks, list) else []
    return next((text for text in texts if isinstance(text, str)), "")


def ended(exchange: Exchange) -> str:
    """The same as the end of a sentence: was refused with UNAUTHORIZED ("unknown audience")."""
    verb = "succeeded" if exchange.accepted else f"{'was' if exchange.refused else 'got'} {explained(exchange)}"
    return f"got {explained(exchange)}" if exchange.raw is not None else verb


def explained(exchange: Exchange) -> str:
    """How a call ended, with what the server says of it: refused with UNAUTHORIZED ("unknown audience")."""
    said = reason(exchange)
    return f'{told(exchange)} ("{said}")' if said else told(exchange)
