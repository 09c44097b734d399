"""What the policy gate denies and why, where the policy that a server was set to leaves one reason only."""

from collections.abc import Iterator

from conformance.contracts.tuitbot.known import Known, entry
from conformance.judge.calendar import Calendar
from conformance.judge.kinds import integer
from conformance.model.events import Json
from conformance.model.exchange import Exchange

HARD = "hard:"
BLOCKED = "v1:blocked:"
TEMPLATE_FROM, USER_FROM = 100, 200
"""Priorities: hard rules below the first, a user's from the second on."""
DELETES = "x_delete_tweet"
"""Goes to approval before any other rule is asked."""


def _gated(run: Known) -> Iterator[tuple[Exchange, dict[str, Json]]]:
    """Calls that come before the gate and nothing else, with the policy that it has: no mode, no template."""
    for call in run.under("none"):
        about, policy = entry(call), run.policy(call)
        if about is None or not about.gated or run.free(call) or call.tool == DELETES:
            continue
        asked = policy.get("enforce_for_mutations", True) is True and not policy.get("dry_run_mutations")
        if (
            asked
            and not policy.get("template")
            and not policy.get("rate_limits")
            and run.setting(call, "mode") != "composer"
        ):
            yield call, policy


def _names(policy: dict[str, Json], key: str) -> list[Json]:
    found = policy.get(key)
    return found if isinstance(found, list) else []


def blocked(run: Known) -> Iterator[Exchange]:
    """Calls of a tool on the blocked list, where there are no rules."""
    for call, policy in _gated(run):
        if not policy.get("rules") and call.tool in _names(policy, "blocked_tools"):
            yield call


def _denied(run: Known) -> Iterator[tuple[Exchange, str, int]]:
    """Calls that the one rule of the policy denies, with its id and priority."""
    for call, policy in _gated(run):
        rules = _names(policy, "rules")
        only = rules[0] if len(rules) == 1 and isinstance(rules[0], dict) else {}
        action, conditions = only.get("action"), only.get("conditions")
        identifier, priority = only.get("id"), integer(only.get("priority"))
        if not isinstance(action, dict) or action.get("type") != "deny" or only.get("enabled") is False:
            continue
        if not isinstance(conditions, dict) or {key for key, value in conditions.items() if value} != {"tools"}:
            continue
        if call.tool in _names(conditions, "tools") and isinstance(identifier, str) and priority is not None:
            yield call, identifier, priority


def against_hard_rule(run: Known) -> Iterator[Exchange]:
    """Calls that a hard rule denies."""
    return (call for call, name, priority in _denied(run) if name.startswith(HARD) and priority < TEMPLATE_FROM)


def against_user_rule(run: Known) -> Iterator[Exchange]:
    """Calls that a user's rule denies."""
    return (
        call for call, name, priority in _denied(run) if not name.startswith((HARD, BLOCKED)) and priority >= USER_FROM
    )


def beyond_limit(run: Known) -> Iterator[Exchange]:
    """Calls after as many mutations as an hour allows, on a clock that was not moved, where nothing else denies."""
    calendar = Calendar(run.history)
    done: dict[str, list[Exchange]] = {}
    for call, policy in _gated(run):
        limit = integer(policy.get("max_mutations_per_hour"))
        lists = (*_names(policy, "blocked_tools"), *_names(policy, "require_approval_for"))
        if (
            limit is None
            or limit < 1
            or policy.get("rules")
            or call.tool in lists
            or "require_approval_for" not in policy
        ):
            continue
        earlier = [other for other in done.get(call.instance, ()) if other.before(call) and calendar.same(other, call)]
        if len(earlier) >= limit:
            yield call
        if call.accepted:
            done.setdefault(call.instance, []).append(call)
