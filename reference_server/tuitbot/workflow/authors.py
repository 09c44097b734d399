"""What is known of an author, and whether to answer."""

from collections import Counter
from typing import Final

from reference_server.application import Json
from reference_server.tuitbot.store.activity import Reply
from reference_server.tuitbot.toolkit import reads
from reference_server.tuitbot.toolkit.errors import NotFoundError, ToolkitError
from reference_server.tuitbot.toolkit.safety import banned_phrase, is_self_reply
from reference_server.tuitbot.toolkit.scoring import matched_keywords
from reference_server.tuitbot.workflow.context import WorkflowContext
from reference_server.tuitbot.workflow.days import day
from reference_server.tuitbot.workflow.errors import AuthorContextError, RecommendationError
from reference_server.tuitbot.workflow.reply_safety import replies_today

HISTORY: Final = 10
"""Latest replies that the context shows."""
FEW_FOLLOWERS: Final = 20
REPLY_FROM: Final = 0.5
OBSERVE_FROM: Final = 0.25


def get_author_context(ctx: WorkflowContext, identifier: str) -> dict[str, Json]:
    """By handle or id. AuthorContextError: X fails, or does not know the author."""
    try:
        author = _author(ctx, identifier)
    except ToolkitError as error:
        raise AuthorContextError(f"the context of {identifier!r} cannot be looked up: {error}") from error
    sent = _replies_to(ctx, author["id"])
    posts = [found for found in ctx.db.discovery.tweets.values() if found.author_id == author["id"]]
    keywords = Counter(
        keyword for post in posts for keyword in matched_keywords(post.content, ctx.config.business.product_keywords)
    )
    return {
        "author_username": author["username"],
        "author_id": author["id"],
        "interaction_summary": {
            "total_replies_sent": len(sent),
            "replies_today": replies_today(ctx, author["id"]),
            "first_interaction": ctx.clock.instant(sent[0].at) if sent else None,
            "last_interaction": ctx.clock.instant(sent[-1].at) if sent else None,
            "distinct_days_active": len({day(reply.at) for reply in sent}),
        },
        "conversation_history": [
            {"tweet_id": reply.target_tweet_id, "reply": reply.content, "at": ctx.clock.instant(reply.at)}
            for reply in sent[-HISTORY:]
        ],
        "topic_affinity": [{"keyword": word, "mention_count": count} for word, count in keywords.most_common()],
        "risk_signals": _risks(ctx, author),
        "response_metrics": {
            "replies_with_engagement": 0,
            "replies_measured": 0,
            "response_rate": 0.0,
            "avg_performance_score": 0.0,
        },
    }


def recommend_engagement(
    ctx: WorkflowContext, author_username: str, tweet_text: str, campaign_objective: str | None
) -> dict[str, Json]:
    """Reply, observe or skip. RecommendationError: X fails, or does not know the author."""
    try:
        author = reads.get_user_by_username(ctx.x_client, author_username)
    except ToolkitError as error:
        raise RecommendationError(f"no recommendation for @{author_username}: {error}") from error
    keywords = matched_keywords(tweet_text, ctx.config.business.product_keywords)
    objective = campaign_objective is not None and campaign_objective.lower() in tweet_text.lower()
    followers = author["public_metrics"]["followers_count"]
    factors = [
        _factor("keywords", 0.5 if keywords else 0.0, f"matches {', '.join(keywords) or 'none'}"),
        _factor("question", 0.2 if "?" in tweet_text else 0.0, "asks something" if "?" in tweet_text else "states"),
        _factor("audience", 0.2 if followers > FEW_FOLLOWERS else 0.0, f"{followers} followers"),
        _factor("objective", 0.1 if objective else 0.0, campaign_objective or "none given"),
    ]
    considerations = _considerations(ctx, author, tweet_text)
    confidence = round(sum(factor["weight"] for factor in factors), 2)
    held_back = any(each["status"] == "violated" for each in considerations)
    return {
        "recommended_action": "skip" if held_back else _action(confidence),
        "confidence": confidence,
        "contributing_factors": factors,
        "policy_considerations": considerations,
    }


def _author(ctx: WorkflowContext, identifier: str) -> dict[str, Json]:
    if not identifier.isdigit():
        return reads.get_user_by_username(ctx.x_client, identifier)
    try:
        return reads.get_user(ctx.x_client, identifier)
    except NotFoundError:
        # a handle may consist of digits alone
        return reads.get_user_by_username(ctx.x_client, identifier)


def _replies_to(ctx: WorkflowContext, author_id: str) -> list[Reply]:
    return [reply for reply in ctx.db.activity.replies if reply.target_author_id == author_id]


def _risks(ctx: WorkflowContext, author: dict[str, Json]) -> list[dict[str, Json]]:
    risks: list[dict[str, Json]] = []
    followers = author["public_metrics"]["followers_count"]
    if followers <= FEW_FOLLOWERS:
        risks.append(
            {"signal_type": "few_followers", "severity": "low", "description": f"{followers} accounts follow it"}
        )
    if replies_today(ctx, author["id"]) >= ctx.config.limits.max_replies_per_author_per_day:
        risks.append(
            {"signal_type": "daily_limit", "severity": "high", "description": "the daily limit of replies is reached"}
        )
    return risks


def _considerations(ctx: WorkflowContext, author: dict[str, Json], text: str) -> list[dict[str, Json]]:
    limit = ctx.config.limits.max_replies_per_author_per_day
    today = replies_today(ctx, author["id"])
    phrase = banned_phrase(text, ctx.config.limits.banned_phrases)
    own = is_self_reply(author["id"], ctx.config.user_id)
    return [
        _consideration("author_daily_limit", f"{today} of {limit} replies today", violated=today >= limit),
        _consideration("self_reply", "the author is oneself" if own else "another author", violated=own),
        _consideration("banned_phrases", f"the tweet holds {phrase!r}" if phrase else "none", violated=False),
    ]


def _consideration(policy: str, detail: str, *, violated: bool) -> dict[str, Json]:
    return {"policy": policy, "status": "violated" if violated else "ok", "detail": detail}


def _factor(factor: str, weight: float, detail: str) -> dict[str, Json]:
    return {"factor": factor, "signal": "positive" if weight else "neutral", "weight": weight, "detail": detail}


def _action(confidence: float) -> str:
    if confidence >= REPLY_FROM:
        return "reply"
    return "observe" if confidence >= OBSERVE_FROM else "skip"
