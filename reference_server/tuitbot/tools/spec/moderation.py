"""Endpoints of blocks, mutes, hidden replies and the pinned tweet."""

from typing import Final

from reference_server.tuitbot.toolkit import moderation
from reference_server.tuitbot.tools.definition import LATER
from reference_server.tuitbot.tools.parameters import Parameter
from reference_server.tuitbot.tools.spec.endpoint import EndpointDef
from reference_server.tuitbot.tools.spec.parameters import (
    OF_A_TWEET,
    OWN,
    PAGE,
    TARGET,
    TWEET,
    USER_FIELDS,
    asked,
    window,
)

READERS: Final = ("api-readonly", "write", "admin")
BLOCKS, MUTES = ("block.write", "users.read"), ("mute.write", "users.read")
MODERATE: Final = ("tweet.read", "tweet.moderate.write")
PIN: Final = ("tweet.read", "users.read", "tweet.write")
HIDDEN: Final = Parameter("hidden", {"type": "boolean"}, description="true hides the reply, false shows it again")
SHOW_TWEETS: Final = ("get_tweet_by_id", "x_v2_tweets_lookup")
SHOW_PINNED: Final = ("x_get_user_by_id", "x_get_user_by_username", "x_v2_users_lookup_by_usernames")

ENDPOINTS: Final = (
    EndpointDef(
        "blocks_create", "Blocks a user.", "POST", "/2/users/{user_id}/blocking", "moderation", BLOCKS, LATER,
        (OWN, TARGET),
        lambda c: moderation.block_user(c.ctx.x_client, c["user_id"], c["target_user_id"]),
        ("x_v2_blocks_list", "x_get_following", "x_get_followers"),
    ),
    EndpointDef(
        "blocks_delete", "Stops blocking a user.", "DELETE", "/2/users/{user_id}/blocking/{target_user_id}",
        "moderation", BLOCKS, LATER, (OWN, TARGET),
        lambda c: moderation.unblock_user(c.ctx.x_client, c["user_id"], c["target_user_id"]),
        ("x_v2_blocks_list",),
    ),
    EndpointDef(
        "blocks_list", "Whom the own account blocks.", "GET", "/2/users/{user_id}/blocking", "moderation",
        ("block.read", "users.read"), READERS, (OWN, *PAGE, USER_FIELDS),
        lambda c: moderation.get_blocked(c.ctx.x_client, c["user_id"], window(c), asked(c)),
    ),
    EndpointDef(
        "mutes_create", "Mutes a user.", "POST", "/2/users/{user_id}/muting", "moderation", MUTES, LATER, (OWN, TARGET),
        lambda c: moderation.mute_user(c.ctx.x_client, c["user_id"], c["target_user_id"]),
        ("x_v2_mutes_list",),
    ),
    EndpointDef(
        "mutes_delete", "Stops muting a user.", "DELETE", "/2/users/{user_id}/muting/{target_user_id}", "moderation",
        MUTES, LATER, (OWN, TARGET),
        lambda c: moderation.unmute_user(c.ctx.x_client, c["user_id"], c["target_user_id"]),
        ("x_v2_mutes_list",),
    ),
    EndpointDef(
        "mutes_list", "Whom the own account mutes.", "GET", "/2/users/{user_id}/muting", "moderation",
        ("mute.read", "users.read"), READERS, (OWN, *PAGE, USER_FIELDS),
        lambda c: moderation.get_muted(c.ctx.x_client, c["user_id"], window(c), asked(c)),
    ),
    EndpointDef(
        "tweets_hide_reply", "Hides a reply to an own tweet.", "PUT", "/2/tweets/{id}/hidden", "moderation", MODERATE,
        LATER, (OF_A_TWEET, HIDDEN),
        lambda c: moderation.hide_reply(c.ctx.x_client, c["id"], hidden=c["hidden"]),
        SHOW_TWEETS,
    ),
    EndpointDef(
        "tweets_unhide_reply", "Shows a hidden reply again.", "PUT", "/2/tweets/{id}/hidden", "moderation", MODERATE,
        LATER, (OF_A_TWEET, HIDDEN),
        lambda c: moderation.hide_reply(c.ctx.x_client, c["id"], hidden=c["hidden"]),
        SHOW_TWEETS,
    ),
    EndpointDef(
        "users_pin_tweet", "Pins an own tweet.", "PUT", "/2/users/{user_id}/pinned_tweet", "engage", PIN, LATER,
        (OWN, TWEET),
        lambda c: moderation.pin_tweet(c.ctx.x_client, c["user_id"], c["tweet_id"]),
        SHOW_PINNED,
    ),
    EndpointDef(
        "users_unpin_tweet", "Takes the pinned tweet down.", "DELETE", "/2/users/{user_id}/pinned_tweet", "engage", PIN,
        LATER, (OWN,),
        lambda c: moderation.unpin_tweet(c.ctx.x_client, c["user_id"]),
        SHOW_PINNED,
    ),
)  # fmt: skip
