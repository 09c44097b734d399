"""What X knows: accounts, tweets and who did what to them."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Final, Literal

from reference_server.application import Json
from reference_server.conditions import Clock

FIRST_TWEET_ID: Final = 1_900_000_000_000_000_000
"""Tweet ids rise with time, as X's do, and exceed what a double holds exactly: they are strings."""


@dataclass(frozen=True, slots=True)
class User:
    """An account. The two counts are of accounts outside this world."""

    id: str
    username: str
    name: str
    followers: int = 0
    following: int = 0


@dataclass(frozen=True, slots=True)
class Tweet:
    """A tweet. The three counts are of accounts outside this world."""

    id: str
    text: str
    author_id: str
    created_at: float
    conversation_id: str
    in_reply_to: str | None = None
    quoted: str | None = None
    media_ids: tuple[str, ...] = ()
    likes: int = 0
    retweets: int = 0
    replies: int = 0


@dataclass(frozen=True, slots=True)
class AccountList:
    """A list of accounts that an account keeps."""

    id: str
    name: str
    description: str
    private: bool
    owner_id: str
    created_at: float


@dataclass(frozen=True, slots=True)
class Space:
    """A live conversation. The number of participants is of accounts outside this world."""

    id: str
    title: str
    state: Literal["live", "scheduled", "ended"]
    creator_id: str
    created_at: float
    participants: int = 0
    tweet_ids: tuple[str, ...] = ()
    """Tweets that were shared in it."""
    buyer_ids: tuple[str, ...] = ()
    """Accounts that bought a ticket."""


@dataclass(slots=True)
class World:
    """One X. Relations are dicts used as ordered sets: key first acted first."""

    clock: Clock
    users: dict[str, User] = field(default_factory=dict)
    tweets: dict[str, Tweet] = field(default_factory=dict)
    likes: dict[str, dict[str, None]] = field(default_factory=dict)
    """Tweet to the users who like it."""
    retweets: dict[str, dict[str, None]] = field(default_factory=dict)
    follows: dict[str, dict[str, None]] = field(default_factory=dict)
    """User to the users whom it follows."""
    bookmarks: dict[str, dict[str, None]] = field(default_factory=dict)
    """User to its bookmarked tweets."""
    media: dict[str, str] = field(default_factory=dict)
    """Media id to media type."""
    blocks: dict[str, dict[str, None]] = field(default_factory=dict)
    """User to the users whom it blocks."""
    mutes: dict[str, dict[str, None]] = field(default_factory=dict)
    hidden: dict[str, None] = field(default_factory=dict)
    """Replies that the author of the tweet which they answer has hidden."""
    pinned: dict[str, str] = field(default_factory=dict)
    """User to the tweet at the head of its profile."""
    lists: dict[str, AccountList] = field(default_factory=dict)
    members: dict[str, dict[str, None]] = field(default_factory=dict)
    """List to the users that are on it."""
    list_followers: dict[str, dict[str, None]] = field(default_factory=dict)
    pinned_lists: dict[str, dict[str, None]] = field(default_factory=dict)
    """User to the lists at the head of its own."""
    spaces: dict[str, Space] = field(default_factory=dict)
    _answers: Counter[str] = field(default_factory=Counter)
    """Tweet to the replies that it has here."""
    _quotes: Counter[str] = field(default_factory=Counter)
    _posts: Counter[str] = field(default_factory=Counter)
    """User to its tweets."""
    _ids: Iterator[int] = field(default_factory=lambda: count(FIRST_TWEET_ID))

    def new_id(self) -> str:
        """An id that no other object has; later ones are greater."""
        return str(next(self._ids))

    def add(self, tweet: Tweet) -> Tweet:
        """Takes a tweet in."""
        self.tweets[tweet.id] = tweet
        self._count(tweet, 1)
        return tweet

    def remove(self, tweet_id: str) -> None:
        """Takes a tweet away, with everything that was done to it."""
        self._count(self.tweets.pop(tweet_id), -1)
        self.likes.pop(tweet_id, None)
        self.retweets.pop(tweet_id, None)
        self.hidden.pop(tweet_id, None)
        for marked in self.bookmarks.values():
            marked.pop(tweet_id, None)
        self.pinned = {user: pinned for user, pinned in self.pinned.items() if pinned != tweet_id}

    def drop(self, list_id: str) -> None:
        """Takes a list away, with who was on it and who followed it."""
        del self.lists[list_id]
        self.members.pop(list_id, None)
        self.list_followers.pop(list_id, None)
        for pinned in self.pinned_lists.values():
            pinned.pop(list_id, None)

    def _count(self, tweet: Tweet, by: int) -> None:
        self._posts[tweet.author_id] += by
        if tweet.in_reply_to is not None:
            self._answers[tweet.in_reply_to] += by
        if tweet.quoted is not None:
            self._quotes[tweet.quoted] += by

    def shown_user(self, user: User) -> dict[str, Json]:
        """The user object of the X API v2."""
        inside = sum(user.id in followed for followed in self.follows.values())
        shown: dict[str, Json] = {
            "id": user.id,
            "username": user.username,
            "name": user.name,
            "public_metrics": {
                "followers_count": user.followers + inside,
                "following_count": user.following + len(self.follows.get(user.id, ())),
                "tweet_count": self._posts[user.id],
            },
        }
        return {**shown, "pinned_tweet_id": self.pinned[user.id]} if user.id in self.pinned else shown

    def shown_tweet(self, tweet: Tweet) -> dict[str, Json]:
        """The tweet object of the X API v2."""
        return {
            "id": tweet.id,
            "text": tweet.text,
            "author_id": tweet.author_id,
            "created_at": self.clock.instant(tweet.created_at),
            "public_metrics": {
                "retweet_count": tweet.retweets + len(self.retweets.get(tweet.id, ())),
                "reply_count": tweet.replies + self._answers[tweet.id],
                "like_count": tweet.likes + len(self.likes.get(tweet.id, ())),
                "quote_count": self._quotes[tweet.id],
                "impression_count": 40 * (tweet.likes + tweet.retweets + tweet.replies),
                "bookmark_count": sum(tweet.id in marked for marked in self.bookmarks.values()),
            },
            "conversation_id": tweet.conversation_id,
            **({"hidden": True} if tweet.id in self.hidden else {}),
        }

    def shown_list(self, kept: AccountList) -> dict[str, Json]:
        """The list object of the X API v2."""
        return {
            "id": kept.id,
            "name": kept.name,
            "description": kept.description,
            "private": kept.private,
            "owner_id": kept.owner_id,
            "created_at": self.clock.instant(kept.created_at),
            "member_count": len(self.members.get(kept.id, ())),
            "follower_count": len(self.list_followers.get(kept.id, ())),
        }

    def shown_space(self, space: Space) -> dict[str, Json]:
        """The space object of the X API v2."""
        return {
            "id": space.id,
            "title": space.title,
            "state": space.state,
            "creator_id": space.creator_id,
            "host_ids": [space.creator_id],
            "created_at": self.clock.instant(space.created_at),
            "participant_count": space.participants,
        }
