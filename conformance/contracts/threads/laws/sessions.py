"""Sections 2.4 and 3.7: heartbeats, and what they are for."""

from collections import defaultdict
from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.threads.laws.allowed import allowed_of, likes
from conformance.contracts.threads.laws.faulty import KIND, OF_ANOTHER_KIND
from conformance.contracts.threads.laws.wakes import Attempt, attempts
from conformance.judge.controls import acceptances
from conformance.judge.judgements import holds
from conformance.judge.law import law
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import Judgement


@law("TH-SES-02")
def every_kind_of_session_has_heartbeats(history: History, contract: Contract) -> Iterator[Judgement]:
    """A good heartbeat of one kind of session is accepted where one of another kind is."""
    beats = allowed_of(history, contract, "heartbeat_session")
    yield from acceptances(likes(history, contract), beats, OF_ANOTHER_KIND, _kind)


def _kind(beat: Exchange) -> str:
    return "with " + ", ".join(f"{name} {beat.arguments[name]!r}" for name in KIND if name in beat.arguments)


@law("TH-SES-03")
def the_newest_heartbeat_counts(history: History, contract: Contract) -> Iterator[Judgement]:
    """A target whose heartbeats changed is woken like one whose heartbeats always said what its newest one says."""
    constant: dict[tuple[str, str, bool], list[tuple[Json, Exchange]]] = defaultdict(list)
    for attempt in _comparable(history, contract):
        if attempt.session is not None and attempt.session.steady:
            constant[attempt.session.state].append((_action(attempt), attempt.call))
    known = {state: seen[0] for state, seen in constant.items() if all(one[0] == seen[0][0] for one in seen)}
    for attempt in _comparable(history, contract):
        session, got = attempt.session, _action(attempt)
        if session is None or session.steady or session.state not in known:
            continue
        expected, like = known[session.state]
        if any(action != expected for action, _ in known.values()):
            saw = f"after a heartbeat that says {', '.join(map(str, session.state))} the action is still {got!r}"
            calls = (like, session.beat, attempt.call)
            yield holds(got == expected, saw, *calls, pointer="/action", expected=expected, got=got)


def _action(attempt: Attempt) -> Json:
    """What is done, with what follows it where the answer names that."""
    given = attempt.call.given
    action, following = given.get("action"), given.get("fallback_action")
    return action if following is None else f"{action}, {following}"


def _comparable(history: History, contract: Contract) -> Iterator[Attempt]:
    """Accepted triggers that nothing but the target's session decides."""
    for attempt in attempts(history, contract):
        gone = attempt.down or attempt.resume_gone or attempt.spawn_gone
        if attempt.call.accepted and attempt.plain and attempt.calm and not gone:
            yield attempt
