"""MC-RPC-01 to -04: what every message is. The first of them is part of every contract's foundation."""

from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.judge.judgements import breach, told
from conformance.judge.law import law
from conformance.model.events import Json, Message
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import HELD, Judgement

HTTP_REFUSAL = 400
"""From here on an HTTP status refuses the request itself; what comes with it need be no JSON-RPC."""


@law("MC-RPC-01")
def every_request_gets_one_answer(history: History, _: Contract) -> Iterator[Judgement]:
    """Every request gets exactly one answer, which has its id and either a result or an error."""
    whole = history.footer is not None and history.footer.complete
    handshakes = {exchange.connection.id for exchange in history.exchanges if exchange.method == "initialize"}
    for exchange in history.exchanges:
        if exchange.received is None:
            # A server of the older era need not answer the question which era it speaks.
            probe = exchange.method == "server/discover" and exchange.connection.id in handshakes
            yield from _unanswered(exchange, expected=not probe and (whole or exchange.unanswered is not None))
        elif any(is_answer(extra) for extra in exchange.extras):
            yield breach("the request was answered more than once", exchange, expected=1)
        else:
            wrong = misfit(exchange) if exchange.connection.binding == "mcp" else ""
            yield breach(wrong, exchange) if wrong else HELD
    for stray in history.strays:
        payload = stray.payload
        if is_answer(stray) and isinstance(payload, dict) and payload.get("id") is not None:
            yield breach(
                f"an answer came with the id {payload.get('id')!r}, which no request has", got=payload.get("id")
            )


def _unanswered(exchange: Exchange, *, expected: bool) -> Iterator[Judgement]:
    late = [extra for extra in exchange.extras if is_answer(extra)]
    if len(late) == 1:
        yield HELD
    elif late:
        yield breach(
            "the request was answered more than once, after the time limit", exchange, expected=1, got=len(late)
        )
    elif expected:
        detail = f": {exchange.detail}" if exchange.detail else ""
        yield breach(f"{exchange.method} got {told(exchange)}{detail}", exchange)


def is_answer(message: Message) -> bool:
    """Whether a frame is an answer, rather than a notification or a request of the server's own."""
    payload = message.payload
    return isinstance(payload, dict) and "method" not in payload and ("result" in payload or "error" in payload)


def misfit(exchange: Exchange) -> str:
    """Why what came is no answer to the request; empty where it is one."""
    refused = (exchange.status or 0) >= HTTP_REFUSAL
    response = exchange.response
    if response is None:
        fault = exchange.raw.fault if exchange.raw is not None else None
        return "" if refused else f"what came is no JSON-RPC answer: {fault or 'a value that is no object'}"
    if refused and "result" not in response and response.get("id") is None:
        return ""
    asked = exchange.request.get("id") if isinstance(exchange.request, dict) else None
    given = response.get("id")
    if given != asked or type(given) is not type(asked):
        return f"the answer has the id {given!r}, the request had {asked!r}"
    return _one_of(response)


def _one_of(response: dict[str, Json]) -> str:
    if ("result" in response) == ("error" in response):
        return (
            "the answer has both a result and an error"
            if "result" in response
            else "the answer has neither result nor error"
        )
    key = "result" if "result" in response else "error"
    return "" if isinstance(response[key], dict) else f"the answer's {key} is no object"
