"""Section 6: what an agent posts beyond its quota is refused."""

from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from conformance.contract.catalogue import Contract
from conformance.contracts.threads.known import Known, known
from conformance.contracts.threads.laws.moves import courses
from conformance.contracts.threads.laws.posted import key_of
from conformance.judge.calendar import calendar_of
from conformance.judge.conditional import coded
from conformance.judge.judgements import breach, told
from conformance.judge.law import law
from conformance.judge.settings import setting
from conformance.judge.unchanged import unchanged
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import Judgement

WINDOW_US = 60_000_000
Agent = tuple[str, str, float]
"""An instance, an agent there, and how far the calendar had been moved."""


class Excess(NamedTuple):
    """One more accepted post of an agent than its quota allows, in a time too short for one more to be earned."""

    agent: Agent
    first: Exchange
    last: Exchange
    quota: int

    @property
    def ended(self) -> int:
        """When the last of them was answered."""
        return self.last.received or self.last.sent


@law("TH-ERR-RATE_LIMITED")
def posting_beyond_the_quota_is_rate_limited(history: History, contract: Contract) -> Iterator[Judgement]:
    """A post beyond the agent's quota is refused with the code RATE_LIMITED, and equal reads around it show the same.

    With fixed windows a new one begins perhaps between two posts. So too many posts were accepted only where they are
    twice the quota, or where two agents, one after the other and within a minute, each exceed it.
    """
    threads, when, status = known(history, contract), calendar_of(history), courses(history, contract)
    posted: dict[Agent, deque[Exchange]] = defaultdict(deque)
    keys: set[tuple[str, object]] = set()
    excesses: dict[Agent, Excess] = {}
    refused: list[Exchange] = []
    for post in sorted(history.calls("post_message"), key=lambda call: call.sent):
        quota, agent, key = _quota(history, post), post.credential.claims.get("agent_id"), key_of(post)
        course = status.get((post.instance, str(post.argument("thread_id"))))
        closed = course is not None and course.may_be_closed(post)
        if quota is None or not isinstance(agent, str) or closed or not _judgeable(post, threads):
            continue
        if key is not None and (post.instance, key) in keys:
            continue
        who = (post.instance, agent, when.ahead(post))
        earlier = posted[who]
        while earlier and post.sent - earlier[0].sent >= WINDOW_US:
            earlier.popleft()
        recent = [other for other in earlier if other.before(post)]
        if len(recent) >= quota:
            yield from _beyond(post, recent, quota)
            if post.refused:
                refused.append(post)
            if post.accepted and who not in excesses:
                excesses[who] = Excess(who, recent[-quota], post, quota)
        if post.accepted:
            earlier.append(post)
            keys.add((post.instance, key))
    yield from _each_exceeds(list(excesses.values()))
    yield from unchanged(history, contract, refused)


def _judgeable(post: Exchange, threads: Known) -> bool:
    """Whether nothing but the quota stands against a post: it is faultless, of a thread of this run, and no reply."""
    faults = threads.faults(post)
    return not faults.codes and not faults.others and post.argument("in_reply_to") is None


def _beyond(post: Exchange, recent: Sequence[Exchange], quota: int) -> Iterator[Judgement]:
    """Judges a post beside the accepted ones of the minute before it."""
    if post.refused:
        yield from coded(
            [post], "RATE_LIMITED", because=lambda _: "beyond the agent's quota", beside=lambda _: recent[-1]
        )
    elif len(recent) >= 2 * quota and post.accepted:
        saw = f"message {len(recent) + 1} of a minute ended as {told(post)}; the quota is {quota}"
        yield breach(saw, recent[0], post, expected="RATE_LIMITED")


def _each_exceeds(excesses: Sequence[Excess]) -> Iterator[Judgement]:
    """Two agents of an instance, one after the other: within a minute a window begins anew for one of them alone."""
    brief = [one for one in excesses if one.ended - one.first.sent < WINDOW_US / one.quota]
    for one, other in combinations(sorted(brief, key=lambda excess: excess.first.sent), 2):
        alike = one.agent[0] == other.agent[0] and one.agent[2] == other.agent[2]
        if alike and one.ended <= other.first.sent and other.ended - one.first.sent < WINDOW_US:
            saw = f"two agents each posted {one.quota + 1} messages within a minute; the quota is {one.quota}"
            yield breach(saw, one.last, other.last, expected="RATE_LIMITED")
            return


def _quota(history: History, post: Exchange) -> int | None:
    """Messages a minute and agent, as the target states them."""
    quota = setting(history, post, "quota_per_minute")
    return quota if isinstance(quota, int) and not isinstance(quota, bool) and quota > 0 else None
