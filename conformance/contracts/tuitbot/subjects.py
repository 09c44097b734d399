"""What calls are about: another account and a tweet of its, found in whichever way the server offers, else made up."""

from collections.abc import Iterator
from typing import Self

from msgspec import Struct

from conformance.contracts.tuitbot.bench import TuitbotBench
from conformance.drive.bench import taken
from conformance.model.events import Json

WAYS: tuple[tuple[str, dict[str, Json]], ...] = (
    ("x_get_user_mentions", {}),
    ("x_get_home_timeline", {}),
    ("x_search_tweets", {"query": "the"}),
)
"""Where a tweet can be found; the first shows nothing of the account's own."""


class Subjects(Struct, frozen=True):
    """Another account, and a tweet of its."""

    tweet_id: str
    user_id: str
    username: str
    text: str = ""

    @classmethod
    async def at(cls, bench: TuitbotBench) -> Self:
        """Looks for them. Where the account sees no tweet, or no X is there, they are ids and a name of nobody.

        Much is tested without them: tools that need no X, and how those that need it are refused.
        """
        for tool, arguments in WAYS:
            found = await bench.call(tool, arguments)
            for tweet in objects(found.given.get("data")):
                author, tweet_id = tweet.get("author_id"), tweet.get("id")
                if isinstance(author, str) and isinstance(tweet_id, str):
                    user = await bench.call("x_get_user_by_id", {"user_id": author})
                    return cls(tweet_id, author, str(taken(user, "username")), str(tweet.get("text", "")))
        return cls("9000000000000000001", "9000000000000000002", "of_nobody_known")


def objects(value: Json) -> Iterator[dict[str, Json]]:
    """The objects in a list."""
    return (each for each in value if isinstance(each, dict)) if isinstance(value, list) else iter(())
