"""What was accepted is there after the server was killed and started again: threads, messages, keys, cursors."""

import math
from collections import defaultdict
from collections.abc import Hashable, Iterator
from typing import NamedTuple

from conformance.contract.catalogue import Contract
from conformance.contracts.threads.laws.acknowledging import a_cursor_never_goes_back, the_same_ack_again_is_accepted
from conformance.contracts.threads.laws.idempotency import a_replay_gives_the_original, another_payload_is_refused
from conformance.contracts.threads.laws.messages import a_message_id_is_one_message, seq_rises
from conformance.contracts.threads.laws.posted import Page, Place, agent_of, key_of, pages, place_of
from conformance.contracts.threads.laws.serving import good_calls_are_served, reads_show_what_was_written
from conformance.judge.judgements import holds
from conformance.judge.kinds import spelled
from conformance.judge.law import law
from conformance.judge.refused import surely_refused
from conformance.judge.surviving import survived, unkept
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import Judgement


class _Message(NamedTuple):
    """The posts that ask for one message: those of one key, or a single one without a key."""

    posts: list[Exchange]

    @property
    def words(self) -> str:
        """What tells it from others in its thread."""
        post = self.posts[0]
        return spelled([agent_of(post), post.argument("kind"), post.argument("body")])


def each_message_is_there_once(history: History, contract: Contract) -> Iterator[Judgement]:
    """A page of a whole thread shows each message that was accepted before once, one without an answer once at most."""
    threads = _messages(history, contract)
    for page in pages(history, contract):
        if page.floor <= 0 and page.reach == math.inf:
            for message in threads.get(page.place, ()):
                yield from _once(message, page)


def _messages(history: History, contract: Contract) -> dict[Place, list[_Message]]:
    """The messages of each thread that may be there; those of which two say the same are left out."""
    asked: dict[Hashable, list[Exchange]] = defaultdict(list)
    for post in history.calls("post_message"):
        place = place_of(post)
        if place is not None and agent_of(post) is not None and not surely_refused(post, contract):
            asked[place, key_of(post) or post.call].append(post)
    alike: dict[Hashable, list[_Message]] = defaultdict(list)
    for posts in asked.values():
        message = _Message(posts)
        alike[place_of(posts[0]), message.words].append(message)
    found: dict[Place, list[_Message]] = defaultdict(list)
    for same in alike.values():
        place = place_of(same[0].posts[0])
        if len(same) == 1 and place is not None:
            found[place].append(same[0])
    return found


def _once(message: _Message, page: Page) -> Iterator[Judgement]:
    begun = [post for post in message.posts if page.read.received is not None and post.sent < page.read.received]
    sure = [post for post in begun if post.accepted and post.before(page.read)]
    if not begun:
        return
    shown = [
        spelled([each.get("sender_agent_id"), each.get("kind"), each.get("body")])
        for each in page.entries
        if isinstance(each, dict)
    ]
    times = shown.count(message.words)
    saw = f"a message that was {'accepted' if sure else 'posted'} once is there {times} times"
    ok = times == 1 if sure else times <= 1
    yield holds(ok, saw, *(sure or begun), page.read, pointer="/messages", expected=1, got=times)


KEPT = (
    good_calls_are_served,
    reads_show_what_was_written,
    each_message_is_there_once,
    a_message_id_is_one_message,
    seq_rises,
    a_replay_gives_the_original,
    another_payload_is_refused,
    a_cursor_never_goes_back,
    the_same_ack_again_is_accepted,
)
"""Sessions and wakes are of the running server: no clause says that they outlive it."""


@law("TH-SRV-05", absent=unkept)
def what_was_accepted_survives(history: History, contract: Contract) -> Iterator[Judgement]:
    """After its server was killed and started again a store shows what was accepted, once; its keys still guard."""
    yield from survived(history, contract, KEPT)
