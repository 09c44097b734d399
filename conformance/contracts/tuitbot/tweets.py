"""The texts of tweets in calls and answers."""

from collections.abc import Callable, Iterator, Mapping

from conformance.model.events import Json
from conformance.model.exchange import Exchange


def _strings(value: Json) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def _proposed(call: Exchange) -> list[str]:
    items = call.argument("items")
    texts = (
        [item.get("pre_drafted_text") for item in items if isinstance(item, dict)] if isinstance(items, list) else []
    )
    return [each for each in texts if isinstance(each, str)]


def _single(name: str) -> Callable[[Exchange], list[str]]:
    return lambda call: _strings([call.argument(name)])


def _draft(call: Exchange) -> list[str]:
    """A draft's text, where it is that of one tweet."""
    return _strings([call.argument("content")]) if call.argument("content_type") in (None, "tweet") else []


TEXTS: Mapping[str, Callable[[Exchange], list[str]]] = {
    "x_post_tweet": _single("text"),
    "x_reply_to_tweet": _single("text"),
    "x_quote_tweet": _single("text"),
    "x_post_thread": lambda call: _strings(call.argument("tweets")),
    "compose_tweet": _draft,
    "propose_and_queue_replies": _proposed,
}
"""Every tool that takes a tweet's text, with the texts that a call of it gives."""
SINGLE = ("x_post_tweet", "x_reply_to_tweet", "x_quote_tweet")
"""Those that post one tweet."""


def written(call: Exchange) -> list[str]:
    """The tweets' texts that a call gives."""
    texts = TEXTS.get(call.tool or "")
    return texts(call) if texts is not None else []


def text_of(call: Exchange) -> str | None:
    """The text of the one tweet that a call posts; None for any other call."""
    given = written(call) if call.tool in SINGLE else []
    return given[0] if given else None


def listed(read: Exchange) -> list[dict[str, Json]] | None:
    """The tweets that a list gives, None where it gives no list."""
    found = read.given.get("data")
    return [each for each in found if isinstance(each, dict)] if isinstance(found, list) else None


def posted(call: Exchange) -> Iterator[str]:
    """The ids of the tweets that an accepted call posted."""
    if call.accepted and call.tool in (*SINGLE, "x_post_thread"):
        yield from _strings([call.given.get("id"), *_strings(call.given.get("thread_tweet_ids"))])
