"""What the policy is and how far its limits are used."""

from reference_server.application import Json
from reference_server.tuitbot.policy import RateLimit, shown_rule
from reference_server.tuitbot.workflow.bookkeeping import account_limits
from reference_server.tuitbot.workflow.context import WorkflowContext
from reference_server.tuitbot.workflow.policy.limits import limits_in_force
from reference_server.tuitbot.workflow.policy.rules import effective_rules


def policy_status(ctx: WorkflowContext) -> dict[str, Json]:
    """The configured policy, its rules in order and the global limit. PolicyEvaluationError: it cannot be read."""
    policy = ctx.config.policy
    *_, hourly = limits_in_force(policy)
    used = usage(ctx, hourly)
    return {
        "enforce_for_mutations": policy.enforce_for_mutations,
        "require_approval_for": list(policy.require_approval_for),
        "blocked_tools": list(policy.blocked_tools),
        "dry_run_mutations": policy.dry_run_mutations,
        "max_mutations_per_hour": policy.max_mutations_per_hour,
        "mode": ctx.config.mode,
        "rate_limit": {
            "used": used["request_count"],
            "max": used["max_requests"],
            "period_seconds": used["period_seconds"],
            "period_start": used["period_start"],
        },
        "template": policy.template,
        "rules": [shown_rule(rule) for rule in effective_rules(policy)],
        "rate_limits": [usage(ctx, limit) for limit in limits_in_force(policy)],
    }


def rate_limits(ctx: WorkflowContext) -> list[dict[str, Json]]:
    """Limits of the account, then those of the policy."""
    return [usage(ctx, limit) for limit in [*account_limits(ctx), *limits_in_force(ctx.config.policy)]]


def usage(ctx: WorkflowContext, limit: RateLimit) -> dict[str, Json]:
    """How far one limit is used."""
    window = ctx.db.counters.current(limit.key, limit.period_seconds, ctx.clock.now())
    return {
        "action_type": limit.key,
        "request_count": window.count,
        "max_requests": limit.max_count,
        "period_start": ctx.clock.instant(window.start),
        "period_seconds": limit.period_seconds,
        "remaining": max(0, limit.max_count - window.count),
    }
