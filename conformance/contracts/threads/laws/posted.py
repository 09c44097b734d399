"""What a history tells of messages: who posted which, under which key, and which page of a thread shows what."""

import math
from bisect import insort
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from conformance.contract.catalogue import Contract
from conformance.judge.kinds import integer, is_integer, text
from conformance.judge.memo import once
from conformance.judge.replay import firsts
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History

PAYLOAD = ("schema_version", "kind", "body", "metadata", "in_reply_to")

Place = tuple[str, str]
"""A thread: its instance and its id."""


class Posted(NamedTuple):
    """An accepted post that made a message of its own."""

    post: Exchange
    place: Place
    message_id: str
    seq: int


class Page(NamedTuple):
    """An accepted read that gave messages as a list."""

    read: Exchange
    place: Place
    since: int | None
    """None where the reader left it out."""
    limit: int | None
    entries: list[Json]

    @property
    def messages(self) -> list[dict[str, Json]]:
        """The entries that are objects with a seq."""
        return [entry for entry in self.entries if isinstance(entry, dict) and is_integer(entry.get("seq"))]

    @property
    def floor(self) -> float:
        """The seq above which the page tells of messages; where the reader left it out, that of what it gave."""
        if self.since is not None:
            return self.since
        return min((message["seq"] for message in self.messages), default=math.inf) - 1

    @property
    def reach(self) -> float:
        """The highest seq of which the page tells whether there is such a message."""
        if not self.entries:
            return math.inf
        full = self.limit is not None and len(self.entries) >= self.limit
        if self.read.given.get("has_more") is False and not full:
            return math.inf
        return max((message["seq"] for message in self.messages), default=-math.inf)


def place_of(exchange: Exchange) -> Place | None:
    """The thread that a call names."""
    named = exchange.argument("thread_id")
    return (exchange.instance, named) if isinstance(named, str) else None


def agent_of(exchange: Exchange) -> str | None:
    """The agent that a good credential speaks for."""
    return text(exchange.credential.claims.get("agent_id")) if exchange.credential.defect is None else None


def key_of(post: Exchange) -> tuple[str, str, str] | None:
    """Thread, sender and key; None where the call has no key, or no good credential."""
    key, thread, agent = post.argument("idempotency_key"), post.argument("thread_id"), agent_of(post)
    return (thread, agent, key) if isinstance(key, str) and isinstance(thread, str) and agent is not None else None


def payload_of(post: Exchange) -> dict[str, Json]:
    """What decides whether a message is the same."""
    return {name: post.argument(name) for name in PAYLOAD}


@once
def posted(history: History, contract: Contract) -> Sequence[Posted]:
    """Messages in the order in which they were posted.

    Left out: posts whose key an earlier one may have used, and those whose message_id was given to another in the
    thread as well, for then it is not known which of them made the message.
    """
    found: dict[tuple[Place, str], list[Posted]] = defaultdict(list)
    for post in firsts(history.calls("post_message"), key_of, contract):
        place, message_id, seq = place_of(post), text(post.given.get("message_id")), integer(post.given.get("seq"))
        if place is not None and message_id is not None and seq is not None:
            found[place, message_id].append(Posted(post, place, message_id, seq))
    return [bearers[0] for bearers in found.values() if len(bearers) == 1]


@once
def pages(history: History, _: Contract) -> Sequence[Page]:
    """Pages in the order in which they were asked for."""
    found: list[Page] = []
    for read in history.accepted("read_messages"):
        place, entries = place_of(read), read.given.get("messages")
        if place is not None and isinstance(entries, list):
            limit = integer(read.argument("limit"))
            found.append(Page(read, place, integer(read.argument("since_seq")), limit, entries))
    return found


def answered_before(history: History, contract: Contract) -> Iterator[tuple[Page, list[Posted]]]:
    """Each page with the messages of its thread that were answered before it was asked for, in order of seq.

    The list grows from page to page: it is to be read before the next one.
    """
    waiting = sorted(posted(history, contract), key=lambda one: one.post.received or 0, reverse=True)
    rows: dict[Place, list[Posted]] = defaultdict(list)
    for page in sorted(pages(history, contract), key=lambda page: page.read.sent):
        while waiting and waiting[-1].post.before(page.read):
            one = waiting.pop()
            insort(rows[one.place], one, key=lambda other: other.seq)
        yield page, rows[page.place]
