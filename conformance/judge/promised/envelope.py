"""Promises about each answer by itself: what stands where, isError, codes, retryability, what is given back."""

from collections.abc import Iterator
from itertools import pairwise

from conformance.contract import promises as p
from conformance.contract.asked import asked_as
from conformance.contract.catalogue import Contract
from conformance.contract.misfits import Misfit, misfit
from conformance.contract.saying import place
from conformance.contract.schema import satisfied
from conformance.judge import envelope
from conformance.judge.judgements import MISSING, breach, holds
from conformance.judge.kinds import alike, spelled
from conformance.judge.promised.calls import by_the_tool, lacks, value, values, whole
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.pointer import ABSENT, ASKED, OF_EACH, at, entries, gathered
from conformance.model.verdict import HELD, Judgement

CONDITION = {"if", "then"}
TEXT = "/result/content/0/text"


def answer(call: Exchange, _: Contract, promise: p.Answer) -> Iterator[Judgement]:
    """What stands at a place of each answer satisfies a schema."""
    if promise.profiles and call.profile not in promise.profiles:
        return
    if not _ended(call, promise.outcome):
        return
    answered = whole(call)
    if answered is ABSENT:
        if by_the_tool(call) and promise.where == "always":
            got = call.result if call.result is not None else call.response
            yield breach(f"{call.tool} answers no JSON object", call, pointer="/result", got=got)
        return
    found = list(entries(answered, promise.at))
    if not found and "*" not in promise.at and due(answered, promise.at, promise.where):
        yield _against(call, promise, "", Misfit(promise.at, "", promise.schema, ABSENT))
    for pointer, shown in found:
        if not _meant(promise, shown):
            continue
        satisfies = satisfied(promise.schema, shown)
        if satisfies:
            yield HELD
        elif satisfies is False:
            found_out = misfit(promise.schema, shown) or Misfit("", "", promise.schema, shown)
            yield _against(call, promise, pointer, found_out)


def _meant(promise: p.Answer, shown: Json) -> bool:
    """Whether a schema says anything of a value: what its condition leaves out is no subject."""
    if promise.schema.keys() == CONDITION:
        return satisfied(promise.schema["if"], shown) is not False
    return isinstance(shown, dict) or not promise.only_of_objects


def _against(call: Exchange, promise: p.Answer, pointer: str, found: Misfit) -> Judgement:
    """What of an answer is against the contract, at its own place."""
    at_fault, whose = pointer + found.pointer, f" in the profile {call.profile}" if promise.profiles else ""
    expected, got = (MISSING if each is ABSENT else each for each in (found.expected, found.got))
    if found.got is ABSENT:
        saw = f"{call.tool}{whose} answers nothing at {place(at_fault)}"
    elif found.expected is ABSENT:
        saw = f"{call.tool}{whose} answers {place(at_fault)}, and nothing may stand there"
    else:
        saw = f"{call.tool}{whose} answers {place(at_fault)} against the contract" + (found.how and f": {found.how}")
    return breach(saw, call, pointer=at_fault, expected=expected, got=got)


def due(answered: Json, pointer: p.Place, where: p.Where) -> bool:
    """Whether a promise is about an answer, by what stands at its place, or what that is to stand in."""
    if where == "parent":
        return isinstance(at(answered, pointer.rpartition("/")[0]), dict)
    return where == "always" or at(answered, pointer) is not ABSENT


def _ended(call: Exchange, outcome: p.Outcome) -> bool:
    """Whether a call was answered so."""
    return call.received is not None and outcome in ("any", "success" if call.accepted else "refusal")


def mirrored(call: Exchange, contract: Contract, _: p.Mirrored) -> Iterator[Judgement]:
    """The result's isError says what the envelope says, where what stands there can tell either."""
    if call.envelope is not None and contract.envelope.tells(call.envelope):
        yield from envelope.mirrored(call)


def catalogued(call: Exchange, contract: Contract, promise: p.Catalogued) -> Iterator[Judgement]:
    """Each refusal has a code of the catalogue. What the protocol itself refuses is no answer of the tool's."""
    rule = contract.envelope
    pointer = rule.code_key if rule.code_key.startswith("/") else f"/{rule.error_key}/{rule.code_key}"
    shown = at(call.envelope, pointer)
    if call.envelope is None and rule.code_pattern:
        pointer, shown = TEXT, ABSENT if call.code is None else call.code
    if promise.where == "always":
        subject = call.refused and by_the_tool(call)
    else:
        subject = shown is not ABSENT or due(call.envelope, pointer, promise.where)
    if not subject:
        return
    known = isinstance(shown, str) and shown in contract.errors
    got = MISSING if shown is ABSENT else shown
    saw = f"{call.tool} answers {'no code' if shown is ABSENT else f'the code {shown!r}'}"
    yield holds(known, saw, call, pointer=pointer, expected=sorted(contract.errors), got=got)


