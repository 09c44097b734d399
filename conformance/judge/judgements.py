"""How a law words its judgement. Each gives HELD or a breach with its evidence."""

from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.verdict import HELD as HELD
from conformance.model.verdict import Judgement

MISSING = "(absent)"


def breach(saw: str, *exchanges: Exchange, pointer: str = "", expected: Json = None, got: Json = None) -> Judgement:
    """The rule is broken: what was seen, and the calls that show it, the one with the breach last."""
    calls = tuple(exchange.call for exchange in exchanges)
    return Judgement(ok=False, saw=saw, expected=expected, got=got, calls=calls, pointer=pointer)


def holds(
    ok: object, saw: str, *exchanges: Exchange, pointer: str = "", expected: Json = None, got: Json = None
) -> Judgement:
    """HELD where `ok` is true, else the breach. `saw` tells what was seen where it is not."""
    return HELD if ok else breach(saw, *exchanges, pointer=pointer, expected=expected, got=got)


def same(replay: Exchange, original: Exchange, *fields: str) -> Judgement:
    """The two answers agree in these fields of their payloads."""
    for name in fields:
        first, second = original.given.get(name, MISSING), replay.given.get(name, MISSING)
        if first != second or type(first) is not type(second):
            return breach(
                f"{name} is {second!r}, the first answer had {first!r}",
                original,
                replay,
                pointer=f"/{name}",
                expected=first,
                got=second,
            )
    return HELD


def told(exchange: Exchange) -> str:
    """How a call ended, in words: for the sentence that says what was seen."""
    if exchange.received is None:
        return {"time": "no answer within the time limit", "size": "an answer beyond the size limit"}.get(
            exchange.unanswered or "", "no answer"
        )
    if exchange.raw is not None:
        return "an answer that is no JSON"
    if not exchange.failed:
        return "success"
    if exchange.code is not None:
        return f"refused with {exchange.code}"
    if exchange.protocol_code is not None:
        return f"refused with JSON-RPC error {exchange.protocol_code}"
    return f"refused with HTTP {exchange.status}" if exchange.status and exchange.status >= 400 else "refused"  # noqa: PLR2004
