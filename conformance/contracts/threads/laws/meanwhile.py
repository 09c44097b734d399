"""Section 3.8: what becomes of a trigger that waited, where it cannot be delivered live in the end."""

import math
from collections.abc import Iterator, Sequence
from itertools import takewhile

from conformance.contract.catalogue import Contract
from conformance.contracts.threads.laws.evidence import LIVE, RESUME, SPAWN
from conformance.contracts.threads.laws.registry import MARGIN_S, RECENT_S
from conformance.contracts.threads.laws.wakes import Attempt, asked_once, delivered, says_otherwise
from conformance.contracts.threads.laws.waking import served_attempts
from conformance.judge.calendar import calendar_of
from conformance.judge.circumstances import Circumstances
from conformance.judge.following import following
from conformance.judge.instants import instant
from conformance.judge.judgements import breach
from conformance.model.events import Effect
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import HELD, Judgement


class Meanwhile:
    """What happened between a trigger that waits and its delivery."""

    def __init__(self, history: History, contract: Contract) -> None:
        self._history, self._contract = history, contract
        self._calendar, self._held = calendar_of(history), Circumstances(history)

    def resumed(self) -> Iterator[Judgement]:
        """A trigger that waited for a target that can be resumed all the time goes to no new session.

        Nor is it typed into a runtime after that was out of reach for good.
        """
        for attempt in served_attempts(self._history, self._contract):
            waits = attempt.deferred and attempt.live and attempt.typing and attempt.resumable
            found = delivered(self._history, attempt) if waits and asked_once(self._history, attempt) else []
            reporter = self._history.find(found[0].call) if found else None
            if reporter is not None and attempt.call.before(reporter):
                since = [other for other in following(self._history, attempt.call) if other.sent <= reporter.sent]
                if self._resumable(attempt, since):
                    yield from self._judged(attempt, found[0], since)

    def _resumable(self, attempt: Attempt, since: Sequence[Exchange]) -> bool:
        """Whether nothing said otherwise of the session meanwhile, and its newest heartbeat is of late."""
        session, target = attempt.session, attempt.target
        if session is None or any(says_otherwise(other, attempt) for other in since):
            return False
        if any(self._held.names(other, "resume_unavailable", target) for other in since):
            return False
        beats = [other for other in since if other.tool == "heartbeat_session" and other.accepted]
        mine = [session.beat, *(beat for beat in beats if beat.credential.claims.get("agent_id") == target)]
        return self._calendar.elapsed(mine[-1], since[-1])[1] <= RECENT_S

    def _out_of_reach(self, target: str, since: Sequence[Exchange]) -> list[Exchange]:
        """The last of the calls, without a gap, that were made while the target's runtime was out of reach."""
        last = takewhile(lambda other: self._held.names(other, "runtime_down", target), reversed(since))
        return list(last)[::-1]

    def _judged(self, attempt: Attempt, wake: Effect, since: Sequence[Exchange]) -> Iterator[Judgement]:
        means, call = wake.data.get("means"), attempt.call
        at, asked = instant(wake.data.get("at")), instant(call.given.get("triggered_at"))
        down = self._out_of_reach(attempt.target, since)
        begun = self._calendar.elapsed(call, down[0])[1] if down else math.inf
        if means == SPAWN:
            saw = "a trigger that waited for a target whose session can be resumed was delivered to a new session"
            yield breach(saw, call, since[-1], expected=RESUME, got=SPAWN)
        elif means == LIVE and at is not None and asked is not None and at - asked > begun + MARGIN_S:
            saw = f"{at - asked - begun:.0f} s after the target's runtime was out of reach the prompt was typed into it"
            yield breach(saw, call, down[0], since[-1], expected=RESUME, got=LIVE)
        elif means == RESUME:
            yield HELD
