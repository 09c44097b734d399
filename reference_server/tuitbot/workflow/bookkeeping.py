"""What is remembered of a mutation that was done: log, limits, replies."""

import json
from collections.abc import Mapping
from typing import Final

from reference_server.application import Json
from reference_server.tuitbot.policy import RateLimit
from reference_server.tuitbot.workflow.context import WorkflowContext
from reference_server.tuitbot.workflow.days import DAY_S

SEARCH: Final = RateLimit("search", "tool", 300, 900, "x_search_tweets")
MENTIONS: Final = RateLimit("mention_check", "tool", 180, 900, "x_get_user_mentions")


def account_limits(ctx: WorkflowContext) -> list[RateLimit]:
    """Limits of the account, which autopilot keeps; keys are those of get_rate_limits."""
    limits = ctx.config.limits
    return [
        RateLimit("reply", "tool", limits.max_replies_per_day, DAY_S, "x_reply_to_tweet"),
        RateLimit("tweet", "tool", limits.max_tweets_per_day, DAY_S, "x_post_tweet"),
        RateLimit("thread", "tool", limits.max_threads_per_week, 7 * DAY_S, "x_post_thread"),
        SEARCH,
        MENTIONS,
    ]


def count_for_account(ctx: WorkflowContext, tool: str) -> None:
    """Counts a use of X against the account's limits."""
    for limit in account_limits(ctx):
        if limit.match_value == tool:
            ctx.db.counters.add(limit.key, limit.period_seconds, ctx.clock.now())


def record_done(ctx: WorkflowContext, tool: str, params: Mapping[str, Json], result: Json) -> None:
    """Logs a mutation that was done; a reply is remembered by whom it answers."""
    now = ctx.clock.now()
    ctx.db.activity.log(_action(tool), "success", now, metadata=json.dumps(params))
    count_for_account(ctx, tool)
    if tool == "x_reply_to_tweet":
        target = params["in_reply_to_id"]
        known = ctx.db.discovery.tweets.get(target)
        ctx.db.activity.replied(target, known.author_id if known else None, result, now)
        ctx.db.discovery.answered(target)


def record_held_back(ctx: WorkflowContext, tool: str, decision: str, message: str) -> None:
    """Logs a mutation that the gate did not let through: denied, routed or dry_run."""
    match decision:
        case "denied":
            ctx.db.activity.log(_action(tool), "denied", ctx.clock.now(), message)
        case "routed":
            ctx.db.activity.log(_action(tool), "routed", ctx.clock.now(), message)
        case _:
            ctx.db.activity.log(_action(tool), "dry_run", ctx.clock.now(), message)


def _action(tool: str) -> str:
    """Log entries name actions without the prefix: post_tweet."""
    return tool.removeprefix("x_")
