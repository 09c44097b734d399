"""Likes, retweets, bookmarks and follows, raw; doing again what is done already changes nothing. Raise ToolkitError."""

from reference_server.application import Json
from reference_server.tuitbot.toolkit.asking import asking_x
from reference_server.tuitbot.x.protocol import XClient


def like_tweet(client: XClient, tweet_id: str) -> dict[str, Json]:
    """Likes a tweet."""
    with asking_x():
        client.like(tweet_id)
    return {"liked": True, "tweet_id": tweet_id}


def unlike_tweet(client: XClient, tweet_id: str) -> dict[str, Json]:
    """Takes a like back."""
    with asking_x():
        client.unlike(tweet_id)
    return {"liked": False, "tweet_id": tweet_id}


def retweet(client: XClient, tweet_id: str) -> dict[str, Json]:
    """Retweets a tweet."""
    with asking_x():
        client.retweet(tweet_id)
    return {"retweeted": True, "tweet_id": tweet_id}


def unretweet(client: XClient, tweet_id: str) -> dict[str, Json]:
    """Takes a retweet back."""
    with asking_x():
        client.unretweet(tweet_id)
    return {"retweeted": False, "tweet_id": tweet_id}


def bookmark_tweet(client: XClient, tweet_id: str) -> dict[str, Json]:
    """Bookmarks a tweet."""
    with asking_x():
        client.bookmark(tweet_id)
    return {"bookmarked": True, "tweet_id": tweet_id}


def unbookmark_tweet(client: XClient, tweet_id: str) -> dict[str, Json]:
    """Takes a bookmark away."""
    with asking_x():
        client.unbookmark(tweet_id)
    return {"bookmarked": False, "tweet_id": tweet_id}


def follow_user(client: XClient, target_user_id: str) -> dict[str, Json]:
    """Follows a user. InvalidInputError: oneself."""
    with asking_x():
        client.follow(target_user_id)
    return {"following": True, "target_user_id": target_user_id}


def unfollow_user(client: XClient, target_user_id: str) -> dict[str, Json]:
    """Stops following a user."""
    with asking_x():
        client.unfollow(target_user_id)
    return {"following": False, "target_user_id": target_user_id}
