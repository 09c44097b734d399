"""Sections 2.2, 3.2, 4 and 5: what a message is, what posting one answers, and that it is read back."""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from itertools import chain, islice
from math import inf

from conformance.contract.catalogue import Contract
from conformance.contracts.threads.known import known
from conformance.contracts.threads.laws.allowed import allowed_of, likes
from conformance.contracts.threads.laws.effects import without_effect
from conformance.contracts.threads.laws.faulty import EVENT, METADATA, REPLY
from conformance.contracts.threads.laws.posted import (
    Page,
    Place,
    Posted,
    answered_before,
    key_of,
    pages,
    place_of,
    posted,
)
from conformance.contracts.threads.payloads import EVENT_TYPES
from conformance.judge.calendar import calendar_of
from conformance.judge.controls import acceptances
from conformance.judge.faults import declined
from conformance.judge.flights import raced
from conformance.judge.instants import instant
from conformance.judge.judgements import MISSING, breach, holds
from conformance.judge.kinds import alike, text
from conformance.judge.law import law
from conformance.judge.order import Named, Numbered, rising, unique
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import HELD, Judgement

SHOWN = ("kind", "body", "in_reply_to")
"""Fields that a message is read back with as they were posted; metadata may have gained keys."""
FIRST = 1
"""The lowest seq that is above some since_seq."""
EVENT_VERSION = "event_version"
"""That this key of metadata is kept is another requirement's matter."""
PRECISION_S = 1.0
"""Two answers may give one instant in different precision."""


@law("TH-MSG-02", compares="entity")
def seq_rises(history: History, contract: Contract) -> Iterator[Judgement]:
    """Two messages of a thread have different seqs, and one posted after the answer to another has the higher one.

    It counts as held only where posts that were sent at the same time were in flight together.
    """
    numbered = [Numbered(one.place, one.seq, one.post) for one in posted(history, contract)]
    at_once = {call for flight in history.flights for call in flight.calls}
    yield from raced(history, [one.call for one in numbered if one.call.call in at_once], rising(numbered, "seq"))


@law("TH-MSG-03")
def a_message_id_is_one_message(history: History, contract: Contract) -> Iterator[Judgement]:
    """A message_id stands for one message: one thread and one seq, in whichever answer it comes."""

    def shown() -> Iterator[Named]:
        for one in posted(history, contract):
            yield Named(one.place[0], one.message_id, (one.place, one.seq), one.post)
        for page in pages(history, contract):
            for message in page.messages:
                if isinstance(message.get("message_id"), str):
                    yield Named(page.place[0], message["message_id"], (page.place, message["seq"]), page.read)

    yield from unique(shown(), "message_id")


@law("TH-MSG-04", compares="entity")
def the_sender_is_the_posters(history: History, contract: Contract) -> Iterator[Judgement]:
    """A message read back names as sender_agent_id and sender_session_id those of the claims that posted it."""
    for one, page, message in _read_back(history, contract):
        claims = {f"sender_{name}": one.post.credential.claims.get(name) for name in ("agent_id", "session_id")}
        wrong = next((n for n, own in claims.items() if isinstance(own, str) and message.get(n, MISSING) != own), None)
        if wrong is None:
            yield HELD
            continue
        got, place = message.get(wrong, MISSING), page.entries.index(message)
        saw = f"{wrong} of a message is {'absent' if got == MISSING else 'not that of its poster'}"
        yield breach(saw, one.post, page.read, pointer=f"/messages/{place}/{wrong}", expected=claims[wrong], got=got)


@law("TH-MSG-06")
def a_reply_names_a_message_of_its_thread(history: History, contract: Contract) -> Iterator[Judgement]:
    """A reply to a message of its thread is accepted where a plain message is; a reply to anything else is refused.

    A post under a key that was used before is not judged: it is perhaps a replay.
    """
    threads = known(history, contract)
    ids: dict[Place, set[Json]] = defaultdict(set)
    uncertain: set[Place | None] = set()
    posts = list(history.calls("post_message"))
    used: dict[tuple[str, str, str] | None, list[Exchange]] = defaultdict(list)
    for post in posts:
        place, key = place_of(post), key_of(post)
        if key is not None:
            used[key].append(post)
        if place is not None and post.accepted:
            ids[place].add(text(post.given.get("message_id")))
        elif not declined(post):
            uncertain.add(place)
    for page in pages(history, contract):
        ids[page.place].update(text(message.get("message_id")) for message in page.messages)
    replies = [post for post in posts if text(post.argument("in_reply_to")) is not None]
    wrong = [
        reply
        for reply in replies
        # whatever the thread holds is known where the thread was made here and every post in it answered
        if (place := place_of(reply)) is not None
        and not threads.faults(reply).codes
        and not threads.faults(reply).unfit
        and threads.made(reply) is not None
        and place not in uncertain
        and reply.argument("in_reply_to") not in ids[place]
        and all(other is reply or reply.before(other) for other in used.get(key_of(reply), ()))
    ]
    yield from without_effect(history, contract, wrong, REPLY, lambda _: "that answers no message of its thread")
    good = {post.call for post in allowed_of(history, contract, "post_message")}
    right = [reply for reply in replies if reply.call in good]
    yield from acceptances(likes(history, contract), right, REPLY, lambda _: "that answers a message of its thread")


