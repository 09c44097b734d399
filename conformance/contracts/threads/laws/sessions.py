"""Sections 2.4 and 3.7: heartbeats, and what they are for."""

from collections import defaultdict
from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.threads.laws.wakes import Attempt, attempts
from conformance.judge.judgements import HELD, MISSING, breach, holds, told
from conformance.judge.kinds import text
from conformance.judge.law import exchange_law, law
from conformance.model.events import Json
from conformance.model.exchange import UNAUTHORIZED_STATUS, Exchange
from conformance.model.history import History
from conformance.model.verdict import Judgement

MODES = ("managed", "unmanaged")
IDENTITY = ("agent_id", "workspace_id", "session_id")
FIELDS = {*IDENTITY, "runtime", "management_mode", "resumable", "status"}
STATUSES = ("active", "idle", "offline")
ABOUT_THE_CALLER = frozenset(
    {"UNAUTHORIZED", "FORBIDDEN", "OUT_OF_SCOPE_WORKSPACE", "CLAIM_MISMATCH", "INSUFFICIENT_AUTHORITY", "RATE_LIMITED"}
)


@exchange_law("TH-SES-01", "heartbeat_session")
def a_heartbeat_is_recorded(call: Exchange, _: Contract) -> Iterator[Judgement]:
    """An accepted heartbeat gives ok true and recorded_at as text, the form of which is another rule's."""
    if not call.accepted:
        return
    if call.given.get("ok") is not True:
        got = call.given.get("ok", MISSING)
        yield breach(f"ok is {got!r}", call, pointer="/ok", expected=True, got=got)
    elif text(call.given.get("recorded_at")) is None:
        got = call.given.get("recorded_at", MISSING)
        yield breach(f"recorded_at is {got!r}", call, pointer="/recorded_at", got=got)
    else:
        yield HELD


@exchange_law("TH-SES-02", "heartbeat_session")
def every_kind_of_session_has_heartbeats(call: Exchange, _: Contract) -> Iterator[Judgement]:
    """A worker's heartbeat is accepted, whichever of the modes and statuses it names, resumable or not."""
    if call.received is None or not _in_order(call):
        return
    if call.accepted:
        yield HELD
    elif call.code not in ABOUT_THE_CALLER and call.status != UNAUTHORIZED_STATUS:
        said = ", ".join(f"{name} {call.argument(name)!r}" for name in ("management_mode", "status", "resumable"))
        yield breach(f"a heartbeat with {said} ended as {told(call)}", call)


@law("TH-SES-03")
def the_newest_heartbeat_counts(history: History, contract: Contract) -> Iterator[Judgement]:
    """A target whose heartbeats changed is woken as one is whose heartbeats have always said what its newest says."""
    constant: dict[tuple[str, str, bool], list[tuple[Json, Exchange]]] = defaultdict(list)
    for attempt in _comparable(history, contract):
        if attempt.session is not None and attempt.session.steady:
            constant[attempt.session.state].append((attempt.call.given.get("action"), attempt.call))
    known = {state: seen[0] for state, seen in constant.items() if all(one[0] == seen[0][0] for one in seen)}
    for attempt in _comparable(history, contract):
        session, got = attempt.session, attempt.call.given.get("action")
        if session is None or session.steady or session.state not in known:
            continue
        expected, like = known[session.state]
        if any(action != expected for action, _ in known.values()):
            saw = f"after a heartbeat that says {', '.join(map(str, session.state))} the action is still {got!r}"
            calls = (like, session.beat, attempt.call)
            yield holds(got == expected, saw, *calls, pointer="/action", expected=expected, got=got)


def _comparable(history: History, contract: Contract) -> Iterator[Attempt]:
    """Accepted triggers that nothing but the target's session decides."""
    for attempt in attempts(history, contract):
        gone = attempt.down or attempt.resume_gone or attempt.spawn_gone
        if attempt.call.accepted and attempt.plain and attempt.calm and not gone:
            yield attempt


def _in_order(call: Exchange) -> bool:
    """Whether it is a worker's heartbeat of its own session, with all that the contract names and nothing else."""
    claims = call.credential.claims
    if call.credential.defect is not None or call.credential.role != "worker" or not isinstance(call.arguments, dict):
        return False
    if call.arguments.keys() != FIELDS or any(call.argument(name) != claims.get(name) for name in IDENTITY):
        return False
    known = call.argument("management_mode") in MODES and call.argument("status") in STATUSES
    return known and isinstance(call.argument("resumable"), bool) and text(call.argument("runtime")) is not None
