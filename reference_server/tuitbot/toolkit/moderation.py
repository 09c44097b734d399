"""Blocks, mutes, hidden replies and the pinned tweet, raw: one call of X each. All raise `ToolkitError`."""

from reference_server.application import Json
from reference_server.tuitbot.toolkit.asking import asking_x
from reference_server.tuitbot.x.protocol import Asked, Window, XClient


def block_user(client: XClient, user_id: str, target_user_id: str) -> dict[str, Json]:
    """Blocks an account. InvalidInputError: oneself."""
    with asking_x():
        client.block(user_id, target_user_id)
    return {"data": {"blocking": True}}


def unblock_user(client: XClient, user_id: str, target_user_id: str) -> dict[str, Json]:
    """Stops blocking an account."""
    with asking_x():
        client.unblock(user_id, target_user_id)
    return {"data": {"blocking": False}}


def get_blocked(client: XClient, user_id: str, window: Window, asked: Asked) -> dict[str, Json]:
    """Accounts that the own one blocks."""
    with asking_x():
        return client.blocked(user_id, window, asked)


def mute_user(client: XClient, user_id: str, target_user_id: str) -> dict[str, Json]:
    """Mutes an account. InvalidInputError: oneself."""
    with asking_x():
        client.mute(user_id, target_user_id)
    return {"data": {"muting": True}}


def unmute_user(client: XClient, user_id: str, target_user_id: str) -> dict[str, Json]:
    """Stops muting an account."""
    with asking_x():
        client.unmute(user_id, target_user_id)
    return {"data": {"muting": False}}


def get_muted(client: XClient, user_id: str, window: Window, asked: Asked) -> dict[str, Json]:
    """Accounts that the own one mutes."""
    with asking_x():
        return client.muted(user_id, window, asked)


def hide_reply(client: XClient, tweet_id: str, *, hidden: bool) -> dict[str, Json]:
    """Hides a reply to an own tweet, or shows it again. XForbiddenError: it answers another's."""
    with asking_x():
        client.hide(tweet_id, hidden=hidden)
    return {"data": {"hidden": hidden}}


def pin_tweet(client: XClient, user_id: str, tweet_id: str) -> dict[str, Json]:
    """Puts an own tweet at the head of the profile. XForbiddenError: another's."""
    with asking_x():
        client.pin_tweet(user_id, tweet_id)
    return {"data": {"pinned": True}}


def unpin_tweet(client: XClient, user_id: str) -> dict[str, Json]:
    """Takes the pinned tweet off the head of the profile."""
    with asking_x():
        client.unpin_tweet(user_id)
    return {"data": {"pinned": False}}
