"""How much a tweet is worth answering: a function of the tweet, the weights and the time, nothing else (AD-02)."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from itertools import pairwise
from typing import Final

from reference_server.application import Json


@dataclass(frozen=True, slots=True)
class ScoringConfig:
    """What each signal can add, and from which total on a tweet is worth an answer."""

    threshold: float = 60.0
    keyword_relevance_max: float = 25.0
    follower_count_max: float = 15.0
    recency_max: float = 10.0
    engagement_rate_max: float = 15.0
    reply_count_max: float = 15.0
    content_type_max: float = 10.0
    keywords: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ScoringInput:
    """A tweet as scoring sees it. `created_at` is RFC 3339; without offset UTC; what does not parse counts as old."""

    text: str
    author_followers: int
    likes: int
    retweets: int
    replies: int
    created_at: str


@dataclass(frozen=True, slots=True)
class Score:
    """The parts, their sum (0 to 100) and whether it reaches the threshold."""

    total: float
    keyword_relevance: float
    follower: float
    recency: float
    engagement: float
    reply_count: float
    content_type: float
    meets_threshold: bool

    def shown(self) -> dict[str, Json]:
        """As JSON, field by field."""
        return asdict(self)


RECENCY: Final = ((5, 1.0), (30, 0.8), (60, 0.5), (360, 0.25))
"""Up to so many minutes of age, so much of the maximum."""
AUDIENCE: Final = ((0, 0.0), (1_000, 0.5), (10_000, 1.0), (100_000, 0.25))
"""Followers and the share of the maximum: to few nobody listens, among many nobody hears."""
FULL_ENGAGEMENT: Final = 0.05
"""Share of the followers whose reaction counts as full engagement."""
CROWDED: Final = 20
"""Replies from which one more goes unread."""


def score_tweet(tweet: ScoringInput, config: ScoringConfig, now: float) -> Score:
    """Scores a tweet at the time `now`, seconds since the epoch."""
    score = Score(
        total=0.0,
        keyword_relevance=round(config.keyword_relevance_max * _keywords(tweet.text, config.keywords), 2),
        follower=round(config.follower_count_max * _audience(tweet.author_followers), 2),
        recency=round(config.recency_max * _recency(tweet.created_at, now), 2),
        engagement=round(config.engagement_rate_max * _engagement(tweet), 2),
        reply_count=round(config.reply_count_max * max(0.0, 1 - tweet.replies / CROWDED), 2),
        content_type=config.content_type_max,
        meets_threshold=False,
    )
    parts = (score.keyword_relevance, score.follower, score.recency, score.engagement, score.reply_count)
    total = round(min(100.0, max(0.0, sum(parts) + score.content_type)), 2)
    return replace(score, total=total, meets_threshold=total >= config.threshold)


def matched_keywords(text: str, keywords: Sequence[str]) -> list[str]:
    """The keywords that the text holds, in any case."""
    lowered = text.lower()
    return [keyword for keyword in keywords if keyword.lower() in lowered]


def _keywords(text: str, keywords: Sequence[str]) -> float:
    """A keyword of several words says more than one word: it weighs double."""
    weights = {keyword: 2 if len(keyword.split()) > 1 else 1 for keyword in keywords}
    if not weights:
        return 0.0
    return sum(weights[keyword] for keyword in matched_keywords(text, list(weights))) / sum(weights.values())


def _audience(followers: int) -> float:
    """Between the points of AUDIENCE in a straight line."""
    for (start, low), (end, high) in pairwise(AUDIENCE):
        if followers < end:
            return low + (followers - start) / (end - start) * (high - low)
    return AUDIENCE[-1][1]


def _recency(created_at: str, now: float) -> float:
    try:
        at = datetime.fromisoformat(created_at)
        age_minutes = (now - (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp()) / 60
    except (ValueError, OverflowError):
        return 0.0
    return next((share for limit, share in RECENCY if age_minutes <= limit), 0.0)


def _engagement(tweet: ScoringInput) -> float:
    if tweet.author_followers == 0:
        return 0.0
    reactions = tweet.likes + tweet.retweets + tweet.replies
    return min(1.0, reactions / tweet.author_followers / FULL_ENGAGEMENT)
