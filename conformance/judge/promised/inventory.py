"""The promise that a list shows all entities that there are."""

from collections.abc import Iterator, Sequence

from conformance.contract import promises as p
from conformance.contract.catalogue import Contract
from conformance.contract.making import Make
from conformance.contract.paging import onward
from conformance.judge.judgements import breach
from conformance.judge.promised.entities import Entities, entities
from conformance.judge.promised.scopes import Scope, nameless
from conformance.judge.promised.sightings import Name, listed
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.pointer import at
from conformance.model.verdict import HELD, Judgement


def complete(history: History, contract: Contract, promise: p.Listed) -> Iterator[Judgement]:
    """The list of [[make]], asked for as it is written there, shows each entity that surely exists."""
    make, seen = contract.makes[promise.entity], entities(history, contract)
    if make.list is None:
        return
    pages = [each for each in contract.promises.values() if isinstance(each, p.Paged) and each.tool == make.list.tool]
    for call in history.accepted(make.list.tool):
        scope = Scope(make, call, call.arguments)
        # of a list that goes on, a page may leave out what is on another
        if (
            not scope.whole
            or _goes_on(call, pages, make)
            or not isinstance(at(call.payload, make.list.at), list | dict)
        ):
            continue
        if nameless(call, make):
            continue
        shown = {one.name for one in listed(call, make)}
        there = [
            (name, made)
            for name, made in seen.made.items()
            if name.kind == promise.entity and scope.holds(name, made, seen) and _there(name, made, call, seen)
        ]
        missing = next(((name, made) for name, made in there if name not in shown), None)
        if (stray := scope.stray([call], seen)) is not None:
            yield stray
        elif missing is not None:
            name, made = missing
            saw = f"{call.tool} leaves out the {make.entity} {name.id}, which {made.tool} made"
            yield breach(saw, made, call, pointer=make.list.at, expected=name.value)
        elif there:
            yield HELD


def _there(name: Name, made: Exchange, call: Exchange, seen: Entities) -> bool:
    """Whether an entity surely exists for the caller of a list, and is as it was made but for ordinary changes."""
    own = name.instance == call.instance and made.credential.name == call.credential.name
    return own and made.before(call) and seen.lives(name, call) and not seen.altered(name, call)


def _goes_on(call: Exchange, pages: Sequence[p.Paged], make: Make) -> bool:
    """Whether there may be another page."""
    return any(onward(call.arguments, call.payload, each, make) != () for each in pages)
