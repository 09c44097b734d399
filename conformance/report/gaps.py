"""Why requirements were not tested: the same cause told once, with all that it left unseen."""

from collections.abc import Iterable, Sequence

from conformance.judge.unseen import trials
from conformance.model.exchange import UNAUTHORIZED_STATUS, Exchange
from conformance.model.history import History
from conformance.model.requirement import Level
from conformance.model.verdict import Outcome, Verdict
from conformance.report.model import Gap

IDENTITY = ("UNAUTHORIZED", "UNAUTHENTICATED", "FORBIDDEN", "CLAIM_MISMATCH", "OUT_OF_SCOPE_WORKSPACE")
"""Codes, of whatever contract, that mostly tell of a token that the server was not given as it wants it."""


def gaps(outcomes: Iterable[Outcome], history: History) -> list[Gap]:
    """The causes, that of most MUSTs first. What the statement excuses is none."""
    causes: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        if outcome.verdict is Verdict.NOT_OBSERVED and not outcome.excused:
            causes.setdefault(outcome.reason, []).append(outcome)
    found = [_gap(cause, left, history) for cause, left in causes.items()]
    return [gap for _, gap in sorted(found, key=lambda each: -each[0])]


def _gap(cause: str, left: Sequence[Outcome], history: History) -> tuple[int, Gap]:
    stuck = next((s for o in left for s in trials(o.id, history).stimuli if s.call is not None), None)
    call = stuck.call if stuck is not None else None
    exchange = history.find(call) if call is not None else None
    musts = sum(outcome.level == Level.MUST for outcome in left)
    todo = _todo(exchange) if exchange is not None else ""
    return musts, Gap(cause=cause, todo=todo, ids=tuple(outcome.id for outcome in left), call=call)


def _todo(stuck: Exchange) -> str:
    """What to look at where a set-up could not go on from an answer."""
    if stuck.refused and stuck.process > 1:
        return (
            "the server ended in this run and began anew, and may not know any more what it was told: run it again, "
            "and say in conformance.toml what it needs if it refuses the same then"
        )
    code = (stuck.code or "").upper()
    if stuck.status == UNAUTHORIZED_STATUS or code in IDENTITY:
        return (
            "check --signing-key, --issuer and --audience, and the names that the server has for roles and claims "
            "([auth.roles] and [auth.claim_names] in conformance.toml)"
        )
    if stuck.received is None:
        return "see that the server runs, and give it more time with --timeout"
    if stuck.refused:
        return "say in conformance.toml what the server needs, or list what it lacks under [unsupported]"
    return ""
