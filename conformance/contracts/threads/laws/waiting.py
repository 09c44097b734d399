"""How a deferral ended: by what was delivered, and by what is answered to who asks for the same again."""

from collections.abc import Iterator, Sequence

from conformance.contract.catalogue import Contract
from conformance.contracts.threads.laws.keyboard import Keyboard, Keys
from conformance.contracts.threads.laws.registry import MARGIN_S
from conformance.contracts.threads.laws.wakes import Attempt, attempts, delivered, reports_wakes, says_otherwise
from conformance.judge.calendar import calendar_of
from conformance.judge.circumstances import Circumstances
from conformance.judge.following import following
from conformance.judge.instants import instant
from conformance.judge.judgements import HELD, breach
from conformance.judge.settings import number
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import Judgement

AROUND = ("runtime_down", "resume_unavailable", "spawn_unavailable")


class Waits:
    """The deferrals of a history on their targets' calendars. Seconds count from the answer's triggered_at."""

    def __init__(self, history: History, contract: Contract) -> None:
        self._history, self._contract = history, contract
        self._calendar = calendar_of(history)
        self._keyboard = Keyboard(history, self._calendar)
        self._circumstances = Circumstances(history)
        self._reported = reports_wakes(history)

    def _times(self, call: Exchange) -> tuple[float, float, float]:
        """The quiet window, the time between looks, and the longest deferral."""
        quiet, look, longest = (
            number(self._history, self._contract, call, name) for name in ("quiet_s", "look_s", "max_defer_s")
        )
        return quiet, look, longest

    def busy(self, attempt: Attempt) -> bool:
        """Whether somebody had surely typed at the target within the quiet window before it was triggered."""
        return self._keyboard.quiet(attempt.call, attempt.target)[1] < self._times(attempt.call)[0] - MARGIN_S

    def over(self, again: Attempt) -> bool:
        """Whether it asks for a trigger that was told to wait, and may be over by now: the fallback is its answer."""
        return any(
            attempt.deferred
            and _repeats(again, attempt)
            and self._calendar.elapsed(attempt.call, again.call)[1] > self._times(attempt.call)[2] - MARGIN_S
            for attempt in attempts(self._history, self._contract)
        )

    def _keys(self, attempt: Attempt) -> list[Keys]:
        """When there was typing: up to the trigger, and after it. Seconds count from the trigger."""
        call = attempt.call
        least, most = self._keyboard.quiet(call, attempt.target)
        first = Keys(0.0, 0.0, MARGIN_S) if attempt.typing else Keys(-most, -most, -least)
        return [first, *self._keyboard.after(call, attempt.target)]

    def asked_again(self, attempt: Attempt) -> Iterator[Judgement]:
        """Who asks for the same again before it is quiet is told to wait; who asks after that is not.

        Nor is anybody told that the same trigger waits, once it may not wait any longer: people may type on.
        """
        quiet, look, longest = self._times(attempt.call)
        for again in attempts(self._history, self._contract):
            call = again.call
            if not (_repeats(again, attempt) and again.live and again.plain and call.accepted):
                continue
            passed, gap = self._calendar.elapsed(attempt.call, call), self._keyboard.quiet(call, attempt.target)
            too_long = passed[0] > longest + look + MARGIN_S
            if too_long and again.deferred and _as_it_stands(attempt, again):
                saw = f"the trigger still waits {passed[0]:.0f} s after it was asked for"
                yield breach(saw, attempt.call, call, pointer="/result", got="deferred")
            elif again.typing:
                if too_long:
                    yield HELD
            elif gap[1] < quiet - MARGIN_S and passed[1] < longest - MARGIN_S and not again.deferred:
                saw = f"{gap[1]:.0f} s after a person's last key at the most the trigger does not wait any more"
                yield breach(
                    saw, attempt.call, call, pointer="/result", expected="deferred", got=call.given.get("result")
                )
            elif gap[0] > quiet + look + MARGIN_S and again.deferred:
                saw = f"the trigger still waits after {gap[0]:.0f} s of quiet"
                yield breach(saw, attempt.call, call, pointer="/result", got="deferred")
            elif gap[1] < quiet - MARGIN_S or gap[0] > quiet + look + MARGIN_S:
                yield HELD

    def ended(self, attempt: Attempt, asked: float) -> Iterator[Judgement]:
        """One judgement on when it was delivered, where the target reports that."""
        call = attempt.call
        later = following(self._history, call)
        keys = self._keys(attempt)
        found = delivered(self._history, attempt)
        at = instant(found[0].data.get("at")) if found else None
        disturbed = self._disturbed(attempt, later)
        if at is not None:
            reporter = self._history.find(found[0].call) or call
            yield self._delivered(call, reporter, at - asked, [] if disturbed else keys)
        elif not found and self._reported and not disturbed and attempt.fallback:
            yield from self._overdue(call, later, keys)

    def _delivered(self, call: Exchange, reporter: Exchange, after: float, keys: Sequence[Keys]) -> Judgement:
        quiet, _, longest = self._times(call)
        if after > longest + MARGIN_S:
            return breach(f"it was delivered {after:g} s after it was asked for", call, reporter)
        if after < longest - MARGIN_S:
            early = [
                one for one in keys if (one.most < after or one is keys[0]) and after < one.least + quiet - MARGIN_S
            ]
            if early:
                saw = f"it was delivered after {after:g} s, {after - early[-1].least:.0f} s after a person's last key"
                return breach(saw, call, reporter)
        due = self._due(call, keys)
        if due is not None and keys and after > due:
            saw = f"it was delivered after {after:g} s, though quiet and the next look were over after {due:.0f} s"
            return breach(saw, call, reporter)
        return HELD

    def _overdue(self, call: Exchange, later: Sequence[Exchange], keys: Sequence[Keys]) -> Iterator[Judgement]:
        """Nothing was delivered: a breach where it was due, and a call since then had the occasion to report it."""
        due = self._due(call, keys)
        for other in later:
            if other.accepted and self._calendar.elapsed(call, other)[0] > due:
                yield breach(f"nothing was delivered within {due:.0f} s", call, other)
                return

    def _due(self, call: Exchange, keys: Sequence[Keys]) -> float:
        """When it is to be delivered at the latest: after the first gap that holds quiet and a look, or the longest."""
        quiet, look, longest = self._times(call)
        ends = sorted(keys, key=lambda one: one.least)
        for place, one in enumerate(ends):
            due = one.most + quiet + look + MARGIN_S
            if due > longest:
                break
            if place + 1 == len(ends) or ends[place + 1].begun > due:
                return due
        return longest + look + MARGIN_S

    def _disturbed(self, attempt: Attempt, later: Sequence[Exchange]) -> bool:
        """Whether something else may have kept it from being delivered: the session changed, a runtime went away."""
        for other in later:
            if any(self._circumstances.value(other, name) for name in AROUND):
                return True
            if says_otherwise(other, attempt):
                return True
        return False


def _repeats(again: Attempt, attempt: Attempt) -> bool:
    """Whether it asks for the same as another that was answered before."""
    same = (again.thread, again.target, again.prompt) == (attempt.thread, attempt.target, attempt.prompt)
    return same and again.call.instance == attempt.call.instance and attempt.call.before(again.call)


def _as_it_stands(attempt: Attempt, again: Attempt) -> bool:
    """Whether who asks again is told of the trigger that waits, and not of one of its own."""
    return again.call.given.get("triggered_at") == attempt.call.given.get("triggered_at")
