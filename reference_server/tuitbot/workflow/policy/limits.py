"""Limits on mutations: which count a tool, and whether one is used up."""

from typing import Final

from reference_server.tuitbot.policy import Policy, RateLimit
from reference_server.tuitbot.store.counters import Window
from reference_server.tuitbot.workflow.context import WorkflowContext
from reference_server.tuitbot.workflow.policy.categories import ENGAGEMENTS, category
from reference_server.tuitbot.workflow.policy.templates import HOUR_S, template

GLOBAL_KEY: Final = "mcp_mutation"
"""The hourly limit of all mutations together."""


def limits_in_force(policy: Policy) -> list[RateLimit]:
    """The configured limits, the template's, and the hourly one, in this order."""
    of_template = template(policy.template).rate_limits if policy.template is not None else ()
    hourly = RateLimit(GLOBAL_KEY, "global", policy.max_mutations_per_hour, HOUR_S)
    return [*policy.rate_limits, *of_template, hourly]


def counts(limit: RateLimit, tool: str) -> bool:
    """Whether a limit counts calls of a tool."""
    match limit.dimension:
        case "tool":
            return limit.match_value == tool
        case "category":
            return limit.match_value == category(tool)
        case "engagement_type":
            return limit.match_value == ENGAGEMENTS.get(tool)
        case "global":
            return True


class MutationLimits:
    """Reads and counts them in the context's database."""

    def window(self, ctx: WorkflowContext, limit: RateLimit) -> Window:
        """How far a limit is used."""
        return ctx.db.counters.current(limit.key, limit.period_seconds, ctx.clock.now())

    def used_up(self, ctx: WorkflowContext, tool: str) -> tuple[RateLimit, float] | None:
        """The first limit that lets the tool do nothing more, and when its window ends (seconds since the epoch)."""
        for limit in limits_in_force(ctx.config.policy):
            if counts(limit, tool):
                window = self.window(ctx, limit)
                if window.count >= limit.max_count:
                    return limit, window.start + limit.period_seconds
        return None

    def count(self, ctx: WorkflowContext, tool: str) -> None:
        """Counts a mutation that was done."""
        for limit in limits_in_force(ctx.config.policy):
            if counts(limit, tool):
                ctx.db.counters.add(limit.key, limit.period_seconds, ctx.clock.now())
