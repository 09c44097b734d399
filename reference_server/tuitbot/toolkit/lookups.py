"""Several objects at once, and what is counted of them: one call of X each. All raise `ToolkitError`."""

from datetime import UTC, datetime

from reference_server.application import Json
from reference_server.tuitbot.toolkit.asking import asking_x
from reference_server.tuitbot.toolkit.errors import InvalidInputError
from reference_server.tuitbot.x.fields import names
from reference_server.tuitbot.x.protocol import Asked, Window, XClient


def get_tweets(client: XClient, ids: str, asked: Asked) -> dict[str, Json]:
    """Those of up to 100 tweets that X knows; ids are separated by commas."""
    with asking_x():
        return client.tweets(names(ids), asked)


def get_quotes(client: XClient, tweet_id: str, window: Window, asked: Asked) -> dict[str, Json]:
    """Tweets that quote one, newest first."""
    with asking_x():
        return client.quote_tweets(tweet_id, window, asked)


def get_retweeters(client: XClient, tweet_id: str, window: Window, asked: Asked) -> dict[str, Json]:
    """Accounts that retweeted a tweet."""
    with asking_x():
        return client.retweeted_by(tweet_id, window, asked)


def count_tweets(
    client: XClient, query: str, granularity: str, start_time: str | None, end_time: str | None
) -> dict[str, Json]:
    """How many tweets answered a query, span by span. InvalidInputError: a time that is none."""
    start, end = _moment(start_time, "start_time"), _moment(end_time, "end_time")
    with asking_x():
        return client.count_tweets(query, granularity, start, end)


def get_users_by_usernames(client: XClient, usernames: str, asked: Asked) -> dict[str, Json]:
    """Those of up to 100 accounts that X knows; handles are separated by commas."""
    with asking_x():
        return client.users_by_usernames(names(usernames), asked)


def get_space(client: XClient, space_id: str, asked: Asked) -> dict[str, Json]:
    """One space. NotFoundError: X does not know it."""
    with asking_x():
        return client.space(space_id, asked)


def get_spaces(client: XClient, ids: str, asked: Asked) -> dict[str, Json]:
    """Those of up to 100 spaces that X knows; ids are separated by commas."""
    with asking_x():
        return client.spaces(names(ids), asked)


def get_spaces_by_creator(client: XClient, user_ids: str, asked: Asked) -> dict[str, Json]:
    """Spaces of up to 100 accounts; ids are separated by commas."""
    with asking_x():
        return client.spaces_by_creator(names(user_ids), asked)


def search_spaces(client: XClient, query: str, state: str, asked: Asked) -> dict[str, Json]:
    """Spaces with these words in their titles."""
    with asking_x():
        return client.search_spaces(query, state, asked)


def get_space_buyers(client: XClient, space_id: str, asked: Asked) -> dict[str, Json]:
    """Accounts that bought a ticket of a space."""
    with asking_x():
        return client.space_buyers(space_id, asked)


def get_space_tweets(client: XClient, space_id: str, asked: Asked) -> dict[str, Json]:
    """Tweets that were shared in a space."""
    with asking_x():
        return client.space_tweets(space_id, asked)


def _moment(given: str | None, what: str) -> float | None:
    """Seconds since the epoch; without an offset the time is UTC."""
    if given is None:
        return None
    try:
        found = datetime.fromisoformat(given)
        return (found if found.tzinfo is not None else found.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError) as error:
        raise InvalidInputError(f"{what} is no ISO 8601 time: {error}") from error
