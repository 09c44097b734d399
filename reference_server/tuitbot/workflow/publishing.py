"""Mutations of X for callers other than tools: account limits, the gate, the act, the books."""

from collections.abc import Mapping

from reference_server.application import Json
from reference_server.tuitbot.toolkit.writes import post_thread, post_tweet
from reference_server.tuitbot.workflow.bookkeeping import account_limits, record_done, record_held_back
from reference_server.tuitbot.workflow.context import WorkflowContext
from reference_server.tuitbot.workflow.policy.decision import Allow, Deny, DryRun, RouteToApproval
from reference_server.tuitbot.workflow.policy.gate import PolicyGate
from reference_server.tuitbot.x.protocol import Draft


def publish(ctx: WorkflowContext, gate: PolicyGate, tool: str, params: Mapping[str, Json]) -> str:
    """Posts, replies or posts a thread, if nothing holds it back: done, routed, dry_run, denied or limited.

    `tool` and `params` are those of x_post_tweet, x_reply_to_tweet or x_post_thread. Raises the layers' errors.
    """
    if account_limit_reached(ctx, tool):
        return "limited"
    match gate.evaluate(ctx, tool, params):
        case Allow():
            record_done(ctx, tool, params, _send(ctx, tool, params))
            gate.limits.count(ctx, tool)
            return "done"
        case RouteToApproval(_, reason, _):
            record_held_back(ctx, tool, "routed", reason)
            return "routed"
        case DryRun(_, _, rule_id):
            record_held_back(ctx, tool, "dry_run", rule_id)
            return "dry_run"
        case Deny(_, message, _):
            record_held_back(ctx, tool, "denied", message)
            return "denied"


def account_limit_reached(ctx: WorkflowContext, tool: str) -> bool:
    """Whether the account has done enough of it for the day or week."""
    now = ctx.clock.now()
    return any(
        limit.match_value == tool
        and ctx.db.counters.current(limit.key, limit.period_seconds, now).count >= limit.max_count
        for limit in account_limits(ctx)
    )


def _send(ctx: WorkflowContext, tool: str, params: Mapping[str, Json]) -> dict[str, Json]:
    if tool == "x_post_thread":
        return post_thread(ctx.x_client, params["tweets"])
    return post_tweet(ctx.x_client, Draft(params["text"], in_reply_to=params.get("in_reply_to_id")))
