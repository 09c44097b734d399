"""Tweets that were found and may be answered."""

from dataclasses import asdict, dataclass, field, replace

from reference_server.application import Json


@dataclass(frozen=True, slots=True)
class Found:
    """A tweet as it was when it was found."""

    id: str
    author_id: str
    author_username: str
    content: str
    like_count: int
    retweet_count: int
    reply_count: int
    impression_count: int
    relevance_score: float
    matched_keyword: str | None
    discovered_at: str
    replied_to: bool = False

    def shown(self) -> dict[str, Json]:
        """As get_discovery_feed lists it."""
        return asdict(self)


@dataclass(slots=True)
class Discovery:
    """The cache of found tweets by id."""

    tweets: dict[str, Found] = field(default_factory=dict)

    def keep(self, found: Found) -> None:
        """Keeps a tweet; that it was answered is not forgotten when it is found again."""
        known = self.tweets.get(found.id)
        self.tweets[found.id] = replace(found, replied_to=known.replied_to) if known else found

    def answered(self, tweet_id: str) -> None:
        """Marks a tweet as answered, if it is known."""
        if tweet_id in self.tweets:
            self.tweets[tweet_id] = replace(self.tweets[tweet_id], replied_to=True)

    def best(self, minimum: float) -> list[Found]:
        """Those from a score on, the best first."""
        kept = [found for found in self.tweets.values() if found.relevance_score >= minimum]
        return sorted(kept, key=lambda found: found.relevance_score, reverse=True)
