"""What the server is: configuration, mode, health, capabilities."""

from collections.abc import Sequence
from typing import Final

from reference_server.application import Json
from reference_server.tuitbot.policy import RateLimit
from reference_server.tuitbot.store.database import DatabaseFailureError
from reference_server.tuitbot.workflow.bookkeeping import account_limits
from reference_server.tuitbot.workflow.context import WorkflowContext
from reference_server.tuitbot.workflow.policy.templates import TEMPLATES
from reference_server.tuitbot.workflow.policy_view import usage

HIGHEST_SCORE: Final = 100


def get_config(ctx: WorkflowContext) -> dict[str, Json]:
    """The configuration; secrets are masked."""
    return ctx.config.shown()


def validate_config(ctx: WorkflowContext) -> dict[str, Json]:
    """`{valid, errors}`: an invalid configuration is a successful answer."""
    config = ctx.config
    errors: list[str] = []
    if config.policy.template is not None and config.policy.template not in TEMPLATES:
        errors.append(f"policy.template: there is no template {config.policy.template!r}")
    if config.policy.max_mutations_per_hour < 0:
        errors.append("policy.max_mutations_per_hour: less than 0")
    if not 0 <= config.scoring.threshold <= HIGHEST_SCORE:
        errors.append("scoring.threshold: not from 0 to 100")
    if not config.business.product_keywords:
        errors.append("business.product_keywords: empty, so nothing can be discovered")
    errors.extend(f"policy.rate_limits {limit.key}: no period" for limit in _without_period(ctx))
    return {"valid": not errors, "errors": errors}


def get_mode(ctx: WorkflowContext) -> dict[str, Json]:
    """The operating mode and the effective approval state; the api profile names itself."""
    mode: dict[str, Json] = {"mode": ctx.config.mode, "approval_mode": ctx.config.approval}
    return mode if ctx.config.remembers else {**mode, "profile": ctx.config.profile}


def health_check(ctx: WorkflowContext, *, x_available: bool) -> dict[str, Json]:
    """What is there and what is away; succeeds in either case."""
    return {
        "database": _database(ctx),
        "llm": _state(available=ctx.llm is not None, what="LLM provider"),
        "x_client": _state(available=x_available, what="X client"),
    }


def get_capabilities(ctx: WorkflowContext, tools: Sequence[str], *, x_available: bool) -> dict[str, Json]:
    """What can be done now. In the api profile there are neither limits nor an LLM."""
    if not ctx.config.remembers:
        return {
            "profile": ctx.config.profile,
            "tool_families": sorted({_family(tool) for tool in tools}),
            "x_client": x_available,
            "authenticated_user_id": ctx.config.user_id if x_available else None,
            "db_available": False,
            "llm_available": False,
        }
    return {
        "tier": "unknown",
        "tier_detected_at": None,
        "can_post_tweets": True,
        "can_reply": x_available,
        "can_search": x_available,
        "can_discover": x_available,
        "approval_mode": ctx.config.approval,
        "llm_available": ctx.llm is not None,
        "rate_limits": _limits(ctx),
        "recommended_max_actions": {
            "replies": ctx.config.limits.max_replies_per_day,
            "tweets": ctx.config.limits.max_tweets_per_day,
            "threads": ctx.config.limits.max_threads_per_week,
        },
        "direct_tools": {
            "x_client_available": x_available,
            "authenticated_user_id": ctx.config.user_id if x_available else None,
            "tools": [{"name": tool, "available": x_available} for tool in tools if tool.startswith("x_")],
        },
    }


def _without_period(ctx: WorkflowContext) -> list[RateLimit]:
    return [limit for limit in ctx.config.policy.rate_limits if limit.period_seconds <= 0]


def _limits(ctx: WorkflowContext) -> list[dict[str, Json]]:
    """None while the database is down: it is not declared as needed here."""
    try:
        rows = [usage(ctx, limit) for limit in account_limits(ctx)]
    except DatabaseFailureError:
        return []
    return [
        {
            "action_type": row["action_type"],
            "remaining": row["remaining"],
            "max": row["max_requests"],
            "period_seconds": row["period_seconds"],
        }
        for row in rows
    ]


def _database(ctx: WorkflowContext) -> dict[str, Json]:
    if not ctx.config.remembers:
        return {"status": "not_configured", "message": "this profile has no database"}
    try:
        ctx.db.ping()
    except DatabaseFailureError as error:
        return {"status": "error", "message": str(error)}
    return {"status": "ok", "message": "the database answers"}


def _state(*, available: bool, what: str) -> dict[str, Json]:
    if available:
        return {"status": "ok", "message": f"the {what} is configured"}
    return {"status": "not_configured", "message": f"no {what} is configured"}


def _family(tool: str) -> str:
    return "x" if tool.startswith("x_") else tool.partition("_")[0]
