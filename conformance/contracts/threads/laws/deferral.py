"""Section 3.8, collision policy: a trigger waits for a person to stop typing, and not for ever."""

from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.threads.laws.registry import MARGIN_S
from conformance.contracts.threads.laws.waiting import Waits
from conformance.contracts.threads.laws.wakes import asked_once, attempts
from conformance.contracts.threads.laws.waking import any_trigger
from conformance.judge.faults import stumbled
from conformance.judge.instants import instant
from conformance.judge.judgements import HELD, MISSING, breach, told
from conformance.judge.kinds import text
from conformance.judge.law import law
from conformance.judge.settings import number
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import Judgement


@law("TH-TRIG-04")
def a_busy_target_defers(history: History, contract: Contract) -> Iterator[Judgement]:
    """A trigger of a managed live target at which a person types is answered deferred, with a reason and a time.

    One that was told to wait more than 60 s before is no subject.
    """
    look, waits = any_trigger(history, contract), Waits(history, contract)
    typing = [a for a in attempts(history, contract) if a.live and a.typing and a.plain and a.steady]
    for attempt in typing:
        call = attempt.call
        if waits.over(attempt):
            continue
        if call.accepted:
            yield _deferred(call)
        elif stumbled(call, (each.call for each in typing)):
            continue
        elif call.refused and call.code != "RATE_LIMITED" and (like := look(call)) is not None:
            yield breach(f"the trigger of a target that is busy with a person ended as {told(call)}", call, beside=like)


def _deferred(call: Exchange) -> Judgement:
    given = call.given
    if given.get("result") != "deferred":
        got = given.get("result", MISSING)
        saw = f"result is {got!r} while a person types at the target"
        return breach(saw, call, pointer="/result", expected="deferred", got=got)
    if text(given.get("defer_reason")) is None:
        got = given.get("defer_reason", MISSING)
        return breach("a deferred trigger says no reason", call, pointer="/defer_reason", got=got)
    if text(given.get("deferred_until")) is None:
        got = given.get("deferred_until", MISSING)
        return breach("a deferred trigger does not say until when", call, pointer="/deferred_until", got=got)
    return HELD


@law("TH-TRIG-05")
def a_deferral_ends_with_quiet(history: History, contract: Contract) -> Iterator[Judgement]:
    """A deferred trigger is delivered within 5 s once nobody has typed for 20 s, no sooner, and after 60 s at most."""
    waits = Waits(history, contract)
    for attempt in attempts(history, contract):
        call, given = attempt.call, attempt.call.given
        asked = instant(given.get("triggered_at"))
        if not attempt.deferred or asked is None:
            continue
        until = instant(given.get("deferred_until"))
        if until is not None:
            longest = number(history, contract, call, "max_defer_s") + MARGIN_S
            saw = f"deferred_until is {until - asked:g} s after triggered_at"
            ok = 0 <= until - asked <= longest
            yield HELD if ok else breach(saw, call, pointer="/deferred_until", got=given["deferred_until"])
        if attempt.live and not attempt.forced and (attempt.typing or waits.busy(attempt)):
            yield from waits.asked_again(attempt)
            if asked_once(history, attempt):
                yield from waits.ended(attempt, asked)
