"""Section 3.8, collision policy: a trigger waits for a person to stop typing, and not for ever."""

from collections.abc import Iterator
from dataclasses import dataclass

from conformance.contract.catalogue import Contract
from conformance.contracts.threads.laws.registry import MARGIN_S, QUIET_S
from conformance.contracts.threads.laws.wakes import Attempt, asked_once, attempts, delivered, reports_wakes
from conformance.judge.calendar import Calendar
from conformance.judge.circumstances import Circumstances
from conformance.judge.instants import instant
from conformance.judge.judgements import HELD, MISSING, breach, told
from conformance.judge.kinds import text
from conformance.judge.law import law
from conformance.model.events import Effect
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import Judgement

LOOK_S = 5.0
LONGEST_S = 60.0
AROUND = ("runtime_down", "resume_unavailable", "spawn_unavailable")


@law("TH-TRIG-04")
def a_busy_target_defers(history: History, contract: Contract) -> Iterator[Judgement]:
    """A trigger of a managed live target at which a person types is answered deferred, with a reason and an instant."""
    for attempt in attempts(history, contract):
        call, given = attempt.call, attempt.call.given
        if not (attempt.live and attempt.typing and attempt.plain) or call.received is None or attempt.turned_away:
            continue
        if call.refused:
            yield breach(f"the trigger of a target that is busy with a person ended as {told(call)}", call)
        elif given.get("result") != "deferred":
            saw = f"result is {given.get('result', MISSING)!r} while a person types at the target"
            yield breach(saw, call, pointer="/result", expected="deferred", got=given.get("result", MISSING))
        elif text(given.get("defer_reason")) is None:
            got = given.get("defer_reason", MISSING)
            yield breach("a deferred trigger says no reason", call, pointer="/defer_reason", got=got)
        elif text(given.get("deferred_until")) is None:
            got = given.get("deferred_until", MISSING)
            yield breach("a deferred trigger does not say until when", call, pointer="/deferred_until", got=got)
        else:
            yield HELD


@law("TH-TRIG-05")
def a_deferral_ends_with_quiet(history: History, contract: Contract) -> Iterator[Judgement]:
    """A deferred trigger is delivered within 5 s of 20 s of quiet, no sooner, and never later than after 60 s."""
    calendar, circumstances = Calendar(history), Circumstances(history)
    for attempt in attempts(history, contract):
        call, given = attempt.call, attempt.call.given
        asked = instant(given.get("triggered_at"))
        if not call.accepted or given.get("result") != "deferred" or asked is None:
            continue
        until = instant(given.get("deferred_until"))
        if until is not None:
            late = until - asked > LONGEST_S + MARGIN_S
            saw = f"deferred_until is {until - asked:g} s after triggered_at"
            yield breach(saw, call, pointer="/deferred_until", got=given["deferred_until"]) if late else HELD
        commanded = circumstances.commanded(call.instance, "human_input")
        if attempt.live and attempt.typing and not commanded and asked_once(history, attempt):
            yield from _Wait(history, attempt, asked, calendar, circumstances).judged()


@dataclass(frozen=True)
class _Wait:
    """A deferral on its target's calendar: seconds count from the answer's triggered_at."""

    history: History
    attempt: Attempt
    asked: float
    calendar: Calendar
    circumstances: Circumstances

    def judged(self) -> Iterator[Judgement]:
        """One judgement on how it ended, where that can be told."""
        call = self.attempt.call
        later = [other for other in self.history.exchanges if other.instance == call.instance and call.before(other)]
        keys = [(0.0, MARGIN_S, call)]
        keys.extend(
            (*self.calendar.elapsed(call, other), other)
            for other in later
            if self.circumstances.names(other, "human_input", self.attempt.target)
        )
        found = delivered(self.history, self.attempt)
        at = instant(found[0].data.get("at")) if found else None
        if at is not None:
            yield self._ended(found[0], at - self.asked, [] if self._disturbed(later) else keys)
        elif not found and reports_wakes(self.history) and not self._disturbed(later):
            yield from self._overdue(later, keys)

    def _ended(self, wake: Effect, after: float, keys: list[tuple[float, float, Exchange]]) -> Judgement:
        call, reporter = self.attempt.call, self.history.find(wake.call) or self.attempt.call
        if after > LONGEST_S + MARGIN_S:
            return breach(f"it was delivered {after:g} s after it was asked for", call, reporter)
        if after < LONGEST_S - MARGIN_S:
            for least, most, key in keys:
                if most < after < least + QUIET_S - MARGIN_S:
                    saw = f"it was delivered after {after:g} s, {after - least:.0f} s after a person's last key"
                    return breach(saw, call, key, reporter)
        due = _due(keys)
        if due is not None and after > due:
            saw = f"it was delivered after {after:g} s, though quiet and the next look were over after {due:.0f} s"
            return breach(saw, call, reporter)
        return HELD

    def _overdue(self, later: list[Exchange], keys: list[tuple[float, float, Exchange]]) -> Iterator[Judgement]:
        """Nothing was delivered: a breach where there was quiet for long enough, and a call since to report it."""
        due = _due(keys)
        if due is None:
            return
        for other in later:
            if other.accepted and self.calendar.elapsed(self.attempt.call, other)[0] > due:
                saw = f"nothing was delivered within {due:.0f} s, though there was quiet"
                yield breach(saw, self.attempt.call, other)
                return

    def _disturbed(self, later: list[Exchange]) -> bool:
        """Whether something else may have kept it from being delivered: the session changed, a runtime went away."""
        session, target = self.attempt.session, self.attempt.target
        for other in later:
            if any(self.circumstances.value(other, name) for name in AROUND):
                return True
            mine = other.tool == "heartbeat_session" and other.credential.claims.get("agent_id") == target
            said = tuple(other.argument(name) for name in ("management_mode", "status", "resumable"))
            if mine and (session is None or said != session.state):
                return True
        return False


def _due(keys: list[tuple[float, float, Exchange]]) -> float | None:
    """When it has to be delivered at the latest: the first gap that holds 20 s of quiet and a look; None past 60 s."""
    ends = sorted((least, most) for least, most, _ in keys)
    for number, (_, most) in enumerate(ends):
        due = most + QUIET_S + LOOK_S + MARGIN_S
        if due > LONGEST_S:
            return None
        if number + 1 == len(ends) or ends[number + 1][0] > due:
            return due
    return None
