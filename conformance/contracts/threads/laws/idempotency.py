"""Sections 3.2 and 7: a key makes posting repeatable."""

import json
import math
from collections import defaultdict
from collections.abc import Iterator, Sequence

from conformance.contract.catalogue import Contract
from conformance.contracts.threads.known import NO_FAULT, known
from conformance.contracts.threads.laws.allowed import allowed
from conformance.contracts.threads.laws.keys import (
    GIVEN,
    OUTSIDE,
    Uses,
    answered_alike,
    forgotten,
    in_time,
    remembered,
    replays,
    retention,
    written_alike,
)
from conformance.contracts.threads.laws.posted import (
    PAYLOAD,
    Page,
    Place,
    agent_of,
    key_of,
    pages,
    payload_of,
    place_of,
)
from conformance.judge.calendar import calendar_of
from conformance.judge.faults import declined, stumbled
from conformance.judge.flights import raced
from conformance.judge.judgements import HELD, breach, holds, told
from conformance.judge.kinds import alike, integer, spelled, text
from conformance.judge.law import law
from conformance.judge.replay import Repeat, concurrent
from conformance.judge.unchanged import unchanged
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import Judgement


@law("TH-IDEM-01", compares="entity")
def a_replay_gives_the_original(history: History, contract: Contract) -> Iterator[Judgement]:
    """A post that repeats an earlier one's thread, sender, key and payload gives its message_id, seq and created_at."""
    found = list(replays(history, contract))
    for repeat in found:
        if not stumbled(repeat.again, (each.again for each in found)):
            yield from answered_alike(repeat)


@law("TH-IDEM-02", compares="entity")
def a_replay_adds_nothing(history: History, contract: Contract) -> Iterator[Judgement]:
    """Two equal reads around an accepted replay, with no other write between them, show the same."""
    yield from unchanged(history, contract, (r.again for r in replays(history, contract) if r.again.accepted))


@law("TH-IDEM-03", compares="entity")
def another_payload_is_refused(history: History, contract: Contract) -> Iterator[Judgement]:
    """A post under a used key with another payload is refused, and equal reads around it show the same.

    Of posts under one key that are in flight at the same time, all that are accepted give the same message.
    """
    for original, again, equal in in_time(history, contract):
        if equal is not False or again.received is None:
            continue
        parts = [name for name in PAYLOAD if alike(original.argument(name), again.argument(name)) is False]
        if again.accepted:
            yield breach(f"a post that reuses a key with another {' and '.join(parts)} was accepted", original, again)
        elif declined(again):
            yield HELD
            yield from unchanged(history, contract, [again])
    threads = known(history, contract)
    for group in concurrent(history.calls("post_message"), key_of):
        sound = [post for post in group if not threads.faults(post).codes and not threads.faults(post).unfit]
        in_one_time = [post for post in sound if calendar_of(history).same(group[0], post)]
        yield from raced(history, in_one_time, _one_payload(in_one_time))


def _one_payload(group: Sequence[Exchange]) -> Iterator[Judgement]:
    """Posts of one key at once: whichever comes first, none that says something else is accepted."""
    winner = next((post for post in group if post.accepted), None)
    for post in group if winner is not None else ():
        if winner is not None and alike(payload_of(winner), payload_of(post)) is False:
            if post.accepted:
                saw = "two posts of one key made at the same time were both accepted, though their payloads differ"
                yield breach(saw, winner, post)
            elif declined(post):
                yield HELD


@law("TH-IDEM-04")
def a_key_is_its_senders_and_its_threads(history: History, contract: Contract) -> Iterator[Judgement]:
    """A good post under a key that only another sender, or another thread, has used makes a message of its own.

    A post under one key is not answered with what its sender posted there under another key, however similar the two
    keys are.
    """
    uses: dict[tuple[str, str], Uses] = defaultdict(Uses)
    anew: list[tuple[Exchange, Exchange]] = []
    when, good = calendar_of(history), allowed(history, contract)
    whole: dict[Place, list[Page]] = defaultdict(list)
    for page in pages(history, contract):
        if page.floor <= 0 and page.reach == math.inf:
            whole[page.place].append(page)
    for post in history.calls("post_message"):
        key = key_of(post)
        if key is None:
            continue
        use = uses[post.instance, key[2]]
        first = use.first
        known_use = first is not None and first.before(post) and when.same(first, post)
        if post.call in good and key not in use.tried and first is not None and known_use:
            anew.append((first, post))
            yield from _anew(use, post, whole) if post.accepted else ()
        use.add(key, post)
    yield from _refused_anew(anew)
    yield from _keys_confused(history, contract)


def _keys_confused(history: History, contract: Contract) -> Iterator[Judgement]:
    """Breaches alone: that keys are told apart says nothing of whose they are."""
    threads = known(history, contract)
    answered: dict[str, tuple[str, Exchange]] = {}
    for post in history.calls("post_message"):
        key, named, seq = key_of(post), text(post.given.get("message_id")), integer(post.given.get("seq"))
        if not post.accepted or key is None or named is None or seq is None or threads.faults(post).codes:
            continue
        thread, agent, own = key
        # where ids alone repeat, or numbers alone, that is a matter of other requirements
        answer = spelled([post.instance, thread, agent, *map(post.given.get, GIVEN)])
        other, first = answered.setdefault(answer, (own, post))
        if other != own:
            yield breach("a post was answered with the message that its sender posted under another key", first, post)


def _refused_anew(anew: Sequence[tuple[Exchange, Exchange]]) -> Iterator[Judgement]:
    """Each with the first post under its key; what has a cause outside keys is no word on them."""
    for first, post in anew:
        if post.refused and post.code not in OUTSIDE:
            within = place_of(first) == place_of(post)
            if not stumbled(post, (other for one, other in anew if (place_of(one) == place_of(other)) is within)):
                yield breach(f"a post under a key that only others had used ended as {told(post)}", first, post)


