"""What the bot did and how the account fares."""

from collections import Counter
from dataclasses import asdict

from reference_server.application import Json
from reference_server.tuitbot.store.content import Snapshot
from reference_server.tuitbot.workflow.context import WorkflowContext
from reference_server.tuitbot.workflow.days import DAY_S, HOUR_S, day_start
from reference_server.tuitbot.workflow.topics import top_topics


def get_stats(ctx: WorkflowContext, days: int) -> dict[str, Json]:
    """Followers of the last days and what was measured in them."""
    posts = [post for post in ctx.db.content.measured if post.at >= ctx.clock.now() - days * DAY_S]
    return {
        "follower_trend": follower_trend(ctx, days),
        "net_follower_change_7d": _net_change(ctx.db.content.snapshots[-7:]),
        "net_follower_change_30d": _net_change(ctx.db.content.snapshots[-30:]),
        "top_topics": top_topics(ctx),
        "avg_reply_engagement": 0.0,
        "avg_tweet_engagement": round(sum(post.performance for post in posts) / len(posts), 2) if posts else 0.0,
        "replies_measured": 0,
        "tweets_measured": len(posts),
    }


def follower_trend(ctx: WorkflowContext, limit: int) -> list[dict[str, Json]]:
    """The latest snapshots, oldest first."""
    snapshots = ctx.db.content.snapshots
    return [asdict(snapshot) for snapshot in snapshots[max(0, len(snapshots) - limit) :]]


def action_log(ctx: WorkflowContext, since_hours: int, action_type: str | None) -> list[dict[str, Json]]:
    """Entries of the last hours, oldest first."""
    return [
        {
            "id": action.id,
            "action_type": action.action_type,
            "status": action.status,
            "message": action.message,
            "metadata": action.metadata,
            "created_at": ctx.clock.instant(action.at),
        }
        for action in ctx.db.activity.actions_since(_hours_ago(ctx, since_hours))
        if action_type is None or action.action_type == action_type
    ]


def action_counts(ctx: WorkflowContext, since_hours: int) -> dict[str, Json]:
    """How often each action was done in the last hours."""
    actions = ctx.db.activity.actions_since(_hours_ago(ctx, since_hours))
    return dict(Counter(action.action_type for action in actions if action.status == "success"))


def recent_replies(ctx: WorkflowContext, since_hours: int) -> list[dict[str, Json]]:
    """Replies sent in the last hours, oldest first."""
    return [
        {
            "id": reply.id,
            "target_tweet_id": reply.target_tweet_id,
            "reply_tweet_id": reply.reply_tweet_id,
            "reply_content": reply.content,
            "llm_provider": None,
            "llm_model": None,
            "created_at": ctx.clock.instant(reply.at),
            "status": "sent",
            "error_message": None,
        }
        for reply in ctx.db.activity.replies_since(_hours_ago(ctx, since_hours))
    ]


def reply_count_today(ctx: WorkflowContext) -> dict[str, Json]:
    """Replies sent on this UTC day."""
    return {"replies_today": len(ctx.db.activity.replies_since(day_start(ctx.clock.now())))}


def _hours_ago(ctx: WorkflowContext, hours: int) -> float:
    return ctx.clock.now() - hours * HOUR_S


def _net_change(snapshots: list[Snapshot]) -> int:
    return snapshots[-1].follower_count - snapshots[0].follower_count if snapshots else 0
