"""What was accepted survives: a store whose server was killed and started again is held against itself.

What held of the calls before has to hold of all the calls, those after among them: the same laws judge both.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec import structs

from conformance.contract.catalogue import Contract
from conformance.judge.law import HistoryLaw
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import HELD, Judgement


class Life(NamedTuple):
    """A store around one start of its server on it, under one name."""

    before: History
    """What happened until the server was killed."""
    whole: History
    """The same, with what happened from its start on until it was killed again, if it was."""
    after: frozenset[int]
    """The calls by which the second differs from the first."""


def lives(history: History) -> Iterator[Life]:
    """One for each time that a server was killed and a call was made at what was started on its store."""
    calls: dict[str, list[Exchange]] = defaultdict(list)
    for exchange in (*history.exchanges, *history.again):
        calls[exchange.instance].append(exchange)
    former = {killed.again: killed.instance for killed in history.killed}
    wholes: dict[str, History] = {}
    """By the last of its names, what a store went through: before its next end it is that."""
    for name in former:
        line = [name]
        while line[-1] in former:
            line.append(former[line[-1]])
        after = [_named(call, line[-1]) for call in calls[name]]
        if after:
            before = wholes.get(line[1])
            if before is None:
                before = history.of_calls(_named(call, line[-1]) for each in reversed(line[1:]) for call in calls[each])
            wholes[name] = history.of_calls([*before.exchanges, *after])
            yield Life(before, wholes[name], frozenset(call.call for call in after))


def _named(call: Exchange, instance: str) -> Exchange:
    return structs.replace(call, instance=instance, worked_out={})


def survived(history: History, contract: Contract, laws: Sequence[HistoryLaw]) -> Iterator[Judgement]:
    """Judges by each of these laws what was done around each start of a server on a store.

    A law that had nothing to judge before, or was broken then, says nothing of what the server's end did.
    """
    for life in lives(history):
        for law in laws:
            before = _said(law, life.before, contract)
            if not before or not all(judgement.ok for judgement in before):
                continue
            whole = _said(law, life.whole, contract)
            broken = [each for each in whole if not each.ok and not life.after.isdisjoint((*each.calls, *each.spoils))]
            for each in broken:
                yield structs.replace(each, saw=f"after the server was killed and started again: {each.saw}")
            yield from [HELD] * (sum(each.ok for each in whole) - len(before))


def _said(law: HistoryLaw, history: History, contract: Contract) -> list[Judgement]:
    """What a law says of a history; asked of what a store went through, and again of that as what was before."""
    kept: dict[HistoryLaw, list[Judgement]] = history.worked_out.setdefault(_said, {})
    if law not in kept:
        kept[law] = [judgement for judgement in law(history, contract) if judgement.judged]
    return kept[law]


def unkept(history: History, _: Contract) -> str:
    """Why nothing on the target can be a subject: it does not say that its store outlives its server."""
    statement = history.header.statement if history.header is not None else {}
    table = statement.get("store")
    kept = isinstance(table, dict) and table.get("kept") is True
    return "" if kept else "the target does not say that it keeps its store ([store] in conformance.toml)"
