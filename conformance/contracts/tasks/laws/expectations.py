"""Optimistic concurrency: a write that expects a revision happens at that one and at no other."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from conformance.contract.catalogue import Contract
from conformance.contracts.tasks.beside import GUARDED, controls
from conformance.contracts.tasks.contests import Contest, contests
from conformance.contracts.tasks.guards import Expectation, Ledger, ledger
from conformance.contracts.tasks.laws.revisions import spoken
from conformance.judge.controls import Controls, but_for
from conformance.judge.faults import declined
from conformance.judge.flights import raced
from conformance.judge.judgements import breach, holds, told
from conformance.judge.law import law
from conformance.judge.memo import once
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


@dataclass(slots=True)
class Habits:
    """What a tool's guard gets wrong under its own name, with the call that shows it: other rules fall with that."""

    wary: dict[str | None, Exchange] = field(default_factory=dict)
    """Tools that refuse the current revision."""
    heedless: dict[str | None, Exchange] = field(default_factory=dict)
    """Tools that accept another one."""
    deaf: dict[str | None, Exchange] = field(default_factory=dict)
    """Tools that accept another one by its alias."""

    def of(self, call: Exchange) -> tuple[Exchange, ...]:
        """The evidence against the guard of a call's tool, where that is another call."""
        found = (self.wary.get(call.tool), self.heedless.get(call.tool))
        return tuple(each for each in found if each is not None and each is not call)


@once
def habits(history: History, contract: Contract) -> Habits:
    """Those of each tool."""
    found = Habits()
    for each in guarded(history, contract):
        if each.met and each.call.refused and each.call.code == MISMATCH:
            found.wary.setdefault(each.call.tool, each.call)
        elif each.missed and each.call.accepted:
            found.heedless.setdefault(each.call.tool, each.call)
    for each in aliased(history, contract):
        if each.missed and each.call.accepted:
            found.deaf.setdefault(each.call.tool, each.call)
    return found


@law("TK-REV-02")
def the_current_revision_is_accepted(history: History, contract: Contract) -> Iterator[Judgement]:
    """A write whose expected_revision is certainly the entity's current one is not refused for its revision."""
    known = ledger(history, contract)
    for each in guarded(history, contract):
        if each.met:
            yield from _let_through(each, known)


@law("TK-REV-03")
def another_revision_is_refused(history: History, contract: Contract) -> Iterator[Judgement]:
    """A write whose expected_revision is certainly not the current one is refused; the same with that one is accepted.

    So is a write that gives two revisions under the two names of the argument, neither of which is current. Of writes
    that overlap, there is an order in which each meets the revision that it expects.
    """
    control, usual = controls(history, contract), habits(history, contract)
    for each in guarded(history, contract):
        if each.missed or each.torn:
            wary = usual.wary.get(each.call.tool)
            yield from _held_back(each, control, *((wary,) if wary is not None else ()))
    for contest in contests(history, contract):
        yield from raced(history, contest.calls, _in_time(contest))


def _in_time(contest: Contest) -> Iterator[Judgement]:
    """Writes with and without an expectation, beside each other. Several that expect one revision are a race."""
    expected = list(contest.expected.values())
    if not expected or len({*expected}) < len(expected) or contest.order(guarded=False).possible is not True:
        return
    possible = contest.order(guarded=True).possible
    if possible is not None:
        numbers = " and ".join(map(str, expected))
        saw = (
            f"of overlapping writes to {spoken(contest.key)} those that expect revision {numbers} were accepted, "
            "and in no order of them was it at that revision then"
        )
        yield holds(possible, saw, contest.before.call, *contest.calls)


@law("TK-REV-06")
def the_alias_is_the_same(history: History, contract: Contract) -> Iterator[Judgement]:
    """A write with expected_version alone is accepted and refused as it is with expected_revision."""
    known, control, usual = ledger(history, contract), controls(history, contract), habits(history, contract)
    for each in aliased(history, contract):
        # what a tool gets wrong under the argument's own name is no fault of the alias
        if each.met:
            yield from _let_through(each, known, *usual.of(each.call))
        elif each.missed:
            yield from _held_back(each, control, *usual.of(each.call))


def _let_through(each: Expectation, known: Ledger, *habit: Exchange) -> Iterator[Judgement]:
    call = each.call
    if call.accepted:
        yield HELD
        return
    shown = (*habit, *((each.known.call,) if each.known is not None else ()))
    current = f"{each.names[0]} {each.expected}, the current revision of {spoken(each.key)},"
    saw = f"{call.tool} with {current} was {told(call)}"
    if call.code == MISMATCH:
        yield breach(saw, *shown, call, pointer="/error/code", expected="success", got=call.code)
    elif (like := known.unguarded(each)) is not None:
        yield breach(f"{saw}, and accepted without it", *shown, call, beside=like, expected="success", got=call.code)


def _held_back(each: Expectation, control: Controls, *habit: Exchange) -> Iterator[Judgement]:
    call = each.call
    shown = (*habit, *((each.known.call,) if each.known is not None else ()))
    saw = f"{call.tool} with {each.names[0]} {each.expected} was accepted: {spoken(each.key)} was at {each.current}"
    if call.accepted:
        yield breach(saw, *shown, call, expected=MISMATCH, got=told(call))
    elif declined(call) and control.beside(call, but_for(*each.names)) is not None:
        yield HELD


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
    """The answer to a write refused for its revision, and accepted without expecting one, has suggestions."""
    control = controls(history, contract)
    for call in mismatches(history, contract):
        suggestions = call.envelope.get("suggestions") if call.envelope is not None else None
        some = isinstance(suggestions, list) and bool(suggestions)
        if call.code == MISMATCH and not some:
            yield breach("a mismatch comes without suggestions", call, pointer="/suggestions", got=suggestions)
        elif some and control.beside(call, GUARDED) is not None:
            yield HELD
