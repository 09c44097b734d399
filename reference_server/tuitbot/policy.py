"""The policy as it is configured (facts of the originating project: rules, templates' names, limits)."""

from typing import Literal

from msgspec import Struct

from reference_server.application import Json

Mode = Literal["autopilot", "composer"]
Category = Literal["write", "engage", "thread", "delete", "media", "read"]


class ScheduleWindow(Struct, frozen=True, forbid_unknown_fields=True):
    """Hours of the day, the end excluded; an end before the start wraps past midnight; no days means all."""

    start_hour: int
    end_hour: int
    timezone: str = "UTC"
    """IANA name; an unknown one counts as UTC."""
    days: tuple[str, ...] = ()
    """mon, tue, ... in any case."""


class Conditions(Struct, frozen=True, forbid_unknown_fields=True):
    """All of them hold, each by any of its values; an empty one always holds."""

    tools: tuple[str, ...] = ()
    """Names as registered."""
    categories: tuple[Category, ...] = ()
    modes: tuple[Mode, ...] = ()
    schedule_window: ScheduleWindow | None = None


class Action(Struct, frozen=True, forbid_unknown_fields=True):
    """What a rule does where it matches."""

    type: Literal["allow", "deny", "require_approval", "dry_run"]
    reason: str = ""


class Rule(Struct, frozen=True, forbid_unknown_fields=True):
    """Priority 0-99 hard, 100-199 template, 200 and up user; the lowest that matches decides."""

    id: str
    action: Action
    conditions: Conditions = Conditions()
    priority: int = 200
    label: str = ""
    enabled: bool = True


class RateLimit(Struct, frozen=True, forbid_unknown_fields=True):
    """At most `max_count` mutations in each window of `period_seconds`."""

    key: str
    dimension: Literal["tool", "category", "engagement_type", "global"]
    max_count: int
    period_seconds: int
    match_value: str = "*"


class Policy(Struct, frozen=True, forbid_unknown_fields=True):
    """Rules for mutations. The lists are what stands where there is neither a template nor a rule."""

    enforce_for_mutations: bool = True
    require_approval_for: tuple[str, ...] = ("x_post_tweet", "x_reply_to_tweet", "x_follow_user", "x_like_tweet")
    blocked_tools: tuple[str, ...] = ()
    dry_run_mutations: bool = False
    max_mutations_per_hour: int = 20
    template: str | None = None
    """safe_default, growth_aggressive or agency_mode; any other cannot be evaluated."""
    rules: tuple[Rule, ...] = ()
    rate_limits: tuple[RateLimit, ...] = ()


def shown_rule(rule: Rule) -> dict[str, Json]:
    """A rule as get_policy_status lists it."""
    return {"id": rule.id, "priority": rule.priority, "label": rule.label, "action": rule.action.type}
