"""Which parts of an object are asked for: lists of fields and expansions, separated by commas."""

from collections.abc import Mapping
from typing import Final

from reference_server.application import Json
from reference_server.tuitbot.x.failure import Failure, XFailureError
from reference_server.tuitbot.x.protocol import Asked

ALWAYS: Final[Mapping[str, tuple[str, ...]]] = {
    "tweet": ("id", "text"),
    "user": ("id", "username", "name"),
    "list": ("id", "name"),
    "space": ("id", "state"),
}
"""Fields of each kind of object that are given whatever is asked for."""
FIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    "tweet": ("author_id", "created_at", "public_metrics", "conversation_id", "hidden"),
    "user": ("public_metrics", "pinned_tweet_id"),
    "list": ("description", "private", "owner_id", "created_at", "member_count", "follower_count"),
    "space": ("title", "creator_id", "host_ids", "created_at", "participant_count"),
}
EXPANSIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "tweet": ("author_id",),
    "user": ("pinned_tweet_id",),
    "list": ("owner_id",),
    "space": ("creator_id", "host_ids"),
}


def names(given: str) -> list[str]:
    """The names in a list separated by commas, each once."""
    return list(dict.fromkeys(filter(None, (name.strip() for name in given.split(",")))))


def chosen(shown: dict[str, Json], kind: str, asked: Asked) -> dict[str, Json]:
    """An object with the fields that are asked for; with all of them where none is named.

    XFailureError: a field or an expansion that this kind of object does not have.
    """
    fields = asked.fields(kind)
    wanted = None if fields is None else _known(fields, (*ALWAYS[kind], *FIELDS[kind]), f"{kind}_fields")
    if asked.expansions is not None:
        _known(asked.expansions, EXPANSIONS[kind], "expansions")
    if wanted is None:
        return shown
    return {name: value for name, value in shown.items() if name in ALWAYS[kind] or name in wanted}


def accounts(asked: Asked) -> bool:
    """Whether the accounts that objects name are asked for as well."""
    return asked.expansions is not None and not set(names(asked.expansions)) <= {"pinned_tweet_id"}


def _known(given: str, known: tuple[str, ...], what: str) -> list[str]:
    for name in (wanted := names(given)):
        if name not in known:
            raise XFailureError(Failure.INVALID_REQUEST, f"{what} names {name!r}; known are {', '.join(known)}")
    return wanted
