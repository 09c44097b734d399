"""Posts under a key: which of them repeat which, and what a repetition is answered."""

import json
from collections.abc import Iterator, Sequence

from conformance.contract.catalogue import Contract
from conformance.contracts.threads.known import known
from conformance.contracts.threads.laws.posted import key_of, payload_of
from conformance.judge.calendar import calendar_of
from conformance.judge.judgements import breach, holds, same, told
from conformance.judge.kinds import fraction, text
from conformance.judge.memo import once
from conformance.judge.replay import Repeat, repeats
from conformance.judge.settings import setting
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import Judgement

GIVEN = ("message_id", "seq", "created_at")
"""What a replay gives again; the thread's status is the current one."""
OUTSIDE = ("RATE_LIMITED", "UNAUTHORIZED", "FORBIDDEN")
"""Refusals that say nothing about a key."""


@once
def in_time(history: History, contract: Contract) -> Sequence[Repeat]:
    """Faultless posts under a key that was used before, while no clock was moved and its retention goes on."""
    when, threads = calendar_of(history), known(history, contract)
    found = repeats(history.calls("post_message"), key_of, payload_of)
    return [
        one
        for one in found
        if not threads.faults(one.again).codes | threads.faults(one.original).codes
        and not threads.faults(one.again).unfit
        and when.same(one.original, one.again)
        and _kept(one, history)
    ]


def _kept(repeat: Repeat, history: History) -> bool:
    """Whether the retention that the target states, if it does, had surely not passed."""
    kept_s = retention(history, repeat.again)
    return kept_s is None or calendar_of(history).elapsed(repeat.original, repeat.again)[1] < kept_s


def retention(history: History, post: Exchange) -> float | None:
    """Seconds for which the target says that it keeps keys, of this instance or in general."""
    return fraction(setting(history, post, "retention_s"))


def written_alike(repeat: Repeat) -> bool:
    """Whether the payloads are equal with their keys in the same order."""
    first, second = (json.dumps(payload_of(post)) for post in (repeat.original, repeat.again))
    return first == second


def replays(history: History, contract: Contract) -> Iterator[Repeat]:
    """Posts that repeat an earlier one as it was written."""
    return (repeat for repeat in in_time(history, contract) if repeat.equal and written_alike(repeat))


def answered_alike(repeat: Repeat) -> Iterator[Judgement]:
    """The replay's answer is the original's."""
    original, again, _ = repeat
    if again.accepted:
        yield same(again, original, *GIVEN)
    elif again.refused and again.code not in OUTSIDE:
        yield breach(f"the replay of an accepted post ended as {told(again)}", original, again)


def remembered(original: Exchange, post: Exchange) -> Iterator[Judgement]:
    """The post is answered as a replay: not refused, and with no message of its own."""
    if post.accepted:
        own = all(post.given.get(name) != original.given.get(name) for name in ("message_id", "seq"))
        yield holds(not own, "a replay made a message of its own", original, post)
    elif post.code not in OUTSIDE:
        yield breach(f"a replay ended as {told(post)}", original, post)


def forgotten(original: Exchange, post: Exchange) -> Iterator[Judgement]:
    """The post makes a message of its own."""
    if post.accepted:
        repeated = post.given.get("message_id", 0) == original.given.get("message_id", 1)
        yield holds(not repeated, "after its retention a key still gave the old message", original, post)
    elif post.code == "IDEMPOTENCY_CONFLICT":
        yield breach("after its retention a key is still held to be in conflict", original, post)


class Uses:
    """What was done with one key, by whomever and in whichever thread."""

    def __init__(self) -> None:
        self.tried: set[tuple[str, str, str]] = set()
        self.first: Exchange | None = None
        self.answers: dict[str, Exchange] = {}

    def add(self, key: tuple[str, str, str], post: Exchange) -> None:
        """Takes the next post under it."""
        self.tried.add(key)
        if post.accepted:
            self.first = self.first or post
            self.answers.setdefault(text(post.given.get("message_id")) or "", post)