def retryable(call: Exchange, contract: Contract, promise: p.Retryable) -> Iterator[Judgement]:
    """Each refusal says of trying again what the catalogue says of its code."""
    error = contract.errors.get(call.code or "") if call.refused else None
    if error is None or error.retryable is None:
        return
    if not due(call.envelope, promise.at, promise.where):
        return
    shown = at(call.envelope, promise.at)
    given = MISSING if shown is ABSENT else shown
    saw = f"{call.tool} answers {call.code} with {place(promise.at)} {given!r}"
    yield holds(given is error.retryable, saw, call, pointer=promise.at, expected=error.retryable, got=given)


def echoed(call: Exchange, contract: Contract, promise: p.Echoed) -> Iterator[Judgement]:
    """An answer gives an argument back, where its tool takes it as it is: one against its schema says nothing."""
    asked, answered = value(call, promise.argument), whole(call)
    if asked is ABSENT or asked is None or answered is ABSENT or not _ended(call, promise.outcome):
        return
    if lacks(call.arguments, promise.argument.removeprefix(ASKED)):
        return
    schema = asked_as(contract, call.tool or "", promise.argument) or {}
    if any(satisfied(schema, each) is False for each in values(call, promise.argument)):
        return
    shown = gathered(answered, promise.at)
    got = MISSING if shown is ABSENT else shown
    same = alike(asked, got)
    if same is not None:
        saw = f"{call.tool} was called with another {place(promise.argument)} than its answer has"
        yield holds(same, saw, call, pointer=promise.at.partition(OF_EACH)[0], expected=asked, got=got)


def filtered(call: Exchange, _: Contract, promise: p.Filtered) -> Iterator[Judgement]:
    """A list that is asked for with a filter shows only entries that match it."""
    asked = value(call, promise.argument)
    if asked in (None, "") or asked is ABSENT or not call.accepted:
        return
    for pointer, entry in entries(call.payload, promise.entries + OF_EACH):
        shown = at(entry, promise.by)
        if shown is not ABSENT:
            saw = f"{call.tool} called with {place(promise.argument)} {asked!r} shows an entry that does not match it"
            fits, where = _matches(shown, asked, promise.how), f"{pointer}{promise.by}"
            yield holds(fits, saw, call, pointer=where, expected=asked, got=shown)


def _matches(shown: Json, asked: Json, how: str) -> bool:
    """Whether what an entry shows is what was asked for; a filter may read over case."""
    if isinstance(shown, str) and isinstance(asked, str):
        shown, asked = shown.casefold(), asked.casefold()
    match how, shown:
        case "contains", str():
            return str(asked) in shown
        case "contains", list():
            return any(_matches(each, asked, "equal") for each in shown)
        case "begins", str():
            return shown.startswith(str(asked))
        case _:
            return alike(shown, asked) is not False


def ordered(call: Exchange, _: Contract, promise: p.Ordered) -> Iterator[Judgement]:
    """A list is ordered by what stands at a place of its entries."""
    for pointer, listed in entries(call.payload, promise.entries) if call.accepted else ():
        yield from _in_order(call, promise, pointer, listed)


def _in_order(call: Exchange, promise: p.Ordered, where: str, listed: Json) -> Iterator[Judgement]:
    by = [at(each, promise.by) for each in listed] if isinstance(listed, list) else []
    numbers = all(isinstance(each, int | float) and not isinstance(each, bool) for each in by)
    texts = all(isinstance(each, str) for each in by)
    # entries that show the same are in any order, and so is one alone
    if not (numbers or texts) or len({spelled(each) for each in by}) < 2:  # noqa: PLR2004 -- two that differ
        return
    for number, (one, other) in enumerate(pairwise(by)):
        first, second = (other, one) if promise.descending else (one, other)
        # how capital letters are sorted is a server's own
        if first > second and (numbers or first.casefold() > second.casefold()):
            saw = f"{call.tool} lists {second!r} on the wrong side of {first!r}"
            yield breach(saw, call, pointer=f"{where}/{number + 1}{promise.by}", expected=first, got=second)
            return
    yield HELD
