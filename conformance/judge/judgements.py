"""How a law words its judgement. Each gives HELD or a breach with its evidence."""

import re
from typing import TypedDict, Unpack

from conformance.model.ending import told as told
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.pointer import ABSENT, EACH, at, steps
from conformance.model.verdict import HELD as HELD
from conformance.model.verdict import UNSAID, Judgement

MISSING = "(absent)"
"""In the place of a value where an answer has none: null would be one."""
OUTSIDE = ("params", EACH)
"""Steps of pointers that lead into no answer, or to several places in it."""
_NOTHING = re.compile(r"\b(is|are|has the id) None\b")


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
    got: Json = UNSAID,
) -> Judgement:
    """The rule is broken: what was seen, and the calls that show it, the one with the breach last.

    `beside` is a sound call without which the others would show nothing: their control. A `got` of null is told as
    null only where the answer may hold one: where nothing stands at the pointer it is told as missing.
    """
    calls = tuple(exchange.call for exchange in exchanges)
    if got is None:
        lacking = bool(exchanges) and _lacks(exchanges[-1], pointer)
        got = MISSING if lacking else None
        saw = _NOTHING.sub(rf"\1 {'missing' if lacking else 'null'}", saw)
    sound = (beside.call,) if beside is not None else ()
    return Judgement(ok=False, saw=saw, expected=expected, got=got, calls=calls, pointer=pointer, beside=sound)


def _lacks(exchange: Exchange, pointer: str) -> bool:
    """Whether an answer has nothing at a place, in the message as in the envelope."""
    if not pointer.startswith("/") or set(OUTSIDE).intersection(steps(pointer)):
        return False
    roots = (exchange.response, exchange.result, exchange.envelope, exchange.payload)
    return all(at(root, pointer) is ABSENT for root in roots)


def holds(ok: object, saw: str, *exchanges: Exchange, **evidence: Unpack[Evidence]) -> Judgement:
    """HELD where `ok` is true, else the breach. `saw` tells what was seen where it is not."""
    return HELD if ok else breach(saw, *exchanges, **evidence)


def unjudged(why: str) -> Judgement:
    """Nothing can be said of this element, and why: it is too large or too deep, or its schema leaves it open."""
    return Judgement(ok=True, saw=why, judged=False)


def withheld(why: str) -> Judgement:
    """Nothing can be said of this element, and why; without it the requirement was not seen to hold."""
    return Judgement(ok=True, saw=why, judged=False, withholds=True)


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
