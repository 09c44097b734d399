"""The texts of tweets in calls and answers."""

import unicodedata
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from conformance.contracts.tuitbot.gate import decision
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


PROPOSALS = "propose_and_queue_replies"
TEXTS: Mapping[str, Callable[[Exchange], list[str]]] = {
    "x_post_tweet": _single("text"),
    "x_reply_to_tweet": _single("text"),
    "x_quote_tweet": _single("text"),
    "x_post_thread": lambda call: _strings(call.argument("tweets")),
    "compose_tweet": _draft,
    PROPOSALS: _proposed,
}
"""Every tool that takes a tweet's text, with the texts that a call of it gives."""
SINGLE = ("x_post_tweet", "x_reply_to_tweet", "x_quote_tweet")
"""Those that post one tweet."""


BLOCKED, QUEUED, EXECUTED = "blocked", "queued", "executed"
"""What becomes of a proposed reply."""
LINK = "://"
REWRITTEN = (LINK, "&", "<", ">")
"""X shortens links and escapes marks: a text with one of these may be shown otherwise."""


def rewritten(text: str) -> bool:
    """Whether X may show a text otherwise than it was written."""
    return any(mark in text for mark in REWRITTEN)


def printed(text: str) -> bool:
    """Whether a text has no control character, which X may refuse or leave out: ends of lines and tabs are none."""
    return not any(unicodedata.category(each) == "Cc" and each not in "\n\t" for each in text)


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
    """The ids of the tweets that an accepted call posted, each once: a thread's answer may name its first one twice."""
    if call.accepted and call.tool in (*SINGLE, "x_post_thread"):
        ids = _strings([call.given.get("id"), *_strings(call.given.get("thread_tweet_ids"))])
        yield from dict.fromkeys(ids)


def posted_before_failing(call: Exchange) -> list[str] | None:
    """The ids of the tweets that a thread which broke off says are out, None where it does not say."""
    data = call.envelope.get("data") if call.envelope is not None and call.refused else None
    ids = data.get("posted_tweet_ids") if isinstance(data, dict) else None
    return ids if isinstance(ids, list) and all(isinstance(each, str) and each for each in ids) else None


def texts_posted(call: Exchange) -> dict[str, str]:
    """The texts of the tweets that an accepted call posted, by their ids; none where that is not told."""
    ids, texts = list(posted(call)), written(call)
    return dict(zip(ids, texts, strict=True)) if len(ids) == len(texts) and decision(call) is None else {}


class Reply(NamedTuple):
    """A proposed reply with what became of it."""

    candidate: str | None
    text: str | None
    tweet_id: str | None
    item: int | None
    """Its id in the approval queue."""


def outcomes(call: Exchange) -> list[Json] | None:
    """What became of each proposed reply: the list that an accepted call answers, or the only one in its object."""
    if call.tool != PROPOSALS or not call.accepted:
        return None
    lists = [each for each in (call.payload, *call.given.values()) if isinstance(each, list)]
    return lists[0] if len(lists) == 1 else None


class Outcome(NamedTuple):
    """What became of one proposed reply."""

    asked: dict[str, Json]
    told: dict[str, Json]
    number: int
    """The place of the answer in its list."""


def paired(call: Exchange) -> list[Outcome]:
    """The proposed replies of an accepted call, in their order, each with its answer.

    An answer that names its candidate may stand anywhere in the list, one that names none, or that of a single reply,
    stands in its reply's place. A reply is left out where no answer is surely its own.
    """
    asked, answers = call.argument("items"), outcomes(call)
    if not isinstance(asked, list) or answers is None:
        return []
    named: dict[str, list[int]] = {}
    for number, answer in enumerate(answers):
        if isinstance(answer, dict) and isinstance(name := answer.get("candidate_id"), str):
            named.setdefault(name, []).append(number)
    found: list[Outcome] = []
    for place, item in enumerate(asked):
        name = item.get("candidate_id") if isinstance(item, dict) else None
        numbers = named.get(name, []) if isinstance(name, str) else []
        if len(asked) == len(answers) and (not named or place in numbers or len(asked) == 1):
            numbers = [place]
        told = answers[numbers[0]] if len(numbers) == 1 else None
        if isinstance(item, dict) and isinstance(told, dict):
            found.append(Outcome(item, told, numbers[0]))
    return found


def executed(call: Exchange, status: str = "executed") -> Iterator[Reply]:
    """The proposed replies of an accepted call that were sent, or ended otherwise."""
    for asked, told, _ in paired(call):
        if told.get("status") == status:
            names = [asked.get("candidate_id"), asked.get("pre_drafted_text"), told.get("reply_tweet_id")]
            candidate, text, tweet = (each if isinstance(each, str) and each else None for each in names)
            number = told.get("approval_queue_id")
            yield Reply(candidate, text, tweet, number if isinstance(number, int) else None)
