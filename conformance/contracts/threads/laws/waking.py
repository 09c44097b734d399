"""Triggers that are to succeed, and triggers that are to fail: both judged beside one that was served."""

from collections.abc import Iterable, Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.threads.laws.allowed import allowed, likes
from conformance.contracts.threads.laws.evidence import LIVE
from conformance.contracts.threads.laws.wakes import Attempt, asked_once, attempts, delivered
from conformance.contracts.threads.options import options
from conformance.judge.conditional import Beside
from conformance.judge.controls import ButFor
from conformance.judge.faults import declined, stumbled
from conformance.judge.judgements import HELD, MISSING, breach, told
from conformance.model.history import History
from conformance.model.verdict import Judgement

ASKED = ("thread_id", "target_agent_id", "trigger_prompt", "reason")
CONDITIONS = frozenset({"human_input", "runtime_down", "resume_unavailable", "spawn_unavailable", "clock"})


def any_trigger(history: History, contract: Contract) -> Beside:
    """Finds a trigger that was served, of whatever target, by whomever and under whatever conditions."""
    names = frozenset((*ASKED, *options(history, contract).values()))
    differing = ButFor(arguments=names, caller=True, conditions=CONDITIONS)
    accepted = likes(history, contract)
    return lambda call: accepted.beside(call, differing)


def served_attempts(history: History, contract: Contract) -> Iterator[Attempt]:
    """Answered triggers that leave the way to the server."""
    for attempt in attempts(history, contract):
        if attempt.plain and attempt.call.received is not None:
            yield attempt


def woken(history: History, contract: Contract, tried: Iterable[Attempt], what: str) -> Iterator[Attempt | Judgement]:
    """Those that were accepted. A refusal is a breach where nothing speaks against it and another trigger is served."""
    good, look = allowed(history, contract), any_trigger(history, contract)
    made = list(tried)
    for attempt in made:
        call = attempt.call
        if call.accepted:
            yield attempt
        elif call.call in good and (like := look(call)) is not None:
            if stumbled(call, (each.call for each in made)):
                continue
            yield breach(f"the trigger {what} ended as {told(call)}", call, beside=like, expected="success")


def fails(history: History, contract: Contract, tried: Iterable[Attempt], why: str) -> Iterator[Judgement]:
    """Each of these is refused, and wakes nobody, then or later. It is judged where another trigger is served."""
    look = any_trigger(history, contract)
    for attempt in tried:
        call = attempt.call
        if call.received is None:
            continue
        later = delivered(history, attempt) if asked_once(history, attempt) else list(attempt.wakes)
        if call.accepted:
            got = call.given.get("result", MISSING)
            yield breach(f"the trigger succeeded though its target {why}", call, pointer="/result", got=got)
        elif later:
            reporter = history.find(later[0].call) or call
            saw = f"the trigger was refused, and its prompt delivered by {later[0].data.get('means')}"
            yield breach(saw, call, reporter, got=later[0].data)
        elif declined(call) and look(call) is not None:
            yield HELD


def no_fallback_later(history: History, attempt: Attempt) -> Iterator[Judgement]:
    """A trigger that waits, and has no fallback, resumes and spawns no session while it waits nor afterwards."""
    if asked_once(history, attempt):
        other = [wake for wake in delivered(history, attempt) if wake.data.get("means") != LIVE]
        if other:
            reporter = history.find(other[0].call) or attempt.call
            saw = f"the trigger has no fallback, and its prompt was delivered by {other[0].data.get('means')}"
            yield breach(saw, attempt.call, reporter, got=other[0].data)
        elif any(wake.instance == attempt.call.instance for wake in history.effects if wake.kind == "wake"):
            yield HELD
