"""Optimistic concurrency: of writers who expect one revision at once, one is the first."""

from collections.abc import Iterator, Sequence

from conformance.contract.catalogue import Contract
from conformance.contracts.tasks.changes import changes
from conformance.contracts.tasks.guards import Expectation, Ledger, ledger
from conformance.contracts.tasks.laws.expectations import ALIAS, MISMATCH, habits
from conformance.contracts.tasks.laws.revisions import spoken
from conformance.judge.epochs import epochs
from conformance.judge.flights import raced
from conformance.judge.judgements import breach, holds
from conformance.judge.law import law
from conformance.model.history import History
from conformance.model.verdict import Judgement


@law("TK-REV-07")
def one_of_many_writers_wins(history: History, contract: Contract) -> Iterator[Judgement]:
    """Of overlapping writes that expect the same revision of an entity exactly one is accepted.

    Where a tool ignores the alias of the argument, writes that give the alias alone are judged by TK-REV-06.
    """
    known, usual = ledger(history, contract), habits(history, contract)
    changed = changes(history, contract)
    heard = [each for each in known.expectations if each.names != (ALIAS,) or each.call.tool not in usual.deaf]
    for group in _races(heard, known):
        calls = [each.call for each in group]
        winners = [call for call in calls if call.accepted and call.call in changed.of]
        answered = all(call.received is not None for call in calls)
        what = f"{len(calls)} concurrent writes to {spoken(group[0].key)} that expect revision {group[0].expected}"
        if winners:
            # a guard that fails one call after another fails at once as well
            evidence = (*usual.of(winners[0]), *winners)
            saw = f"{len(winners)} of {what} were accepted"
            found = holds(len(winners) == 1, saw, *evidence, expected=1, got=len(winners))
            yield from raced(history, calls, [found])
        elif answered and all(call.code == MISMATCH for call in calls) and _current(group, known, history, contract):
            saw = f"none of {what} was accepted, though it is the current one"
            yield breach(saw, *usual.of(calls[0]), *calls, expected=1, got=0)


def _races(expectations: Sequence[Expectation], known: Ledger) -> Iterator[list[Expectation]]:
    """Two or more writes of one expectation, each of which overlaps the first."""
    groups: dict[object, list[list[Expectation]]] = {}
    for each in expectations:
        races = groups.setdefault((known.name(each.call, each.key), each.expected), [])
        if races and not races[-1][0].call.before(each.call):
            races[-1].append(each)
        else:
            races.append([each])
    return (race for races in groups.values() for race in races if len(race) > 1)


def _current(group: Sequence[Expectation], known: Ledger, history: History, contract: Contract) -> bool:
    """Whether the entity surely had the expected revision when the first of the writes was sent."""
    first, members = group[0].call, {each.call.call for each in group}
    seen = [one for one in known.sightings.get(known.name(first, group[0].key), ()) if one.call.before(first)]
    if not seen or seen[-1].revision != group[0].expected:
        return False
    others = (call for call in epochs(history, contract).writes(first) if call.call not in members)
    last = seen[-1].call
    return all(call is last or call.before(last) or first.before(call) for call in others)
