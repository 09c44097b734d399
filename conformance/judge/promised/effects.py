"""What reads show of calls that change nothing: refusals, repeats, reads themselves."""

import re
from collections.abc import Iterable, Iterator

from conformance.contract.catalogue import Contract
from conformance.judge.judgements import breach, told
from conformance.judge.memo import once
from conformance.judge.unchanged import looks, parted, sights
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import HELD, Judgement

_NUMBER = re.compile(r"/\d+(?=/|$)")


class Moving:
    """The places of reads that change by themselves: two such reads in a row, with nothing between, part there."""

    def __init__(self, history: History, contract: Contract) -> None:
        self._places: set[tuple[str | None, str]] = set()
        self._looked: set[str | None] = set()
        for look in looks(history, contract).in_a_row():
            found = parted(look, contract)
            self._looked.add(look.before.tool)
            if found is not None:
                self._places.add((look.before.tool, _NUMBER.sub("/*", found.pointer)))

    def moves(self, read: Exchange, pointer: str) -> bool:
        """Whether what a read shows at a place may change without any call."""
        return (read.tool, _NUMBER.sub("/*", pointer)) in self._places

    def known(self, read: Exchange) -> bool:
        """Whether two reads in a row were seen, so that it is known what moves."""
        return read.tool in self._looked


moving = once(Moving)


def nothing_changes(history: History, contract: Contract, calls: Iterable[Exchange]) -> Iterator[Judgement]:
    """For each of these calls and each read made before and after it: both show the same, but for what moves anyway."""
    moves = moving(history, contract)
    for call in calls:
        for (before, after), found in sights(history, contract, call):
            if found is None:
                yield HELD
            elif moves.known(after) and not moves.moves(after, found.pointer):
                saw = f"{after.tool} shows a change after {call.tool} ended as {told(call)}"
                yield breach(saw, before, call, after, pointer=found.pointer, expected=found.expected, got=found.got)
