"""Which rules are in force, and which of them a mutation meets first."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from reference_server.tuitbot.policy import Action, Category, Conditions, Mode, Policy, Rule, ScheduleWindow
from reference_server.tuitbot.workflow.policy.templates import template

DELETE_APPROVAL: Final = Rule(
    "hard:delete_approval",
    Action("require_approval", "deleting always needs a person's approval"),
    Conditions(categories=("delete",)),
    0,
    "delete requires approval",
)
COMPOSER_APPROVAL: Final = Rule(
    "hard:composer_approval",
    Action("require_approval", "in composer mode every mutation needs a person's approval"),
    Conditions(modes=("composer",)),
    10,
    "composer mode requires approval",
)
FIRST_LEGACY: Final = 300


@dataclass(frozen=True, slots=True)
class Mutation:
    """What rules look at."""

    tool: str
    category: Category
    mode: Mode
    at: float
    """Seconds since the epoch."""


def effective_rules(policy: Policy) -> list[Rule]:
    """Enabled rules by priority: hard, the template's, the user's; the lists only where the last two are absent.

    PolicyEvaluationError: the policy names a template that there is not.
    """
    rules = [DELETE_APPROVAL, COMPOSER_APPROVAL]
    if policy.template is not None:
        rules.extend(template(policy.template).rules)
    rules.extend(rule for rule in policy.rules if rule.enabled)
    if policy.template is None and not policy.rules:
        rules.extend(_of_lists(policy))
    return sorted(rules, key=lambda rule: rule.priority)


def first_match(rules: Sequence[Rule], mutation: Mutation) -> Rule | None:
    """The rule that decides, None where none matches."""
    return next((rule for rule in rules if matches(rule.conditions, mutation)), None)


def matches(conditions: Conditions, mutation: Mutation) -> bool:
    """Whether all conditions hold."""
    window = conditions.schedule_window
    return (
        (not conditions.tools or mutation.tool in conditions.tools)
        and (not conditions.categories or mutation.category in conditions.categories)
        and (not conditions.modes or mutation.mode in conditions.modes)
        and (window is None or within(window, mutation.at))
    )


def within(window: ScheduleWindow, at: float) -> bool:
    """Whether a moment is inside the window, by its own time zone."""
    local = datetime.fromtimestamp(at, _zone(window.timezone))
    if window.days and local.strftime("%a").lower() not in {day.lower()[:3] for day in window.days}:
        return False
    if window.start_hour <= window.end_hour:
        return window.start_hour <= local.hour < window.end_hour
    return local.hour >= window.start_hour or local.hour < window.end_hour


def _zone(name: str) -> tzinfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC


def _of_lists(policy: Policy) -> list[Rule]:
    """Blocked tools, dry run, approvals, in this order."""
    rules = [
        Rule(f"v1:blocked:{tool}", Action("deny", f"{tool} is blocked"), Conditions(tools=(tool,)))
        for tool in policy.blocked_tools
    ]
    if policy.dry_run_mutations:
        rules.append(Rule("v1:dry_run", Action("dry_run")))
    rules.extend(
        Rule(f"v1:approval:{tool}", Action("require_approval", f"{tool} needs approval"), Conditions(tools=(tool,)))
        for tool in policy.require_approval_for
    )
    return [
        Rule(rule.id, rule.action, rule.conditions, FIRST_LEGACY + position, rule.id)
        for position, rule in enumerate(rules)
    ]
