"""Tools that read X."""

from collections.abc import Callable
from typing import Final

from reference_server.application import Json
from reference_server.tuitbot.editions import Profile
from reference_server.tuitbot.errors import ErrorCode
from reference_server.tuitbot.toolkit import reads
from reference_server.tuitbot.toolkit.errors import InvalidInputError
from reference_server.tuitbot.tools.definition import (
    EVERYWHERE,
    OWN,
    READING,
    Arguments,
    Call,
    ToolDefinition,
    nothing_to_check,
)
from reference_server.tuitbot.tools.parameters import PAGINATION_TOKEN, SINCE_ID, Parameter, max_results, name, strings
from reference_server.tuitbot.x.protocol import Window

MENTIONS_PAGE: Final = 100
USER_ID: Final = name("user_id", "numeric id of a user")
TWEET_ID: Final = name("tweet_id", "numeric id of a tweet")


def _read(
    tool: str,
    description: str,
    act: Callable[[Call], Json],
    *parameters: Parameter,
    check: Callable[[Arguments], None] = nothing_to_check,
    profiles: tuple[Profile, ...] = READING,
) -> ToolDefinition:
    refusals = {"user_id", "tweet_id", "username"} & {parameter.name for parameter in parameters}
    values = {"pagination_token", "user_ids", "query"} & {parameter.name for parameter in parameters}
    return ToolDefinition(
        tool,
        description,
        "read",
        act,
        parameters,
        check,
        profiles,
        requires_x_client=True,
        calls_x=True,
        codes=(*((ErrorCode.NOT_FOUND,) if refusals else ()), *((ErrorCode.INVALID_INPUT,) if values else ())),
    )


def _window(call: Call) -> Window:
    return Window(call["max_results"], call["pagination_token"], call.arguments.get("since_id"))


def _check_search(arguments: Arguments) -> None:
    if not arguments["query"].strip():
        raise InvalidInputError("query is blank")


DEFINITIONS: Final = (
    _read(
        "get_tweet_by_id",
        "One tweet.",
        lambda call: reads.get_tweet(call.ctx.x_client, call["tweet_id"]),
        TWEET_ID,
        profiles=EVERYWHERE,
    ),
    _read(
        "x_get_bookmarks",
        "The own bookmarks.",
        lambda call: reads.get_bookmarks(call.ctx.x_client, _window(call)),
        max_results(10, 1, 100),
        PAGINATION_TOKEN,
    ),
    _read(
        "x_get_followers",
        "Who follows a user.",
        lambda call: reads.get_followers(call.ctx.x_client, call["user_id"], _window(call)),
        USER_ID,
        max_results(100, 1, 1000),
        PAGINATION_TOKEN,
    ),
    _read(
        "x_get_following",
        "Whom a user follows.",
        lambda call: reads.get_following(call.ctx.x_client, call["user_id"], _window(call)),
        USER_ID,
        max_results(100, 1, 1000),
        PAGINATION_TOKEN,
    ),
    _read(
        "x_get_home_timeline",
        "Tweets of the own account and of those it follows, newest first.",
        lambda call: reads.get_home_timeline(call.ctx.x_client, _window(call)),
        max_results(20, 1, 100),
        PAGINATION_TOKEN,
        profiles=EVERYWHERE,
    ),
    _read(
        "x_get_liked_tweets",
        "Tweets that a user likes.",
        lambda call: reads.get_liked_tweets(call.ctx.x_client, call["user_id"], _window(call)),
        USER_ID,
        max_results(10, 1, 100),
        PAGINATION_TOKEN,
    ),
    _read("x_get_me", "The own account.", lambda call: reads.get_me(call.ctx.x_client), profiles=OWN),
    _read(
        "x_get_tweet_liking_users",
        "Who likes a tweet.",
        lambda call: reads.get_liking_users(call.ctx.x_client, call["tweet_id"], _window(call)),
        TWEET_ID,
        max_results(100, 1, 100),
        PAGINATION_TOKEN,
    ),
    _read(
        "x_get_user_by_id",
        "One user.",
        lambda call: reads.get_user(call.ctx.x_client, call["user_id"]),
        USER_ID,
        profiles=EVERYWHERE,
    ),
    _read(
        "x_get_user_by_username",
        "One user by handle.",
        lambda call: reads.get_user_by_username(call.ctx.x_client, call["username"]),
        name("username", "handle, with or without the @"),
        profiles=EVERYWHERE,
    ),
    _read(
        "x_get_user_mentions",
        "Tweets that mention the own account or answer it, newest first.",
        lambda call: reads.get_mentions(
            call.ctx.x_client, Window(MENTIONS_PAGE, call["pagination_token"], call["since_id"])
        ),
        SINCE_ID,
        PAGINATION_TOKEN,
        profiles=EVERYWHERE,
    ),
    _read(
        "x_get_user_tweets",
        "A user's tweets, newest first.",
        lambda call: reads.get_user_tweets(call.ctx.x_client, call["user_id"], _window(call)),
        USER_ID,
        max_results(10, 5, 100),
        PAGINATION_TOKEN,
        profiles=EVERYWHERE,
    ),
    _read(
        "x_get_users_by_ids",
        "Those of up to 100 users that X knows.",
        lambda call: reads.get_users(call.ctx.x_client, call["user_ids"]),
        strings("user_ids", "1 to 100 numeric ids"),
        check=lambda arguments: reads.check_user_ids(arguments["user_ids"]),
    ),
    _read(
        "x_search_tweets",
        "Tweets that answer a query, newest first: words, phrases in quotes, from:, to:, -, OR.",
        lambda call: reads.search_tweets(call.ctx.x_client, call["query"], _window(call)),
        name("query", "what to search for"),
        max_results(10, 10, 100),
        SINCE_ID,
        PAGINATION_TOKEN,
        check=_check_search,
        profiles=EVERYWHERE,
    ),
)
