"""Safety of replies (Architecture decisions, AD-12): what propose_and_queue_replies holds back."""

from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.tuitbot.acting import own_handles
from conformance.contracts.tuitbot.deeds import SENT
from conformance.contracts.tuitbot.replies import RECENT, Proposal, days, limits, proposals
from conformance.contracts.tuitbot.similarity import similarity, words
from conformance.judge.effects import effects
from conformance.judge.judgements import breach, holds, unjudged
from conformance.judge.law import law
from conformance.judge.means import brings_about
from conformance.model.history import History
from conformance.model.verdict import Judgement

ALIKE, UNLIKE = 0.9, 0.2
"""Similarities beyond which nobody can doubt; what lies between depends on a server's threshold."""
FEW = 3
"""So many replies a day no limit of the account minds."""


def _held_back(
    history: History, contract: Contract, reply: Proposal, why: str, *evidence: Proposal
) -> Iterator[Judgement]:
    """The reply is blocked, and X was not called for it."""
    saw = f"a reply {why} was {reply.status}"
    calls = [*(other.call for other in evidence), reply.call]
    if reply.blocked and not _some_pass(history, contract, reply):
        return
    place = f"/data/{reply.number}/status"
    yield holds(reply.blocked, saw, *dict.fromkeys(calls), pointer=place, expected="blocked", got=reply.status)
    sent = effects(history, contract).of(reply.call.call, SENT) if reply.blocked and reply.alone else ()
    if sent:
        yield breach(f"a reply {why} was blocked, and X was called", *calls, got=sent[0].data)


def _some_pass(history: History, contract: Contract, reply: Proposal) -> bool:
    """Whether any reply of the instance was not held back: where all are, nothing is seen of the reasons."""
    instance = reply.call.instance
    return any(not other.blocked for other in proposals(history, contract) if other.call.instance == instance)


def _clear(history: History, contract: Contract, reply: Proposal) -> bool:
    """Whether nothing can be held against a reply: neither its text, its tweet, its author nor what came with it."""
    known, when = limits(history, contract), days(history, contract)
    phrases = known.phrases(reply.call)
    if (
        phrases is None
        or not reply.alone
        or not words(reply.text)
        or any(phrase.lower() in reply.text.lower() for phrase in phrases)
    ):
        return False
    others = [*reply.sent, *reply.waiting]
    if any(similarity(reply.text, other.text) > UNLIKE for other in others):
        return False
    today = [other for other in others if when.same(other.call, reply.call) is not False]
    spared = all(other.author not in (reply.author, None) for other in today)
    # the account may have posted the tweet before the run
    handles = own_handles(history, contract).get(reply.call.instance)
    stranger = handles is not None and reply.author is not None and reply.author not in handles
    return spared and stranger and not reply.own and not reply.answered and len(today) <= FEW


@law("TB-SAFE-02")
def repetitions_are_held_back(history: History, contract: Contract) -> Iterator[Judgement]:
    """A reply of nearly the words of a recent one is blocked, a quite different one that nothing forbids is not."""
    for reply in proposals(history, contract):
        recent = [(similarity(reply.text, other.text), other) for other in reply.sent[-RECENT:]]
        most, like = max(recent, key=lambda pair: pair[0], default=(0.0, None))
        if like is not None and most >= ALIKE:
            yield from _held_back(history, contract, reply, f"as like a recent one as {most:.2f}", like)
        elif like is not None and _clear(history, contract, reply):
            saw = "a reply unlike every recent one was blocked, and nothing else is to be said against it"
            yield holds(not reply.blocked, saw, like.call, reply.call, pointer="/data/0/status", got=reply.status)


@law("TB-SAFE-03")
def banned_phrases_are_held_back(history: History, contract: Contract) -> Iterator[Judgement]:
    """A reply that holds a banned phrase, in whatever case, is blocked."""
    for reply in proposals(history, contract):
        for phrase in limits(history, contract).phrases(reply.call) or ():
            if phrase.lower() in reply.text.lower():
                yield from _held_back(history, contract, reply, f"with the banned phrase {phrase!r}")
                break


@law("TB-SAFE-04")
def nobody_answers_himself(history: History, contract: Contract) -> Iterator[Judgement]:
    """A reply to a tweet that was posted through the server itself is blocked."""
    for reply in proposals(history, contract):
        if reply.own:
            yield from _held_back(history, contract, reply, "to the account's own tweet")


@law("TB-SAFE-05")
def an_author_is_spared(history: History, contract: Contract) -> Iterator[Judgement]:
    """A reply beyond the author's limit of the day is blocked; the next day one that nothing else forbids is not."""
    when = days(history, contract)
    limited = spared = False
    for reply in proposals(history, contract):
        limit = limits(history, contract).a_day(reply.call)
        earlier = [other for other in reply.sent if other.author == reply.author]
        if reply.author is None or limit is None or limit < 1 or len(earlier) < limit:
            continue
        today = [other for other in earlier if when.same(other.call, reply.call)]
        if len(today) >= limit:
            limited = True
            yield from _held_back(history, contract, reply, f"beyond the {limit} a day to its author", *today)
        elif _clear(history, contract, reply):
            spared = True
            saw = f"the day after {len(earlier)} replies to its author a reply was blocked"
            yield holds(not reply.blocked, saw, earlier[-1].call, reply.call, pointer="/data/0/status")
    if limited and not spared and not brings_about(history, "clock"):
        yield unjudged("whether a reply passes the next day, since the target cannot bring about clock")
