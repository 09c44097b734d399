"""The promise that a list shows all entities that there are."""

from collections.abc import Iterator

from conformance.contract import promises as p
from conformance.contract.catalogue import Contract
from conformance.contract.promises import Call
from conformance.contract.templates import filled, slots
from conformance.judge.judgements import breach
from conformance.judge.kinds import spelled
from conformance.judge.promised.entities import Entities, Name, entities, listed
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.pointer import at
from conformance.model.verdict import HELD, Judgement


def complete(history: History, contract: Contract, promise: p.Listed) -> Iterator[Judgement]:
    """The list of [[make]], asked for as it is written there, shows each entity that surely exists."""
    make, seen = contract.makes[promise.entity], entities(history, contract)
    if make.list is None:
        return
    for call in history.accepted(make.list.tool):
        if not _as_written(call, make.list) or not isinstance(at(call.payload, make.list.at), list):
            continue
        shown = {one.name for one in listed(call, make)}
        there = [made for made in seen.made.items() if made[0].kind == promise.entity and _there(*made, call, seen)]
        missing = next(((name, made) for name, made in there if name not in shown), None)
        if missing is not None:
            name, made = missing
            saw = f"{call.tool} leaves out {name.id}, which {made.tool} made"
            yield breach(saw, made, call, pointer=make.list.at, expected=name.value)
        elif there:
            yield HELD


def _there(name: Name, made: Exchange, call: Exchange, seen: Entities) -> bool:
    """Whether an entity surely exists for the caller of a list, and is as it was made but for ordinary changes."""
    own = name.instance == call.instance and made.credential.name == call.credential.name
    return own and made.before(call) and seen.lives(name, call) and not seen.altered(name, call)


def _as_written(call: Exchange, template: Call) -> bool:
    """Whether nothing is asked for but what the contract writes: no filter, no page, no size."""
    if any(slot.kind != "claims" for slot in slots(template.arguments)):
        return False
    claims = call.credential.claims
    return spelled(call.arguments or {}) == spelled(filled(template.arguments, lambda _, name: claims.get(name)))
