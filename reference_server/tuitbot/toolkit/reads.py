"""Reads of X: one call each. All raise `ToolkitError`."""

from collections.abc import Sequence
from typing import Final

from reference_server.application import Json
from reference_server.tuitbot.toolkit.asking import asking_x
from reference_server.tuitbot.toolkit.errors import InvalidInputError
from reference_server.tuitbot.x.protocol import Window, XClient

MOST_USERS: Final = 100
"""Ids that one lookup may name."""


def get_me(client: XClient) -> dict[str, Json]:
    """The client's own account."""
    with asking_x():
        return client.me()


def get_tweet(client: XClient, tweet_id: str) -> dict[str, Json]:
    """One tweet. NotFoundError: X does not know it."""
    with asking_x():
        return client.tweet(tweet_id)


def get_user(client: XClient, user_id: str) -> dict[str, Json]:
    """One user by id. NotFoundError: X does not know it."""
    with asking_x():
        return client.user(user_id)


def get_user_by_username(client: XClient, username: str) -> dict[str, Json]:
    """One user by handle, in any case, with or without the @. NotFoundError: X does not know it."""
    with asking_x():
        return client.user_by_username(username)


def check_user_ids(user_ids: Sequence[str]) -> None:
    """InvalidInputError: not 1 to 100 ids."""
    if not 1 <= len(user_ids) <= MOST_USERS:
        raise InvalidInputError(f"user_ids names {len(user_ids)} users; 1 to {MOST_USERS} are allowed")


def get_users(client: XClient, user_ids: Sequence[str]) -> dict[str, Json]:
    """Those of up to 100 users that X knows, `{data, meta}`."""
    check_user_ids(user_ids)
    with asking_x():
        return client.users(user_ids)


def search_tweets(client: XClient, query: str, window: Window) -> dict[str, Json]:
    """Tweets that answer the query, newest first, `{data, includes, meta}`."""
    with asking_x():
        return client.search(query, window)


def get_mentions(client: XClient, window: Window) -> dict[str, Json]:
    """Tweets that mention the own account or reply to it, newest first."""
    with asking_x():
        return client.mentions(window)


def get_home_timeline(client: XClient, window: Window) -> dict[str, Json]:
    """Tweets of the own account and of those it follows, newest first."""
    with asking_x():
        return client.home_timeline(window)


def get_user_tweets(client: XClient, user_id: str, window: Window) -> dict[str, Json]:
    """A user's tweets, newest first."""
    with asking_x():
        return client.user_tweets(user_id, window)


def get_liked_tweets(client: XClient, user_id: str, window: Window) -> dict[str, Json]:
    """Tweets that a user likes, newest tweet first."""
    with asking_x():
        return client.liked_tweets(user_id, window)


def get_bookmarks(client: XClient, window: Window) -> dict[str, Json]:
    """The own account's bookmarks, newest tweet first."""
    with asking_x():
        return client.bookmarks(window)


def get_followers(client: XClient, user_id: str, window: Window) -> dict[str, Json]:
    """Accounts that follow a user, `{data, meta}`."""
    with asking_x():
        return client.followers(user_id, window)


def get_following(client: XClient, user_id: str, window: Window) -> dict[str, Json]:
    """Accounts that a user follows, `{data, meta}`."""
    with asking_x():
        return client.following(user_id, window)


def get_liking_users(client: XClient, tweet_id: str, window: Window) -> dict[str, Json]:
    """Accounts that like a tweet, `{data, meta}`."""
    with asking_x():
        return client.liking_users(tweet_id, window)
