"""MC-RPC-20: frames that are no request."""

from collections.abc import Iterator

from msgspec.json import encode

from conformance.contract.catalogue import Contract
from conformance.contracts.mcp.laws.asking import AT_THE_DOOR, AWAY
from conformance.contracts.mcp.laws.provoked import is_malformed, provoked
from conformance.judge.judgements import breach, holds, told
from conformance.judge.law import law
from conformance.model.events import Http, Message
from conformance.model.exchange import Aside, Exchange, tells_of_limit
from conformance.model.history import History
from conformance.model.measure import brief
from conformance.model.verdict import Judgement

CODES = (-32700, -32600)
OF_HEADERS = -32020
"""Over HTTP the headers of a frame that is no request disagree with it as well."""
FAULTY = 500
REFUSED = 400


@law("MC-RPC-20")
def what_is_no_request_does_no_harm(history: History, contract: Contract) -> Iterator[Judgement]:
    """A message that is not JSON or no request gets -32700 or -32600, HTTP 4xx, or nothing; the next request is served.

    The next request is judged where its method is accepted somewhere in the run, and one that got no answer in time
    where none of its method had waited in vain before the message.
    """
    found = provoked(history, contract)
    served = {exchange.method for exchange in history.exchanges if exchange.accepted}
    late: dict[str, int] = {}
    for exchange in history.exchanges:
        if exchange.unanswered == "time":
            late.setdefault(exchange.method, exchange.sent)
    for aside in history.asides.values():
        if not is_malformed(aside) or aside.connection.binding != "mcp":
            continue
        # as it was sent: the text of a value is JSON too
        what = brief(aside.sent.raw if aside.sent.raw is not None else encode(aside.sent.payload).decode())
        following = _next(aside, history)
        for answer in found.by(aside):
            status = (answer.http or Http()).status
            error = answer.payload.get("error") if isinstance(answer.payload, dict) else None
            if status in (*AT_THE_DOOR, *AWAY) or (isinstance(error, dict) and tells_of_limit(error)):
                continue
            wrong = _wrong(answer, status)
            yield holds(not wrong, f"a message that is no request ({what}) {wrong}", *following, got=answer.payload)
        if not following or following[0].method not in served:
            continue
        # what is late after the message may be so for its sake, on other connections as well
        slow = late.get(following[0].method, following[0].sent) < aside.sent.t
        if following[0].unanswered == "lost" or (following[0].unanswered == "time" and not slow):
            yield breach(
                f"after a message that is no request ({what}) {following[0].method} got {told(following[0])}",
                *following,
            )
        elif following[0].received is not None and not following[0].turned_away:
            saw = f"after a message that is no request ({what}) {following[0].method}: {told(following[0])}"
            yield holds(following[0].accepted, saw, *following, expected="success")


def _next(aside: Aside, history: History) -> list[Exchange]:
    return [e for e in history.exchanges if e.connection is aside.connection and e.sent > aside.sent.t][:1]


def _wrong(answer: Message, status: int | None) -> str:
    """In what an answer is not as it has to be; empty where it is."""
    if status is not None and status >= FAULTY:
        return f"was answered with HTTP {status}"
    payload = answer.payload if isinstance(answer.payload, dict) else {}
    error = payload.get("error")
    code = error.get("code") if isinstance(error, dict) else None
    if "result" in payload:
        return "was answered with a result"
    allowed = (*CODES, OF_HEADERS) if status is not None else CODES
    if code is not None and code not in allowed:
        return f"was answered with JSON-RPC error {code}"
    if code is None and payload.get("jsonrpc") == "2.0":
        lacking = "error without a code" if "error" in payload else "message without an error"
        return f"was answered with a JSON-RPC {lacking}"
    if status is not None and status < REFUSED and code is None:
        return f"was accepted with HTTP {status}"
    return ""
