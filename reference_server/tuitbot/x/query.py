"""Search queries: words, "phrases", from:user, to:user, -exclusions; blank means and, OR binds weaker."""

import re
from collections.abc import Callable
from typing import Final

from reference_server.tuitbot.x.world import Tweet, World

TERM: Final = re.compile(r'(-?)(?:"([^"]*)"|(\S+))')

Test = Callable[[Tweet], bool]


def matcher(query: str, world: World) -> Test:
    """Whether a tweet answers the query. A query without a term matches nothing."""
    alternatives: list[list[Test]] = [[]]
    for negated, phrase, word in TERM.findall(query):
        if word == "OR" and not negated:
            alternatives.append([])
        else:
            alternatives[-1].append(_term(phrase or word, world, negated=bool(negated)))
    wanted = [tests for tests in alternatives if tests]
    return lambda tweet: any(all(test(tweet) for test in tests) for tests in wanted)


def _term(term: str, world: World, *, negated: bool) -> Test:
    operator, _, value = term.partition(":")
    if operator == "from" and value:
        return lambda tweet: (_handle(tweet.author_id, world) == value.lower().lstrip("@")) is not negated
    if operator == "to" and value:
        return lambda tweet: (_addressee(tweet, world) == value.lower().lstrip("@")) is not negated
    needle = term.lower()
    return lambda tweet: (needle in tweet.text.lower()) is not negated


def _handle(user_id: str, world: World) -> str:
    return world.users[user_id].username.lower()


def _addressee(tweet: Tweet, world: World) -> str | None:
    replied = world.tweets.get(tweet.in_reply_to or "")
    return _handle(replied.author_id, world) if replied else None
