"""Promises about each answer by itself: what stands where, isError, codes, retryability, what is given back."""

from collections.abc import Iterator
from itertools import pairwise

from conformance.contract import promises as p
from conformance.contract.catalogue import Contract
from conformance.contract.saying import place
from conformance.contract.schema import satisfied, why
from conformance.judge import envelope
from conformance.judge.judgements import MISSING, breach, holds
from conformance.judge.kinds import alike
from conformance.judge.promised.calls import value, whole
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.pointer import ABSENT, at, entries
from conformance.model.verdict import Judgement


def answer(call: Exchange, _: Contract, promise: p.Answer) -> Iterator[Judgement]:
    """What stands at a place of each answer satisfies a schema."""
    if promise.profiles and call.profile not in promise.profiles:
        return
    if not _ended(call, promise.outcome):
        return
    answered = whole(call)
    if answered is ABSENT:
        if call.result is not None and promise.where == "always":
            yield breach(f"{call.tool} answers no JSON object", call, pointer="/result", got=call.result)
        return
    found = list(entries(answered, promise.at))
    if not found and "*" not in promise.at and _due(answered, promise):
        saw = f"{call.tool} answers nothing at {place(promise.at)}"
        yield breach(saw, call, pointer=promise.at, expected=promise.schema, got=MISSING)
    for pointer, shown in found:
        satisfies = satisfied(promise.schema, shown)
        if satisfies:
            yield holds(ok=True, saw="", pointer=pointer)
        elif satisfies is False:
            reason = why(promise.schema, shown)
            saw = f"{call.tool} answers {place(pointer)} against the contract" + (f": {reason}" if reason else "")
            yield breach(saw, call, pointer=pointer, expected=promise.schema, got=shown)


def _due(answered: Json, promise: p.Answer) -> bool:
    """Whether something is to stand at the promise's place."""
    if promise.where == "parent":
        return isinstance(at(answered, promise.at.rpartition("/")[0]), dict)
    return promise.where == "always"


def _ended(call: Exchange, outcome: p.Outcome) -> bool:
    """Whether a call was answered so."""
    return call.received is not None and outcome in ("any", "success" if call.accepted else "refusal")


def mirrored(call: Exchange, contract: Contract, _: p.Mirrored) -> Iterator[Judgement]:
    """The result's isError says what the envelope says; a key that is to be true or false has to be either."""
    rule = contract.envelope
    told = rule.told(call.envelope) if call.envelope is not None else None
    if rule.failure_value != "false" or isinstance(told, bool):
        yield from envelope.mirrored(call)


def catalogued(call: Exchange, contract: Contract, _: p.Catalogued) -> Iterator[Judgement]:
    """Each refusal has a code of the catalogue. What the protocol itself refuses is no answer of the tool's."""
    if not call.refused or call.result is None:
        return
    known = call.code is not None and call.code in contract.errors
    saw = f"{call.tool} is refused with {'no code' if call.code is None else f'the code {call.code}'}"
    rule = contract.envelope
    pointer = rule.code_key if rule.code_key.startswith("/") else f"/{rule.error_key}/{rule.code_key}"
    yield holds(known, saw, call, pointer=pointer, expected=sorted(contract.errors), got=call.code)


def retryable(call: Exchange, contract: Contract, promise: p.Retryable) -> Iterator[Judgement]:
    """Each refusal says of trying again what the catalogue says of its code."""
    error = contract.errors.get(call.code or "") if call.refused else None
    if error is None or error.retryable is None:
        return
    shown = at(call.envelope, promise.at)
    given = MISSING if shown is ABSENT else shown
    saw = f"{call.tool} answers {call.code} with {place(promise.at)} {given!r}"
    yield holds(given is error.retryable, saw, call, pointer=promise.at, expected=error.retryable, got=given)


def echoed(call: Exchange, _: Contract, promise: p.Echoed) -> Iterator[Judgement]:
    """An answer gives an argument back."""
    asked, answered = value(call, promise.argument), whole(call)
    if asked is ABSENT or asked is None or answered is ABSENT or not _ended(call, promise.outcome):
        return
    shown = at(answered, promise.at)
    got = MISSING if shown is ABSENT else shown
    same = alike(asked, got)
    if same is not None:
        saw = f"{call.tool} was called with another {place(promise.argument)} than its answer has"
        yield holds(same, saw, call, pointer=promise.at, expected=asked, got=got)


def ordered(call: Exchange, _: Contract, promise: p.Ordered) -> Iterator[Judgement]:
    """A list is ordered by what stands at a place of its entries."""
    listed = value(call, promise.entries)
    by = [at(each, promise.by) for each in listed] if isinstance(listed, list) else []
    numbers = all(isinstance(each, int | float) and not isinstance(each, bool) for each in by)
    texts = all(isinstance(each, str) for each in by)
    if len(by) < 2 or not (numbers or texts):  # noqa: PLR2004 -- one entry is in any order
        return
    for number, (one, other) in enumerate(pairwise(by)):
        first, second = (other, one) if promise.descending else (one, other)
        # how capital letters are sorted is a server's own
        if first > second and (numbers or first.casefold() > second.casefold()):
            saw = f"{call.tool} lists {second!r} on the wrong side of {first!r}"
            pointer = f"{promise.entries}/{number + 1}{promise.by}"
            yield breach(saw, call, pointer=pointer, expected=first, got=second)
            return
    yield holds(ok=True, saw="")
