"""How a law words its judgement. Each gives HELD or a breach with its evidence."""

from typing import TypedDict, Unpack

from conformance.model.ending import told as told
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.verdict import HELD as HELD
from conformance.model.verdict import UNSAID, Judgement

MISSING = "(absent)"


class Evidence(TypedDict, total=False):
    """What is told of a breach besides."""

    beside: Exchange | None
    pointer: str
    expected: Json
    got: Json


def breach(
    saw: str,
    *exchanges: Exchange,
    beside: Exchange | None = None,
    pointer: str = "",
    expected: Json = UNSAID,
    got: Json = None,
) -> Judgement:
    """The rule is broken: what was seen, and the calls that show it, the one with the breach last.

    `beside` is a sound call without which the others would show nothing: their control.
    """
    calls = tuple(exchange.call for exchange in exchanges)
    sound = (beside.call,) if beside is not None else ()
    return Judgement(ok=False, saw=saw, expected=expected, got=got, calls=calls, pointer=pointer, beside=sound)


def holds(ok: object, saw: str, *exchanges: Exchange, **evidence: Unpack[Evidence]) -> Judgement:
    """HELD where `ok` is true, else the breach. `saw` tells what was seen where it is not."""
    return HELD if ok else breach(saw, *exchanges, **evidence)


def unjudged(why: str) -> Judgement:
    """Nothing can be said of this element, and why: it is too large or too deep, or its schema leaves it open."""
    return Judgement(ok=True, saw=why, judged=False)


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
