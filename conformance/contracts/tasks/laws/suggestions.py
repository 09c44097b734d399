"""Suggestions: calls that an answer hands to its caller, to be executed as they are."""

from collections import defaultdict
from collections.abc import Hashable, Iterator

from conformance.contract.catalogue import Contract
from conformance.contract.schema import compiled, why
from conformance.contracts.tasks.entities import Key, entities
from conformance.contracts.tasks.guards import Expectation, Ledger, ledger
from conformance.contracts.tasks.known import known as faulty
from conformance.contracts.tasks.laws.expectations import habits
from conformance.contracts.tasks.laws.revisions import spoken
from conformance.contracts.tasks.suggested import Suggestion, following, suggestions
from conformance.judge.epochs import epochs
from conformance.judge.faults import declined
from conformance.judge.judgements import MISSING, breach, holds, told
from conformance.judge.kinds import integer, spelled
from conformance.judge.law import exchange_law, law
from conformance.judge.served import served
from conformance.model.events import Json
from conformance.model.exchange import INVALID_PARAMS, Exchange
from conformance.model.history import History
from conformance.model.verdict import HELD, Judgement

INVALID = ("INVALID_INPUT", "INVALID_NAME")
MISMATCH = "REVISION_MISMATCH"
NOTHING: tuple[Json, ...] = (None, "", {}, [])


@law("TK-SUG-02")
def suggested_tools_are_listed(history: History, contract: Contract) -> Iterator[Judgement]:
    """The target of a suggestion to call a tool is a tool that the server lists."""
    listed = served(history, contract)
    for call in history.calls():
        for suggestion in suggestions(call):
            target = suggestion.target
            if target is None:
                continue
            if listed.tool(call, target) is not None:
                yield HELD
            elif listed.unknown(call, target):
                pointer = f"{suggestion.pointer}/target"
                yield breach(f"{target!r} is suggested and not listed", call, pointer=pointer, got=target)


@law("TK-SUG-03")
def validated_params_are_valid(history: History, contract: Contract) -> Iterator[Judgement]:
    """The params of a suggestion that says it is validated satisfy the input schema that its target is listed with."""
    listed = served(history, contract)
    for call in history.calls():
        for suggestion in suggestions(call):
            target, params = suggestion.target, suggestion.params
            tool = listed.tool(call, target) if target is not None else None
            if tool is not None and params is not None and suggestion.given.get("validated") is True:
                yield from _valid(call, suggestion, tool.input_schema)


def _valid(call: Exchange, suggestion: Suggestion, schema: Json) -> Iterator[Judgement]:
    try:
        valid = compiled(schema).is_valid(suggestion.params)
    except ValueError:  # a schema that is none, or a text that is no Unicode
        return
    if valid:
        yield HELD
    else:
        fault = why(schema, suggestion.params)
        saw = f"the params suggested for {suggestion.target} break its schema: {fault}"
        yield breach(saw, call, pointer=f"{suggestion.pointer}/params", got=suggestion.params)


@law("TK-SUG-04")
def suggestions_can_be_executed(history: History, contract: Contract) -> Iterator[Judgement]:
    """A call made as suggested, with nothing written since, is not refused for its arguments."""
    listed, followed = served(history, contract), following(history, contract)
    for call in history.calls():
        for suggestion in suggestions(call):
            made = followed.of(call, suggestion)
            if made is not None and not listed.unknown(made):
                invalid = made.refused and (made.code in INVALID or made.protocol_code == INVALID_PARAMS)
                saw = f"{made.tool}, called as {call.tool} had suggested, was {told(made)}"
                yield holds(not invalid, saw, call, made, pointer="/error/code", got=made.code)


@exchange_law("TK-SUG-05")
def an_error_says_how_to_recover(call: Exchange, contract: Contract) -> Iterator[Judgement]:
    """A refusal with one of the contract's codes has a recovery, or suggests calls."""
    if not call.refused or call.envelope is None or call.code not in contract.errors:
        return
    error = call.envelope.get("error")
    hint = error.get("recovery") if isinstance(error, dict) else None
    helps = hint not in NOTHING or call.envelope.get("suggestions") not in NOTHING
    saw = f"{call.code} comes with neither recovery nor suggestions"
    yield holds(helps, saw, call, pointer="/error/recovery", got=hint if hint is not None else MISSING)


@law("TK-SUG-06")
def a_mismatch_leads_to_a_write(history: History, contract: Contract) -> Iterator[Judgement]:
    """What a mismatch suggests to read shows the entity's revision, and the same write with that one is accepted."""
    known, followed, when = ledger(history, contract), following(history, contract), epochs(history, contract)
    faults = faulty(history, contract)
    writes: dict[Hashable, list[Expectation]] = defaultdict(list)
    for each in known.expectations:
        writes[_sense(each, known)].append(each)
    for missed in known.expectations:
        call = missed.call
        # where the call has another fault as well, that one may be what is answered
        missed_alone = missed.missed and faults.faults(call).codes == {MISMATCH} and not faults.faults(call).open
        if not call.refused or not (call.code == MISMATCH or missed_alone):
            continue
        offered = list(suggestions(call))
        made = (followed.of(call, each) for each in offered)
        reads = [read for read in made if read is not None and (read.accepted or declined(read))]
        shown = {number: read for read in reads for number in _shown(read, missed.key)}
        if not shown and offered and len(reads) == len(offered):
            saw = f"nothing that the mismatch suggests shows a revision of {spoken(missed.key)}"
            yield breach(saw, call, *reads, pointer="/suggestions")
        for again in writes[_sense(missed, known)]:
            read, retry = shown.get(again.expected), again.call
            if retry.refused and retry.code != MISMATCH and not faults.good(retry):
                # the revision was right, and something else was not
                continue
            if read is not None and read.before(retry) and retry.received and when.met(retry) == when.met(call):
                saw = f"{retry.tool} with revision {again.expected}, read as suggested, was {told(retry)}"
                # where the guard takes every revision for another one, that is why
                evidence = (*habits(history, contract).of(retry), call, read, retry)
                yield holds(retry.accepted, saw, *evidence, expected="success", got=retry.code)
                break


def _sense(each: Expectation, known: Ledger) -> Hashable:
    """Equal for writes that differ in the expected revision alone."""
    guards = known.guard_names(each.call)
    rest = {name: value for name, value in each.call.arguments.items() if name not in guards}
    return each.call.instance, each.call.tool, spelled(rest)


def _shown(read: Exchange, key: Key) -> Iterator[int]:
    for seen in entities(read):
        number = integer(seen.revision)
        if seen.key == key and number is not None:
            yield number