def _anew(use: Uses, post: Exchange, whole: dict[Place, list[Page]]) -> Iterator[Judgement]:
    named, place = text(post.given.get("message_id")), place_of(post)
    other = use.answers.get(named) if named is not None else None
    if other is None:
        yield HELD
    elif place_of(other) == place:
        yield breach("the answer names a message of another sender", other, post)
    elif place is not None:
        # ids that repeat over threads are another requirement's matter, if the thread does hold the message
        later = next((page for page in whole[place] if post.before(page.read)), None)
        if later is not None:
            held = any(message.get("message_id") == named for message in later.messages)
            yield holds(held, "the answer names a message of another thread alone", other, later.read, post)


@law("TH-IDEM-05")
def without_a_key_a_post_is_new(history: History, contract: Contract) -> Iterator[Judgement]:
    """A good post without a key makes a message of its own, even where its sender posted the same payload before."""
    before: dict[str, Exchange] = {}
    without: list[tuple[Exchange, Exchange]] = []
    when, good = calendar_of(history), allowed(history, contract)
    for post in history.calls("post_message"):
        place, agent = place_of(post), agent_of(post)
        if place is None or agent is None or post.call not in good:
            continue
        like = json.dumps([place, agent, payload_of(post)], sort_keys=True)
        first = before.get(like)
        if first is None:
            if post.accepted:
                before[like] = post
        elif "idempotency_key" not in post.arguments and first.before(post) and when.same(first, post):
            without.append((first, post))
            if post.accepted:
                repeated = post.given.get("message_id", 0) == first.given.get("message_id", 1)
                yield holds(not repeated, "a post without a key was answered with an earlier message", first, post)
    for first, post in without:
        refused = post.refused and post.code not in OUTSIDE and not stumbled(post, (other for _, other in without))
        if refused and first.arguments.keys() == post.arguments.keys():
            saw = f"a post without a key that says what an earlier one said ended as {told(post)}"
            yield breach(saw, first, post)


@law("TH-IDEM-06")
def concurrent_posts_of_a_key_are_one(history: History, contract: Contract) -> Iterator[Judgement]:
    """Posts of one key and payload in flight together are answered alike, and reads show one message of them."""
    good, replayed = allowed(history, contract), [each.again for each in replays(history, contract)]
    for group in concurrent(history.calls("post_message"), key_of):
        alikes = [post for post in group if post.call in good and written_alike(Repeat(group[0], post, equal=True))]
        accepted = [post for post in alikes if post.accepted]
        if len(alikes) < 2 or not accepted:  # noqa: PLR2004 -- a group of one is no concurrency
            continue
        others = [
            Repeat(accepted[0], post, equal=True)
            for post in alikes
            if post is not accepted[0] and not stumbled(post, replayed)
        ]
        yield from raced(history, alikes, (judged for repeat in others for judged in answered_alike(repeat)))
        yield from raced(history, alikes, _one_message(history, contract, alikes))


def _one_message(history: History, contract: Contract, group: list[Exchange]) -> Iterator[Judgement]:
    """Reads after all of a group show one message with its sender and payload, where nothing else made such a one."""
    place, agent, payload = place_of(group[0]), agent_of(group[0]), payload_of(group[0])
    for post in history.calls("post_message"):
        like = place_of(post) == place and agent_of(post) == agent and alike(payload_of(post), payload) is not False
        if like and post not in group:
            return
    for page in pages(history, contract):
        if page.place != place or not all(post.before(page.read) for post in group):
            continue
        found = [
            m
            for m in page.messages
            if (m.get("sender_agent_id"), m.get("kind"), m.get("body")) == (agent, payload["kind"], payload["body"])
        ]
        if found:
            saw = f"{len(found)} messages came of {len(group)} concurrent posts of one key"
            yield holds(len(found) == 1, saw, *group, page.read, expected=1, got=len(found))


@law("TH-IDEM-07", compares="entity")
def a_key_is_kept_for_its_time(history: History, contract: Contract) -> Iterator[Judgement]:
    """Within the claimed retention a key gives its message again; later it makes a new one."""
    when, threads = calendar_of(history), known(history, contract)
    originals: dict[tuple[str, tuple[str, str, str]], tuple[Exchange, Exchange]] = {}
    for post in history.calls("post_message"):
        key, kept_s = key_of(post), retention(history, post)
        if key is None or kept_s is None or post.received is None:
            continue
        scoped = (post.instance, key)
        if scoped not in originals:
            if post.accepted:
                originals[scoped] = (post, post)
            continue
        original, last = originals[scoped]
        if not original.before(post):
            continue
        # what is wrong with a post by itself is named before its key is looked for
        sound = threads.faults(post) == NO_FAULT
        if when.elapsed(original, post)[1] < kept_s:
            if sound and alike(payload_of(original), payload_of(post)) and not when.same(original, post):
                yield from remembered(original, post)
            originals[scoped] = (original, post)
        # a server may count from the last use as well as from the first
        elif sound and when.elapsed(last, post)[0] > kept_s:
            yield from forgotten(original, post)
            originals[scoped] = (post, post)


@law("TH-IDEM-08", compares="entity")
def order_of_keys_is_nothing(history: History, contract: Contract) -> Iterator[Judgement]:
    """A post that differs from the key's first in the order of metadata's keys alone is answered as its replay."""
    for repeat in in_time(history, contract):
        if repeat.equal and not written_alike(repeat) and repeat.again.received is not None:
            yield from remembered(repeat.original, repeat.again)
