"""Optimistic concurrency: a write that expects a revision happens at that one and at no other."""

from collections.abc import Iterator, Sequence

from conformance.contract.catalogue import Contract
from conformance.contracts.tasks.changes import changes
from conformance.contracts.tasks.guards import Expectation, Ledger, ledger
from conformance.contracts.tasks.laws.revisions import spoken
from conformance.judge.epochs import epochs
from conformance.judge.judgements import breach, holds, told
from conformance.judge.law import law
from conformance.judge.unchanged import unchanged
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import HELD, Judgement

GUARD = "expected_revision"
ALIAS = "expected_version"
MISMATCH = "REVISION_MISMATCH"


def guarded(history: History, contract: Contract) -> Iterator[Expectation]:
    """Answered writes that give expected_revision, the alias beside it or not."""
    expectations = ledger(history, contract).expectations
    return (each for each in expectations if GUARD in each.names and each.call.received is not None)


def aliased(history: History, contract: Contract) -> Iterator[Expectation]:
    """Answered writes that give the alias alone."""
    expectations = ledger(history, contract).expectations
    return (each for each in expectations if each.names == (ALIAS,) and each.call.received is not None)


@law("TK-REV-02")
def the_current_revision_is_accepted(history: History, contract: Contract) -> Iterator[Judgement]:
    """A write whose expected_revision is the one that the entity surely has is not refused for its revision."""
    known = ledger(history, contract)
    for each in guarded(history, contract):
        if each.met:
            yield from _let_through(each, known)


@law("TK-REV-03")
def another_revision_is_refused(history: History, contract: Contract) -> Iterator[Judgement]:
    """A write whose expected_revision is not the one that the entity surely has is refused."""
    for each in guarded(history, contract):
        if each.missed:
            yield _held_back(each)


@law("TK-REV-06")
def the_alias_is_the_same(history: History, contract: Contract) -> Iterator[Judgement]:
    """A write with expected_version alone is accepted and refused as it is with expected_revision."""
    known = ledger(history, contract)
    # what a tool gets wrong under the argument's own name is no fault of the alias
    own = list(guarded(history, contract))
    wary = {each.call.tool for each in own if each.met and each.call.refused}
    heedless = {each.call.tool for each in own if each.missed and each.call.accepted}
    for each in aliased(history, contract):
        if each.met and each.call.tool not in wary:
            yield from _let_through(each, known)
        elif each.missed and each.call.tool not in heedless:
            yield _held_back(each)


def _let_through(each: Expectation, known: Ledger) -> Iterator[Judgement]:
    call = each.call
    if call.accepted:
        yield HELD
        return
    shown = (each.known.call,) if each.known is not None else ()
    current = f"{each.names[0]} {each.expected}, the current revision of {spoken(each.key)},"
    saw = f"{call.tool} with {current} was {told(call)}"
    if call.code == MISMATCH:
        yield breach(saw, *shown, call, pointer="/error/code", expected="success", got=call.code)
    elif (like := known.unguarded(call)) is not None:
        yield breach(f"{saw}, and accepted without it", *shown, like, call, expected="success", got=call.code)


def _held_back(each: Expectation) -> Judgement:
    call = each.call
    shown = (each.known.call,) if each.known is not None else ()
    saw = f"{call.tool} with {each.names[0]} {each.expected} was accepted: {spoken(each.key)} was at {each.current}"
    return holds(call.refused, saw, *shown, call, expected=MISMATCH, got=told(call))


def mismatches(history: History, contract: Contract) -> Iterator[Exchange]:
    """Refusals of an expected revision: by what the revision surely was, or by the code."""
    missed = {each.call.call for each in ledger(history, contract).expectations if each.missed and each.call.refused}
    return (call for call in history.calls() if call.call in missed or (call.refused and call.code == MISMATCH))


@law("TK-REV-04")
def a_mismatch_changes_nothing(history: History, contract: Contract) -> Iterator[Judgement]:
    """Two equal reads around a write refused for its revision, with no other write between them, show the same."""
    yield from unchanged(history, contract, mismatches(history, contract))


@law("TK-REV-05")
def a_mismatch_suggests(history: History, contract: Contract) -> Iterator[Judgement]:
    """The answer to a write refused for its revision has suggestions."""
    for call in mismatches(history, contract):
        suggestions = call.envelope.get("suggestions") if call.envelope is not None else None
        some = isinstance(suggestions, list) and bool(suggestions)
        if some or call.code == MISMATCH:
            yield holds(some, "a mismatch comes without suggestions", call, pointer="/suggestions", got=suggestions)


@law("TK-REV-07")
def one_of_many_writers_wins(history: History, contract: Contract) -> Iterator[Judgement]:
    """Of overlapping writes that expect the same revision of an entity exactly one is accepted."""
    known = ledger(history, contract)
    changed = changes(history, contract)
    for group in _races(known):
        calls = [each.call for each in group]
        winners = [call for call in calls if call.accepted and call.call in changed.of]
        answered = all(call.received is not None for call in calls)
        what = f"{len(calls)} concurrent writes to {spoken(group[0].key)} that expect revision {group[0].expected}"
        if winners:
            saw = f"{len(winners)} of {what} were accepted"
            yield holds(len(winners) == 1, saw, *winners, expected=1, got=len(winners))
        elif answered and all(call.code == MISMATCH for call in calls) and _current(group, known, history, contract):
            yield breach(f"none of {what} was accepted, though it is the current one", *calls, expected=1, got=0)


def _races(known: Ledger) -> Iterator[list[Expectation]]:
    """Two or more writes of one expectation, each of which overlaps the first."""
    groups: dict[object, list[Expectation]] = {}
    for each in known.expectations:
        group = groups.setdefault((known.name(each.call, each.key), each.expected), [])
        if not group or not group[0].call.before(each.call):
            group.append(each)
    return (group for group in groups.values() if len(group) > 1)


def _current(group: Sequence[Expectation], known: Ledger, history: History, contract: Contract) -> bool:
    """Whether the entity surely had the expected revision when the first of the writes was sent."""
    first, members = group[0].call, {each.call.call for each in group}
    seen = [one for one in known.sightings.get(known.name(first, group[0].key), ()) if one.call.before(first)]
    if not seen or seen[-1].revision != group[0].expected:
        return False
    others = (call for call in epochs(history, contract).writes(first) if call.call not in members)
    last = seen[-1].call
    return all(call is last or call.before(last) or first.before(call) for call in others)
