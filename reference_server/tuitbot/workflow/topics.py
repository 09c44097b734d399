"""Which topics fare well."""

from collections.abc import Sequence
from typing import Final, Protocol

from reference_server.application import Json
from reference_server.tuitbot.store.content import Measured
from reference_server.tuitbot.workflow.context import WorkflowContext
from reference_server.tuitbot.workflow.days import DAY_S
from reference_server.tuitbot.workflow.errors import TopicAnalysisError

FEWEST_POSTS: Final = 3
"""Posts below which a topic's average says little."""
GOOD: Final = 1.5
POOR: Final = 0.5
"""Ratios to the overall average."""
MOST_SUGGESTED: Final = 10


class TopicAnalysis(Protocol):
    """Groups measured posts by topic. Raises `TopicAnalysisError`."""

    def group(self, posts: Sequence[Measured]) -> dict[str, list[Measured]]:
        """Posts by topic."""


class LabelledTopics:
    """Takes each post's own topic. Implements `TopicAnalysis`."""

    def group(self, posts: Sequence[Measured]) -> dict[str, list[Measured]]:
        """Posts by their label, in the order of first use."""
        groups: dict[str, list[Measured]] = {}
        for post in posts:
            groups.setdefault(post.topic, []).append(post)
        return groups


class UnavailableTopics:
    """An analysis that is down. Implements `TopicAnalysis`."""

    def group(self, posts: Sequence[Measured]) -> dict[str, list[Measured]]:
        """Always raises `TopicAnalysisError`."""
        raise TopicAnalysisError(f"the analysis of {len(posts)} posts failed")


def topic_performance(ctx: WorkflowContext, lookback_days: int, analysis: TopicAnalysis) -> dict[str, Json]:
    """The topics of the last days, the best first. TopicAnalysisError: the analysis failed."""
    since = ctx.clock.now() - lookback_days * DAY_S
    posts = [post for post in ctx.db.content.measured if post.at >= since]
    overall = _average(posts)
    topics = [_topic(topic, group, overall) for topic, group in analysis.group(posts).items()]
    topics.sort(key=lambda topic: topic["avg_performance"], reverse=True)
    return {
        "lookback_days": lookback_days,
        "topics": topics,
        "overall_avg_performance": overall,
        "total_posts_analyzed": len(posts),
    }


def top_topics(ctx: WorkflowContext) -> list[dict[str, Json]]:
    """Topic and format with their averages over all time, the best first, ten at most."""
    groups: dict[tuple[str, str], list[Measured]] = {}
    for post in ctx.db.content.measured:
        groups.setdefault((post.topic, post.format), []).append(post)
    rows: list[dict[str, Json]] = [
        {"topic": topic, "format": kind, "total_posts": len(group), "avg_performance": _average(group)}
        for (topic, kind), group in groups.items()
    ]
    return sorted(rows, key=lambda row: row["avg_performance"], reverse=True)[:MOST_SUGGESTED]


def _topic(topic: str, posts: list[Measured], overall: float) -> dict[str, Json]:
    average = _average(posts)
    ratio = round(average / overall, 2) if overall else 0.0
    best = max(posts, key=lambda post: post.performance)
    return {
        "topic": topic,
        "post_count": len(posts),
        "avg_performance": average,
        "performance_vs_average": ratio,
        "recommendation": _recommendation(len(posts), ratio),
        "provenance": {
            "best_content_preview": best.preview,
            "best_performance_score": best.performance,
            "worst_performance_score": min(post.performance for post in posts),
        },
    }


def _recommendation(posts: int, ratio: float) -> str:
    if posts < FEWEST_POSTS:
        return "experiment"
    if ratio > GOOD:
        return "double_down"
    return "reduce" if ratio < POOR else "maintain"


def _average(posts: Sequence[Measured]) -> float:
    return round(sum(post.performance for post in posts) / len(posts), 2) if posts else 0.0
