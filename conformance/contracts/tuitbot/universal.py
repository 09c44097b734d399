"""What universal requests write: a tweet posted or deleted, a list's name. All else that they name is in doubt."""

from collections.abc import Iterator

from conformance.contracts.tuitbot.deeds import OPPOSITES
from conformance.contracts.tuitbot.endpoints_shown import KEPT
from conformance.contracts.tuitbot.manifest import UNIVERSAL
from conformance.contracts.tuitbot.places import (
    BLOCK,
    DESCRIBED,
    HEAD,
    HIDDEN,
    LIST,
    MUTE,
    NAME,
    OWNED,
    PINNED,
    PRIVATE,
    RETWEET,
    TEXT,
    THERE,
    follower,
    member,
    place,
    text_of_tweet,
)  # fmt: skip
from conformance.contracts.tuitbot.shown_so_far import body_of
from conformance.judge.kinds import text
from conformance.judge.registers import Assignment
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.pointer import at

READ = "x_get"
POSTED = "/json/data/id"
"""Where the answer of a request that posts has the tweet's id: X's own body stands under json."""
HOSTS = (None, "api.x.com")
KINDS = (THERE, *OPPOSITES, LIST, OWNED, NAME, DESCRIBED, PRIVATE, BLOCK, MUTE, PINNED, HIDDEN, HEAD)
STEPS = 8
"""Of a path, as far as it is looked at: X's have six at most."""


def written(call: Exchange) -> Iterator[Assignment]:
    """What a universal request wrote, or may have written."""
    if call.tool not in UNIVERSAL or call.tool == READ:
        return
    path, known = str(call.argument("path")), call.argument("host") in HOSTS
    last = path.rpartition("/")[2]
    match call.tool:
        case "x_post" if known and path == "/2/tweets":
            yield from _posted(call)
        case "x_delete" if known and path == f"/2/tweets/{last}":
            yield from deleted(call, last)
        case "x_put" if known and path == f"/2/lists/{last}":
            for kind, field in KEPT.items():
                if field in body_of(call):
                    value = body_of(call)[field]
                    yield Assignment(place(call.instance, kind, last), value, call, doubtful=value is None)
            yield Assignment(place(call.instance, OWNED, last), None, call, doubtful=True)
        case _:
            yield from _in_doubt(call, path)


def _posted(call: Exchange) -> Iterator[Assignment]:
    name = text(at(call.given, POSTED)) if call.accepted else None
    if name is not None:
        yield Assignment(place(call.instance, THERE, name), True, call)
        yield Assignment(place(call.instance, RETWEET, name), False, call)
        if text(body_of(call).get(TEXT[1:])) is not None:
            yield Assignment(text_of_tweet(call.instance, name), body_of(call)[TEXT[1:]], call)


def deleted(call: Exchange, name: Json, *, doubtful: bool = False) -> Iterator[Assignment]:
    """A tweet that is gone, with what was done to it."""
    yield Assignment(place(call.instance, THERE, name), False, call, doubtful)
    for tool in OPPOSITES:
        yield Assignment(place(call.instance, tool, name), None, call, doubtful=True)


def _in_doubt(call: Exchange, path: str) -> Iterator[Assignment]:
    steps = [step for step in path.split("/", STEPS)[:STEPS] if step]
    named = [*steps, *(each for each in body_of(call).values() if isinstance(each, str))]
    for name in dict.fromkeys(named):
        for kind in (*KINDS, *map(member, steps), *map(follower, steps)):
            yield Assignment(place(call.instance, kind, name), None, call, doubtful=True)
