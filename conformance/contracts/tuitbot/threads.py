"""Threads of which X takes a part: which of them surely broke off after their first tweets."""

from collections import Counter

from conformance.contract.catalogue import Contract
from conformance.contracts.tuitbot.gate import UNTOLD, decision
from conformance.contracts.tuitbot.known import known
from conformance.contracts.tuitbot.queue import PARTIAL as PARTIAL
from conformance.contracts.tuitbot.queue import at_once, item_of
from conformance.contracts.tuitbot.timelines import LISTS
from conformance.contracts.tuitbot.tweets import listed, posted_before_failing, written
from conformance.judge.effects import effects
from conformance.judge.memo import once
from conformance.model.exchange import Exchange
from conformance.model.history import History

THREAD, APPROVE = "x_post_thread", "approve_item"
MIDWAY = 2
"""Calls of X that succeed before a thread is surely under way: a server may make another before the first tweet."""
SENT, DONE = "x_call", "ok"
"""The kind of effect that a call of X is reported as, and the outcome of one that X performed."""


@once
def broken_off(history: History, contract: Contract) -> list[Exchange]:
    """Calls of which X surely took some of a thread's tweets, and not all: answered calls alone."""
    run = known(history, contract)
    tried = (call for call in run.under("x_after") if call.received is not None and decision(call) is None)
    found = [call for call in tried if _midway(history, contract, call)]
    numbers = {call.call for call in found}
    refused = (call for call in history.calls(THREAD) if call.refused and decision(call) is None)
    # one whose result is not told may be out as a whole
    others = (call for call in refused if call.call not in numbers and call.code != UNTOLD)
    return [*found, *(call for call in others if 0 < _out(history, contract, call) < len(written(call)))]


def _midway(history: History, contract: Contract, call: Exchange) -> bool:
    """Whether X lets so many calls succeed that a thread is under way, and not whole."""
    after = call.conditions.get("x_after") or known(history, contract).setting(call, "x_after")
    spared = after.get("calls") if isinstance(after, dict) else None
    tweets = written(call)
    if call.tool == APPROVE and (call.refused or at_once(history, contract)):
        item = item_of(history, contract, call)
        tweets = written(item.routed) if item is not None and item.routed.tool == THREAD else []
    elif call.tool != THREAD:
        return False
    return isinstance(spared, int) and MIDWAY <= spared < len(tweets)


def _out(history: History, contract: Contract, call: Exchange) -> int:
    """How many tweets of a thread are out, as far as its answer, the effects or later reads tell."""
    told = len(posted_before_failing(call) or ())
    done = sum(bool(e.data.get("outcome") == DONE) for e in effects(history, contract).of(call.call, SENT))
    return max(told, done, _seen(history, contract, call))


@once
def _written_once(history: History, _: Contract) -> frozenset[str]:
    """The texts that one call alone writes."""
    count = Counter(text for call in history.calls() for text in set(written(call)))
    return frozenset(text for text, number in count.items() if number == 1)


def _seen(history: History, contract: Contract, call: Exchange) -> int:
    """How many of its texts, which no other call writes, a list shows that was read after it, the first among them.

    Where the first is not shown a page may have ended before it.
    """
    once_written = _written_once(history, contract)
    own = {text for text in written(call) if text in once_written}
    seen: set[str] = set()
    for read in history.accepted(*LISTS) if own else ():
        if read.instance == call.instance and call.before(read):
            seen |= own.intersection(str(tweet.get("text")) for tweet in listed(read) or ())
    return len(seen) if seen.intersection(written(call)[:1]) else 0
