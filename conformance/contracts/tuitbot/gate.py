"""The policy gate as it is seen from outside: what an answer says that it decided, and which rule has to decide."""

from typing import NamedTuple

from conformance.contracts.tuitbot.known import Known, entry
from conformance.judge.kinds import integer
from conformance.model.events import Json
from conformance.model.exchange import Exchange

DENIED, ROUTED, DRY = "denied", "routed_to_approval", "dry_run"
ANSWERS = {"deny": DENIED, "require_approval": ROUTED, "dry_run": DRY}
"""What is answered where a rule with this action decides."""
DENIALS = "policy_denied_"
LIMIT_USED_UP = "policy_denied_rate_limited"
UNGATED_PROFILES = ("api", "readonly", "api-readonly")
HARD, BLOCKED, USER, LIST = "hard", "blocked", "user", "list"
"""Kinds of rule: a hard one, the blocked list, a user's, and the other lists of a policy."""
USERS_PRIORITY = 200
"""A rule's where it names none."""
DELETES = "x_delete_tweet"
"""A rule of the server's own may come before those of the policy, unless their priority is below zero."""
PREVIEWS = "_dry_run"
"""Reads of the later edition that end so ask the gate on purpose, and say so as a mutation held back does."""


def decision(call: Exchange) -> str | None:
    """What the gate decided by the answer, other than to allow: denied, routed_to_approval or dry_run."""
    if call.accepted:
        return (
            ROUTED
            if call.given.get("routed_to_approval") is True
            else DRY
            if call.given.get("dry_run") is True
            else None
        )
    if not call.refused:
        return None
    told = policy_decision(call)
    if told in (DENIED, ROUTED, DRY):
        return str(told)
    return DENIED if (call.code or "").startswith(DENIALS) else None


def policy_decision(call: Exchange) -> Json:
    """error.policy_decision, None where there is none."""
    error = call.envelope.get("error") if call.envelope is not None else None
    return error.get("policy_decision") if isinstance(error, dict) else None


class Ruling(NamedTuple):
    """The rule that is bound to decide: its action, and of which kind it is."""

    action: str
    kind: str

    @property
    def answer(self) -> str | None:
        """The decision that it leads to; None where it allows."""
        return ANSWERS.get(self.action)


def asked(run: Known, call: Exchange) -> bool:
    """Whether the call is a mutation that comes before a gate, which enforces, and under no trouble."""
    about = entry(call)
    gated = about is not None and about.gated and call.profile is not None and call.profile not in UNGATED_PROFILES
    return gated and enforced(run, call) and set(call.conditions) <= {"clock"}


def enforced(run: Known, call: Exchange) -> bool:
    """Whether the policy of the call's instance is known and enforced."""
    return bool(run.policy(call)) and run.policy(call).get("enforce_for_mutations", True) is True


def ruling(run: Known, call: Exchange) -> Ruling | None:
    """The rule that decides on a gated mutation, where the policy leaves no doubt; None where it does, or none matches.

    A template, operating modes and rules by category or by the hour leave a doubt.
    """
    policy = run.policy(call)
    if not asked(run, call) or policy.get("template") or run.setting(call, "mode") == "composer":
        return None
    rules = policy.get("rules")
    if not rules:
        return _by_lists(policy, call)
    matching = sorted(_matching(rules, call), key=lambda rule: rule[0])
    if not matching or matching[0][1] is None:
        return None
    priority, first = matching[0]
    doubtful = any(other[0] == priority and other[1] != first for other in matching)
    return None if doubtful or (call.tool == DELETES and priority >= 0) else first


def _matching(rules: Json, call: Exchange) -> list[tuple[int, Ruling | None]]:
    """Enabled rules that match the call, by priority; no ruling where that is in doubt."""
    found: list[tuple[int, Ruling | None]] = []
    for rule in rules if isinstance(rules, list | tuple) else ():
        if not isinstance(rule, dict) or rule.get("enabled") is False:
            continue
        priority = integer(rule.get("priority", USERS_PRIORITY))
        matches = _names(rule, call.tool)
        if matches is not False:
            action = rule.get("action")
            kind = action.get("type") if isinstance(action, dict) else None
            sure = matches and isinstance(kind, str)
            found.append((priority or 0, Ruling(str(kind), _kind(rule.get("id"))) if sure else None))
    return found


def _names(rule: dict[str, Json], tool: str | None) -> bool | None:
    """Whether a rule's conditions name the tool, or name none; None where they have others besides."""
    conditions = rule.get("conditions") or {}
    if not isinstance(conditions, dict):
        return None
    tools = conditions.get("tools") or ()
    if tools and tool not in tools:
        return False
    return None if any(value for key, value in conditions.items() if key != "tools") else True


def _kind(identifier: Json) -> str:
    name = identifier if isinstance(identifier, str) else ""
    return HARD if name.startswith("hard:") else BLOCKED if name.startswith("v1:blocked:") else USER


def _by_lists(policy: dict[str, Json], call: Exchange) -> Ruling | None:
    """The lists are what holds where there are no rules: blocked tools first, then dry run, then approvals."""
    if call.tool == DELETES:
        return None
    if call.tool in (policy.get("blocked_tools") or ()):
        return Ruling("deny", BLOCKED)
    if policy.get("dry_run_mutations") is True:
        return Ruling("dry_run", LIST)
    return Ruling("require_approval", LIST) if call.tool in (policy.get("require_approval_for") or ()) else None


def unlisted(run: Known, call: Exchange) -> bool:
    """Whether a gated mutation is surely allowed within the limits: by a rule, or because no list names it."""
    found, policy = ruling(run, call), run.policy(call)
    if found is not None:
        return found.action == "allow"
    lists = not policy.get("rules") and "require_approval_for" in policy and not policy.get("template")
    return lists and asked(run, call) and call.tool != DELETES and run.setting(call, "mode") != "composer"


def would_match(run: Known, call: Exchange) -> bool:
    """Whether a rule that holds back would match the call if it were gated: it names the tool, or no tool at all."""
    policy = run.policy(call)
    if call.profile is None or call.profile in UNGATED_PROFILES or not enforced(run, call):
        return False
    rules = _matching(policy.get("rules") or (), call)
    listed = call.tool in (policy.get("blocked_tools") or ()) or policy.get("dry_run_mutations") is True
    return any(found is not None and found.answer for _, found in rules) or (not policy.get("rules") and listed)
