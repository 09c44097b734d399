"""Writes to X, raw: no policy, no limits, no approval (Architecture decisions, AD-04). All raise `ToolkitError`."""

from collections.abc import Sequence

from reference_server.application import Json
from reference_server.tuitbot.toolkit.asking import asking_x
from reference_server.tuitbot.toolkit.errors import InvalidInputError, ThreadPartialFailureError, ToolkitError
from reference_server.tuitbot.x.protocol import Draft, XClient


def post_tweet(client: XClient, draft: Draft) -> dict[str, Json]:
    """Posts a tweet, a reply or a quote; `{id, text}` of the new tweet. NotFoundError: what it answers or quotes."""
    with asking_x():
        posted = client.post(draft)
    return {"id": posted["id"], "text": posted["text"]}


def delete_tweet(client: XClient, tweet_id: str) -> dict[str, Json]:
    """Deletes a tweet of the own account. XForbiddenError: another's."""
    with asking_x():
        client.delete(tweet_id)
    return {"deleted": True, "tweet_id": tweet_id}


def check_thread(tweets: Sequence[str], media_ids: Sequence[Sequence[str]]) -> None:
    """InvalidInputError: a thread of nothing, or media for more tweets than it has."""
    if not tweets:
        raise InvalidInputError("a thread has at least one tweet")
    if len(media_ids) > len(tweets):
        raise InvalidInputError(f"media_ids has {len(media_ids)} entries for {len(tweets)} tweets")


def post_thread(client: XClient, tweets: Sequence[str], media_ids: Sequence[Sequence[str]] = ()) -> dict[str, Json]:
    """Posts each tweet as a reply to the one before; `media_ids` holds each tweet's media by position.

    ThreadPartialFailureError: one failed after the first; what was posted stays, nothing after it is sent.
    """
    check_thread(tweets, media_ids)
    posted: list[str] = []
    for index, text in enumerate(tweets):
        media = tuple(media_ids[index]) if index < len(media_ids) else ()
        try:
            tweet = post_tweet(client, Draft(text, media, in_reply_to=posted[-1] if posted else None))
        except ToolkitError as error:
            if not posted:
                raise
            raise ThreadPartialFailureError(posted, index, error) from error
        posted.append(tweet["id"])
    return {"thread_tweet_ids": posted, "tweet_count": len(posted), "root_tweet_id": posted[0]}
