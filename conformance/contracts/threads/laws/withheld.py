"""Sections 3.8 and 6: triggers that fail, by what they forbid, what configuration forbids, or who forces them."""

from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.threads.laws.wakes import Attempt, attempts
from conformance.contracts.threads.laws.waking import fails, no_fallback_later
from conformance.contracts.threads.options import options, without
from conformance.judge.judgements import HELD, MISSING, breach
from conformance.judge.law import law
from conformance.judge.settings import setting
from conformance.judge.silence import silence
from conformance.model.history import History
from conformance.model.verdict import Judgement

BEYOND = "can neither be resumed nor spawned"
DONE = ("triggered", "resumed", "spawned")


def always_falls_back(history: History, contract: Contract) -> str:
    """Why there is always a fallback: no option forbids it, and the statement says that none can be configured away."""
    header = history.header
    if header is None or not (lacks := without(history, contract, "allow_fallback")):
        return ""
    conditions = header.statement.get("conditions")
    held = conditions if isinstance(conditions, dict) else {}
    settable = held.get("means") == "meta" or "fallback" in (held.get("start") or {})
    always = header.settings.get("fallback") is True and not settable
    return f"the target always falls back (fallback = true), and {lacks}" if always else ""


def no_force(history: History, contract: Contract) -> str:
    """Why nobody can force a trigger."""
    return without(history, contract, "force")


def always_waits(history: History, contract: Contract) -> str:
    """Why a trigger can always wait."""
    return without(history, contract, "allow_defer")


@law("TH-TRIG-06", absent=no_force)
def force_is_the_operators(history: History, contract: Contract) -> Iterator[Judgement]:
    """A forced trigger by another role than human_operator, or without audit metadata, interrupts nobody who types.

    It is judged where a trigger of the same target that is not forced waits for that person. A refusal of force counts
    only where a trigger that an operator forces with audit metadata does interrupt.
    """
    asks_for_audit = "audit" in options(history, contract)
    found = [a for a in attempts(history, contract) if a.typing and a.live]
    waits = {_aim(a) for a in found if a.plain and a.deferred}
    forced = [a for a in found if a.forced]
    right = [a for a in forced if _operators(a) and (a.audited or not asks_for_audit)]
    overridden = {_aim(a): a.call for a in right if _interrupts(a)}
    wrong = {a.call.call: a for a in forced if a not in right and _aim(a) in waits}
    for attempt in wrong.values():
        call = attempt.call
        if _interrupts(attempt):
            saw = f"a trigger {_lacks(attempt)} interrupted a person"
            yield breach(saw, call, pointer="/result", got=call.given.get("result", MISSING))
        elif call.received is not None and _aim(attempt) in overridden:
            yield HELD
    yield from silence(
        [attempt.call for attempt in wrong.values()],
        lambda call: _lacks(wrong[call.call]),
        lambda call: overridden.get(_aim(wrong[call.call])),
    )


def _lacks(attempt: Attempt) -> str:
    """What is wrong with a forced trigger, in words."""
    lack = "audit metadata" if _operators(attempt) else "the operator's role"
    return f"forced without {lack}"


def _aim(attempt: Attempt) -> tuple[str, str, str]:
    """Whom it is to wake, and for which thread."""
    return attempt.call.instance, attempt.thread, attempt.target


def _operators(attempt: Attempt) -> bool:
    return attempt.call.credential.role == "human_operator"


def _interrupts(attempt: Attempt) -> bool:
    """Whether it was delivered, though somebody types."""
    return bool(attempt.wakes) or (attempt.call.accepted and not attempt.deferred)


@law("TH-TRIG-08", absent=always_falls_back)
def what_cannot_be_delivered_fails(history: History, contract: Contract) -> Iterator[Judgement]:
    """A trigger of a target that cannot be triggered live, without a fallback, is refused and wakes nobody.

    The same holds where no fallback can run: the session cannot be resumed, and none can be spawned. A trigger that
    waits for a person runs no fallback either, where none is configured; how long a request's own word about fallbacks
    holds is left open. It is judged where another trigger is served.
    """
    tried = [a for a in attempts(history, contract) if not a.forced]
    bare = [a for a in tried if not a.fallback]
    yield from fails(history, contract, (a for a in bare if unreachable(a)), "cannot be reached")
    yield from fails(history, contract, (a for a in tried if unreachable(a) and beyond_all(a)), BEYOND)
    for attempt in bare:
        configured = setting(history, attempt.call, "fallback") is not False
        if not configured and attempt.live and attempt.typing and attempt.deferred:
            yield from no_fallback_later(history, attempt)


def unreachable(attempt: Attempt) -> bool:
    """Whether the target is managed and surely out of reach, or has no session at all."""
    return attempt.session is None or (attempt.away and attempt.steady)


def beyond_all(attempt: Attempt) -> bool:
    """Whether a fallback is allowed, and none can be run.

    What a server accepts without a word of how it ended may be tried, and fail, later.
    """
    done = attempt.wakes or attempt.call.given.get("result") in DONE
    told = bool(done) if attempt.call.accepted else True
    return attempt.fallback and attempt.spawn_gone and not attempt.resumable and attempt.steady and told


@law("TH-TRIG-09", absent=always_falls_back)
def an_unmanaged_target_without_fallback_fails(history: History, contract: Contract) -> Iterator[Judgement]:
    """A trigger of an unmanaged target, without a fallback, is refused and wakes nobody.

    The same holds where its session cannot be resumed and none can be spawned. It is judged where another trigger is
    served.
    """
    tried = [a for a in attempts(history, contract) if a.unmanaged and a.steady and not a.forced]
    yield from fails(history, contract, (a for a in tried if not a.fallback), "is unmanaged")
    yield from fails(history, contract, (a for a in tried if beyond_all(a)), BEYOND)


@law("TH-TRIG-10", absent=always_waits)
def a_trigger_that_may_not_wait_fails(history: History, contract: Contract) -> Iterator[Judgement]:
    """A trigger with allow_defer false, of a live target at which a person types, is refused and delivers nothing.

    It is judged where another trigger is served.
    """
    live = (a for a in attempts(history, contract) if a.live and a.typing and a.steady)
    busy = (a for a in live if not a.may_wait and not a.forced)
    yield from fails(history, contract, busy, "is busy with a person")
