"""Calls that overlap another one about the same thing: which of them finds it undecided nobody can tell."""

from collections import defaultdict
from collections.abc import Hashable, Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.tuitbot.deeds import OPPOSITES, UNDOES
from conformance.contracts.tuitbot.queue import WORDS
from conformance.contracts.tuitbot.shown_so_far import DELETE, target_of
from conformance.judge.kinds import spelled
from conformance.judge.memo import once
from conformance.model.exchange import Exchange
from conformance.model.history import History

EVERY = "approve_all"


@once
def contested(history: History, _: Contract) -> frozenset[int]:
    """The numbers of words on one item, of deletions of one tweet, of likes of one tweet and the like that overlap."""
    found: set[int] = set()
    alike: dict[Hashable, list[Exchange]] = defaultdict(list)
    for call in history.calls(*WORDS, DELETE, *UNDOES):
        alike[call.instance, _kind(call)].append(call)
    for calls in alike.values():
        for place, call in enumerate(calls):
            for other in _overlapping(call, calls[place + 1 :]):
                if EVERY in (call.tool, other.tool) or _about(call) == _about(other):
                    found |= {call.call, other.call}
    return frozenset(found)


def _overlapping(call: Exchange, later: list[Exchange]) -> Iterator[Exchange]:
    """Those of the calls sent after it that were sent before its answer."""
    for other in later:
        if call.before(other):
            return
        yield other


def _kind(call: Exchange) -> str:
    tool = str(call.tool)
    return "word" if tool in WORDS else tool if tool in (DELETE, *OPPOSITES) else UNDOES[tool]


def _about(call: Exchange) -> str:
    return spelled(call.argument("id" if call.tool in WORDS else target_of(str(call.tool))))
