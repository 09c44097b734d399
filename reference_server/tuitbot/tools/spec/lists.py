"""Endpoints of lists of accounts."""

from typing import Final

from reference_server.tuitbot.toolkit import lists
from reference_server.tuitbot.tools.definition import LATER
from reference_server.tuitbot.tools.parameters import Parameter, flag, text
from reference_server.tuitbot.tools.spec.endpoint import EndpointDef
from reference_server.tuitbot.tools.spec.parameters import (
    EXPANSIONS,
    LIST,
    LIST_FIELDS,
    OF_A_LIST,
    OF_TWEETS,
    OWN,
    PAGE,
    TARGET,
    USER,
    USER_FIELDS,
    asked,
    window,
)

READERS: Final = ("api-readonly", "write", "admin")
READ, READ_USERS = ("list.read",), ("list.read", "users.read")
WRITE, WRITE_USERS = ("list.write",), ("list.write", "users.read")
SHOW_LISTS: Final = ("x_v2_lists_get", "x_v2_lists_owned", "x_v2_lists_pinned")
SHOW_MEMBERS: Final = ("x_v2_lists_members", "x_v2_lists_get", "x_v2_lists_memberships", "x_v2_lists_tweets")
SHOW_FOLLOWERS: Final = ("x_v2_lists_followers", "x_v2_lists_get")
NAME: Final = text("name", "1 to 25 characters")
ABOUT: Final = text("description", "at most 100 characters", required=False)

ENDPOINTS: Final = (
    EndpointDef(
        "lists_create", "Makes a list.", "POST", "/2/lists", "list", WRITE, LATER,
        (NAME, ABOUT, flag("private", "whether the own account alone sees it")),
        lambda c: lists.create_list(c.ctx.x_client, c["name"], c["description"], private=c["private"]),
        SHOW_LISTS,
    ),
    EndpointDef(
        "lists_delete", "Deletes a list.", "DELETE", "/2/lists/{id}", "list", WRITE, LATER, (OF_A_LIST,),
        lambda c: lists.delete_list(c.ctx.x_client, c["id"]),
        SHOW_LISTS,
    ),
    EndpointDef(
        "lists_follow", "Follows a list.", "POST", "/2/users/{user_id}/followed_lists", "list", WRITE_USERS, LATER,
        (OWN, LIST),
        lambda c: lists.follow_list(c.ctx.x_client, c["user_id"], c["list_id"]),
        SHOW_FOLLOWERS,
    ),
    EndpointDef(
        "lists_followers", "Who follows a list.", "GET", "/2/lists/{id}/followers", "list", READ_USERS, READERS,
        (OF_A_LIST, *PAGE, USER_FIELDS),
        lambda c: lists.get_list_followers(c.ctx.x_client, c["id"], window(c), asked(c)),
    ),
    EndpointDef(
        "lists_get", "One list.", "GET", "/2/lists/{id}", "list", READ, READERS, (OF_A_LIST, LIST_FIELDS, EXPANSIONS),
        lambda c: lists.get_list(c.ctx.x_client, c["id"], asked(c)),
    ),
    EndpointDef(
        "lists_members", "Who is on a list.", "GET", "/2/lists/{id}/members", "list", READ_USERS, READERS,
        (OF_A_LIST, *PAGE, USER_FIELDS),
        lambda c: lists.get_members(c.ctx.x_client, c["id"], window(c), asked(c)),
    ),
    EndpointDef(
        "lists_members_add", "Puts a user on a list.", "POST", "/2/lists/{id}/members", "list", WRITE_USERS, LATER,
        (OF_A_LIST, USER),
        lambda c: lists.add_member(c.ctx.x_client, c["id"], c["user_id"]),
        SHOW_MEMBERS,
    ),
    EndpointDef(
        "lists_members_remove", "Takes a user off a list.", "DELETE", "/2/lists/{id}/members/{target_user_id}", "list",
        WRITE_USERS, LATER, (OF_A_LIST, TARGET),
        lambda c: lists.remove_member(c.ctx.x_client, c["id"], c["target_user_id"]),
        SHOW_MEMBERS,
    ),
    EndpointDef(
        "lists_memberships", "The lists that a user is on.", "GET", "/2/users/{user_id}/list_memberships", "list",
        READ_USERS, READERS, (USER, *PAGE, LIST_FIELDS),
        lambda c: lists.get_memberships(c.ctx.x_client, c["user_id"], window(c), asked(c)),
    ),
    EndpointDef(
        "lists_owned", "The lists that a user keeps.", "GET", "/2/users/{user_id}/owned_lists", "list", READ_USERS,
        READERS, (USER, *PAGE, LIST_FIELDS),
        lambda c: lists.get_owned_lists(c.ctx.x_client, c["user_id"], window(c), asked(c)),
    ),
    EndpointDef(
        "lists_pin", "Pins a list.", "POST", "/2/users/{user_id}/pinned_lists", "list", WRITE_USERS, LATER, (OWN, LIST),
        lambda c: lists.pin_list(c.ctx.x_client, c["user_id"], c["list_id"]),
        ("x_v2_lists_pinned",),
    ),
    EndpointDef(
        "lists_pinned", "The lists that the own account pinned.", "GET", "/2/users/{user_id}/pinned_lists", "list",
        READ_USERS, READERS, (OWN, LIST_FIELDS),
        lambda c: lists.get_pinned_lists(c.ctx.x_client, c["user_id"], asked(c)),
    ),
    EndpointDef(
        "lists_tweets", "Tweets of those on a list, newest first.", "GET", "/2/lists/{id}/tweets", "list",
        ("list.read", "tweet.read", "users.read"), READERS, (OF_A_LIST, *PAGE, *OF_TWEETS),
        lambda c: lists.get_list_tweets(c.ctx.x_client, c["id"], window(c), asked(c)),
    ),
    EndpointDef(
        "lists_unfollow", "Stops following a list.", "DELETE", "/2/users/{user_id}/followed_lists/{list_id}", "list",
        WRITE_USERS, LATER, (OWN, LIST),
        lambda c: lists.unfollow_list(c.ctx.x_client, c["user_id"], c["list_id"]),
        SHOW_FOLLOWERS,
    ),
    EndpointDef(
        "lists_update", "Changes what a list says of itself.", "PUT", "/2/lists/{id}", "list", WRITE, LATER,
        (OF_A_LIST, text("name", "1 to 25 characters", required=False), ABOUT,
         Parameter("private", {"type": "boolean"}, False, description="whether the own account alone sees it")),
        lambda c: lists.update_list(c.ctx.x_client, c["id"], c["name"], c["description"], private=c["private"]),
        SHOW_LISTS,
    ),
)  # fmt: skip
