"""Parameters that endpoints share, and what a handler makes of them."""

from typing import Final

from reference_server.tuitbot.tools.definition import Call
from reference_server.tuitbot.tools.parameters import PAGINATION_TOKEN, Parameter, max_results, name, text
from reference_server.tuitbot.x.protocol import Asked, Window

OF_A_TWEET: Final = name("id", "numeric id of a tweet")
OF_A_LIST: Final = name("id", "numeric id of a list")
OF_A_SPACE: Final = name("id", "id of a space")
USER: Final = name("user_id", "numeric id of a user")
OWN: Final = name("user_id", "numeric id of the own account")
TARGET: Final = name("target_user_id", "numeric id of a user")
LIST: Final = name("list_id", "numeric id of a list")
TWEET: Final = name("tweet_id", "numeric id of an own tweet")
IDS: Final = text("ids", "up to 100 ids, separated by commas")
PAGE: Final[tuple[Parameter, ...]] = (max_results(100, 1, 100), PAGINATION_TOKEN)
TWEET_FIELDS: Final = name("tweet_fields", "fields of tweets, separated by commas; all by default", required=False)
USER_FIELDS: Final = name("user_fields", "fields of users, separated by commas; all by default", required=False)
LIST_FIELDS: Final = name("list_fields", "fields of lists, separated by commas; all by default", required=False)
SPACE_FIELDS: Final = name("space_fields", "fields of spaces, separated by commas; all by default", required=False)
EXPANSIONS: Final = name("expansions", "objects to be shown beside, separated by commas", required=False)
OF_TWEETS: Final = (TWEET_FIELDS, USER_FIELDS, EXPANSIONS)


def asked(call: Call) -> Asked:
    """The fields that a call asks for."""
    given = call.arguments
    return Asked(
        given.get("tweet_fields"),
        given.get("user_fields"),
        given.get("list_fields"),
        given.get("space_fields"),
        given.get("expansions"),
    )


def window(call: Call) -> Window:
    """The page that a call asks for."""
    return Window(call["max_results"], call["pagination_token"])
