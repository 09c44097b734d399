"""Endpoints that read several tweets, users or spaces."""

from typing import Final

from reference_server.tuitbot.editions import Profile
from reference_server.tuitbot.toolkit import lookups
from reference_server.tuitbot.tools.parameters import Parameter, name, text
from reference_server.tuitbot.tools.spec.endpoint import EndpointDef
from reference_server.tuitbot.tools.spec.parameters import (
    EXPANSIONS,
    IDS,
    OF_A_SPACE,
    OF_A_TWEET,
    OF_TWEETS,
    PAGE,
    SPACE_FIELDS,
    USER_FIELDS,
    asked,
    window,
)

ALL: Final[tuple[Profile, ...]] = ("readonly", "api-readonly", "write", "admin")
READERS: Final[tuple[Profile, ...]] = ("api-readonly", "write", "admin")
TWEETS, SPACES = ("tweet.read", "users.read"), ("space.read",)
SPACE_USERS: Final = ("space.read", "users.read")
OF_SPACES: Final = (SPACE_FIELDS, EXPANSIONS)
QUERY: Final = name("query", "what to search for")

ENDPOINTS: Final = (
    EndpointDef(
        "spaces_buyers", "Who bought a ticket of a space.", "GET", "/2/spaces/{id}/buyers", "read", SPACE_USERS,
        READERS, (OF_A_SPACE, USER_FIELDS),
        lambda c: lookups.get_space_buyers(c.ctx.x_client, c["id"], asked(c)),
    ),
    EndpointDef(
        "spaces_by_creator", "Spaces of some users.", "GET", "/2/spaces/by/creator_ids", "read", SPACE_USERS, READERS,
        (text("user_ids", "up to 100 ids, separated by commas"), *OF_SPACES),
        lambda c: lookups.get_spaces_by_creator(c.ctx.x_client, c["user_ids"], asked(c)),
    ),
    EndpointDef(
        "spaces_get", "One space.", "GET", "/2/spaces/{id}", "read", SPACES, READERS, (OF_A_SPACE, *OF_SPACES),
        lambda c: lookups.get_space(c.ctx.x_client, c["id"], asked(c)),
    ),
    EndpointDef(
        "spaces_lookup", "Several spaces.", "GET", "/2/spaces", "read", SPACES, READERS, (IDS, *OF_SPACES),
        lambda c: lookups.get_spaces(c.ctx.x_client, c["ids"], asked(c)),
    ),
    EndpointDef(
        "spaces_search", "Spaces with these words in their titles.", "GET", "/2/spaces/search", "read", SPACES, READERS,
        (QUERY, Parameter("state", {"type": "string"}, False, "all", description="live, scheduled or all"), *OF_SPACES),
        lambda c: lookups.search_spaces(c.ctx.x_client, c["query"], c["state"], asked(c)),
    ),
    EndpointDef(
        "spaces_tweets", "Tweets that were shared in a space.", "GET", "/2/spaces/{id}/tweets", "read",
        ("space.read", "tweet.read", "users.read"), READERS, (OF_A_SPACE, *OF_TWEETS),
        lambda c: lookups.get_space_tweets(c.ctx.x_client, c["id"], asked(c)),
    ),
    EndpointDef(
        "tweets_counts_recent", "How many tweets of the last week answer a query.", "GET", "/2/tweets/counts/recent",
        "read", ("tweet.read",), READERS,
        (
            QUERY,
            Parameter("granularity", {"type": "string"}, False, "hour", description="minute, hour or day"),
            name("start_time", "ISO 8601", required=False),
            name("end_time", "ISO 8601", required=False),
        ),
        lambda c: lookups.count_tweets(
            c.ctx.x_client, c["query"], c["granularity"], c["start_time"], c["end_time"]
        ),
        state=False,
    ),
    EndpointDef(
        "tweets_lookup", "Several tweets.", "GET", "/2/tweets", "read", TWEETS, ALL, (IDS, *OF_TWEETS),
        lambda c: lookups.get_tweets(c.ctx.x_client, c["ids"], asked(c)),
    ),
    EndpointDef(
        "tweets_quote_tweets", "Tweets that quote one.", "GET", "/2/tweets/{id}/quote_tweets", "read", TWEETS, ALL,
        (OF_A_TWEET, *PAGE, *OF_TWEETS),
        lambda c: lookups.get_quotes(c.ctx.x_client, c["id"], window(c), asked(c)),
    ),
    EndpointDef(
        "tweets_retweeted_by", "Who retweeted a tweet.", "GET", "/2/tweets/{id}/retweeted_by", "read", TWEETS, ALL,
        (OF_A_TWEET, *PAGE, USER_FIELDS),
        lambda c: lookups.get_retweeters(c.ctx.x_client, c["id"], window(c), asked(c)),
    ),
    EndpointDef(
        "users_lookup_by_usernames", "Several users by handle.", "GET", "/2/users/by", "read", ("users.read",), ALL,
        (text("usernames", "up to 100 handles, separated by commas"), USER_FIELDS, EXPANSIONS),
        lambda c: lookups.get_users_by_usernames(c.ctx.x_client, c["usernames"], asked(c)),
    ),
)  # fmt: skip
