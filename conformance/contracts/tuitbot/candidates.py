"""Tweets that find_reply_opportunities found worth an answer."""

from collections.abc import Iterator
from typing import NamedTuple

from conformance.model.events import Json
from conformance.model.exchange import Exchange

KEYS = ("tweet_id", "candidate_id", "id")
"""Under which of these a discovered tweet has its id."""


class Candidate(NamedTuple):
    """A discovered tweet."""

    tweet_id: str
    author: str | None
    """The author's handle."""
    answered: bool
    """Whether the server says that it was answered already, or does not say that it was not."""


def candidates(search: Exchange) -> Iterator[Candidate]:
    """What an accepted search gave: a list, or an object with one."""
    given = search.payload if search.accepted else None
    listed = given.get("candidates") if isinstance(given, dict) else given
    for each in listed if isinstance(listed, list) else ():
        name = (
            next((each[key] for key in KEYS if isinstance(each.get(key), str)), None)
            if isinstance(each, dict)
            else None
        )
        if name is not None:
            yield Candidate(name, _text(each.get("author_username")), each.get("already_replied") is not False)


def _text(value: Json) -> str | None:
    return value if isinstance(value, str) and value else None
