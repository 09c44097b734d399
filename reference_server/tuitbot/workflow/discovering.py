"""Finding tweets that may be answered."""

from typing import Final

from reference_server.application import Json
from reference_server.tuitbot.store.discovery import Found
from reference_server.tuitbot.toolkit import reads
from reference_server.tuitbot.toolkit.errors import InvalidInputError
from reference_server.tuitbot.toolkit.scoring import Score, ScoringInput, matched_keywords, score_tweet
from reference_server.tuitbot.workflow.context import WorkflowContext
from reference_server.tuitbot.x.protocol import Window

STRONG_ABOVE: Final = 15.0
"""Points over the threshold from which an answer is strongly advised."""
SEARCHED: Final = 100
"""Tweets that one search looks at."""


def check_query(query: str | None) -> None:
    """InvalidInputError: a query of nothing but white space."""
    if query is not None and not query.strip():
        raise InvalidInputError("query is blank")


def find_reply_opportunities(
    ctx: WorkflowContext, query: str | None, min_score: float | None, limit: int, since_id: str | None
) -> dict[str, Json]:
    """Searches X, scores what it finds, keeps it for later; the best first.

    Without a query: the product's keywords. Without min_score nothing is left out; the threshold advises only.
    """
    asked = query if query is not None else _keywords_query(ctx)
    threshold = min_score if min_score is not None else ctx.config.scoring.threshold
    page = reads.search_tweets(ctx.x_client, asked, Window(SEARCHED, since_id=since_id))
    users = {user["id"]: user for user in page["includes"]["users"]}
    candidates = [_candidate(ctx, tweet, users[tweet["author_id"]], threshold) for tweet in page["data"]]
    wanted = [each for each in candidates if min_score is None or each["score_total"] >= min_score]
    wanted.sort(key=lambda candidate: candidate["score_total"], reverse=True)
    return {"candidates": wanted[:limit], "total_found": len(candidates), "query": asked, "threshold": threshold}


def discovery_feed(ctx: WorkflowContext, min_score: float, limit: int) -> list[dict[str, Json]]:
    """Kept tweets from a score on, the best first."""
    return [found.shown() for found in ctx.db.discovery.best(min_score)[:limit]]


def unreplied(ctx: WorkflowContext, threshold: float) -> list[dict[str, Json]]:
    """Kept tweets that wait for an answer."""
    return [found.shown() for found in ctx.db.discovery.best(threshold) if not found.replied_to]


def target_accounts(ctx: WorkflowContext) -> list[dict[str, Json]]:
    """The accounts that the business wants to be in touch with, and how far that went."""
    handles = {found.author_id: found.author_username for found in ctx.db.discovery.tweets.values()}
    shown: list[dict[str, Json]] = []
    for username in ctx.config.business.target_accounts:
        sent = [
            reply
            for reply in ctx.db.activity.replies
            if reply.target_author_id is not None and handles.get(reply.target_author_id) == username
        ]
        shown.append(
            {
                "account_id": sent[-1].target_author_id if sent else None,
                "username": username,
                "followed_at": None,
                "first_engagement_at": ctx.clock.instant(sent[0].at) if sent else None,
                "total_replies_sent": len(sent),
                "last_reply_at": ctx.clock.instant(sent[-1].at) if sent else None,
                "status": "active" if sent else "new",
            }
        )
    return shown


def scored(ctx: WorkflowContext, tweet: dict[str, Json], author: dict[str, Json]) -> Score:
    """The score of a tweet object of X."""
    metrics = tweet["public_metrics"]
    given = ScoringInput(
        tweet["text"],
        author["public_metrics"]["followers_count"],
        metrics["like_count"],
        metrics["retweet_count"],
        metrics["reply_count"],
        tweet["created_at"],
    )
    return score_tweet(given, ctx.config.scoring_config, ctx.clock.now())


def _candidate(
    ctx: WorkflowContext, tweet: dict[str, Json], author: dict[str, Json], threshold: float
) -> dict[str, Json]:
    score = scored(ctx, tweet, author)
    keywords = matched_keywords(tweet["text"], ctx.config.business.product_keywords)
    metrics = tweet["public_metrics"]
    ctx.db.discovery.keep(
        Found(
            id=tweet["id"],
            author_id=author["id"],
            author_username=author["username"],
            content=tweet["text"],
            like_count=metrics["like_count"],
            retweet_count=metrics["retweet_count"],
            reply_count=metrics["reply_count"],
            impression_count=metrics["impression_count"],
            relevance_score=score.total,
            matched_keyword=next(iter(keywords), None),
            discovered_at=ctx.clock.instant(),
        )
    )
    parts = score.shown()
    return {
        "tweet_id": tweet["id"],
        "author_id": author["id"],
        "author_username": author["username"],
        "author_followers": author["public_metrics"]["followers_count"],
        "text": tweet["text"],
        "created_at": tweet["created_at"],
        "score_total": score.total,
        "score_breakdown": {name: parts[name] for name in parts if name not in ("total", "meets_threshold")},
        "matched_keywords": keywords,
        "recommended_action": _advice(score.total, threshold),
        "already_replied": ctx.db.discovery.tweets[tweet["id"]].replied_to,
    }


def _advice(total: float, threshold: float) -> str:
    if total >= threshold + STRONG_ABOVE:
        return "strong_reply"
    return "consider" if total >= threshold else "skip"


def _keywords_query(ctx: WorkflowContext) -> str:
    return " OR ".join(f'"{keyword}"' for keyword in ctx.config.business.product_keywords)