@law("TH-MSG-07")
def registered_event_types_are_accepted(history: History, contract: Contract) -> Iterator[Judgement]:
    """A good event of one of the seven registered types is accepted, where the same message is accepted otherwise.

    Otherwise means as a chat message, or as an event of another type.
    """
    posts = [post for post in allowed_of(history, contract, "post_message") if post.argument("kind") == "event"]
    events = [post for post in posts if _event_type(post) in EVENT_TYPES]
    found = acceptances(likes(history, contract), events, EVENT, lambda post: f"of the event type {_event_type(post)}")
    yield from found


def _event_type(post: Exchange) -> str | None:
    metadata = post.argument("metadata")
    return text(metadata.get("event_type")) if isinstance(metadata, dict) else None


@law("TH-MSG-08", compares="entity")
def what_was_posted_is_read(history: History, contract: Contract) -> Iterator[Judgement]:
    """A read that reaches over an accepted message shows it, with kind, body, metadata and in_reply_to as posted.

    A message with a seq below 1, which is above no since_seq, is shown where since_seq is left out.
    """
    when, threads = calendar_of(history), known(history, contract)
    for one, page, message in chain(reached(history, contract), _below_every_cursor(history, contract)):
        if threads.faults(one.post).codes or not when.same(one.post, page.read):
            continue
        if message is None:
            yield breach("a message answered as posted is not read", one.post, page.read, expected=one.message_id)
            continue
        name = _altered(one, message)
        yield holds(
            not name,
            f"{name} of a message is not as it was posted",
            one.post,
            page.read,
            pointer=f"/messages/{page.entries.index(message)}/{name}",
            expected=one.post.argument(name) if name in (*SHOWN, "metadata") else one.post.given.get(name),
            got=message.get(name, MISSING),
        )


def _below_every_cursor(history: History, contract: Contract) -> Iterator[tuple[Posted, Page, dict[str, Json] | None]]:
    """Each message that no since_seq leads to, with each whole page for which none was named, and what it shows.

    The reader has acknowledged nothing there: where to begin without a since_seq is told nowhere.
    """
    if all(one.seq >= FIRST for one in posted(history, contract)):
        return
    acked = {(place_of(ack), ack.credential.name) for ack in history.accepted("ack_read")}
    for page, row in answered_before(history, contract):
        if page.since is None and page.reach == inf and (page.place, page.read.credential.name) not in acked:
            shown = {text(message.get("message_id")): message for message in page.messages}
            yield from ((one, page, shown.get(one.message_id)) for one in row if one.seq < min(FIRST, page.floor + 1))


def _altered(one: Posted, message: dict[str, Json]) -> str:
    """The first field of a message that is not read as it was posted or answered; empty where all are."""
    given = one.post.arguments
    for name in SHOWN:
        if given.get(name) is not None and message.get(name) != given[name]:
            return name
    metadata, kept = given.get("metadata"), message.get("metadata")
    if isinstance(metadata, dict) and metadata:
        shown = kept if isinstance(kept, dict) else {}
        kept_keys = metadata.keys() - {EVENT_VERSION}
        if any(alike(shown.get(key, MISSING), metadata[key]) is False for key in kept_keys):
            return "metadata"
    if message["seq"] != one.seq:
        return "seq"
    answered, read = instant(one.post.given.get("created_at")), instant(message.get("created_at"))
    return "created_at" if answered and read and abs(answered - read) >= PRECISION_S else ""


@law("TH-MSG-09")
def chat_needs_no_metadata(history: History, contract: Contract) -> Iterator[Judgement]:
    """A good chat message without metadata is accepted, where the same message with metadata is.

    A refusal with the code of another cause is not judged.
    """
    others = contract.errors.keys() - {"VALIDATION_ERROR"}
    posts = [post for post in allowed_of(history, contract, "post_message") if post.code not in others]
    plain = [post for post in posts if post.argument("kind") == "chat" and "metadata" not in post.arguments]
    yield from acceptances(likes(history, contract), plain, METADATA, lambda _: "of kind chat without metadata")


def reached(history: History, contract: Contract) -> Iterator[tuple[Posted, Page, dict[str, Json] | None]]:
    """Each message with each read that was asked for after the answer to it and tells of its seq, and what it shows."""
    for page, row in answered_before(history, contract):
        reach = page.reach
        shown = {text(message.get("message_id")): message for message in page.messages}
        for one in islice(row, bisect_right(row, page.floor, key=lambda one: one.seq), None):
            if one.seq > reach:
                break
            yield one, page, shown.get(one.message_id)


def _read_back(history: History, contract: Contract) -> Iterator[tuple[Posted, Page, dict[str, Json]]]:
    """Each message that a read shows and whose post is known."""
    by_id = {(one.place, one.message_id): one for one in posted(history, contract)}
    for page in pages(history, contract):
        for message in page.messages:
            named = message.get("message_id")
            one = by_id.get((page.place, named)) if isinstance(named, str) else None
            if one is not None:
                yield one, page, message
