"""Promises of calls that are refused in a state of an entity, and accepted in another."""

from collections.abc import Iterator

from conformance.contract import promises as p
from conformance.contract.catalogue import Contract
from conformance.contract.naming import Naming, naming
from conformance.contract.templates import place_of
from conformance.contract.wording import an
from conformance.judge.faults import declined, internal
from conformance.judge.judgements import breach, told
from conformance.judge.kinds import spelled
from conformance.judge.promised.calls import as_written
from conformance.judge.promised.entities import Entities, entities
from conformance.judge.promised.moves import leads_on
from conformance.judge.promised.refusing import Fault, Likes, refused
from conformance.judge.promised.sightings import Name, asked, name_of
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.pointer import ABSENT, at
from conformance.model.verdict import HELD, Judgement


def barred(history: History, contract: Contract, promise: p.Barred) -> Iterator[Judgement]:
    """A call on an entity that is in a state is refused, and accepted once the entity has left that state."""
    make, seen = contract.makes[promise.entity], entities(history, contract)
    template = next(iter(naming(contract, promise.tool, promise.entity)), None)
    if template is None:
        return
    revision = place_of(template.call, "revision")
    places = [f"@{place}" for place in (template.place, revision) if place]
    likes = Likes(history, contract, promise.tool, places)
    # what a call removes it cannot remove again: its code says why it was refused, and others show that it need not be
    own = place_of(template.call, "id")
    others = Likes(history, contract, promise.tool, [*places, f"@{own}"]) if own else likes
    wrong: list[Fault] = []
    for call in history.calls(promise.tool):
        name = name_of(call, make, at(call.arguments, template.place))
        if name is None or not as_written(call, contract) or not seen.lives(name, call):
            continue
        if revision and at(call.arguments, revision) is not ABSENT and not _current(call, seen, template, revision):
            continue
        state = seen.state(name, call)
        if state is not None and leads_on(call, make, state):
            continue
        if state is not None and (state == promise.state) is not promise.outside:
            wrong.append(Fault(call, f"on {an(promise.entity)} that is {promise.state}" if state else _not(promise)))
        elif state is not None and seen.left(name, call, promise.state) and not promise.outside:
            yield from _open_again(call, promise, others) if not own or _there(call, seen, template) else ()
    yield from refused(history, wrong, promise.codes, likes)


def _own(call: Exchange, template: Naming) -> Name | None:
    """The entity that a call is about by its own id; None where it is about none."""
    return name_of(call, template.make, asked(call, template.call)) if template.make is not None else None


def _there(call: Exchange, seen: Entities, template: Naming) -> bool:
    """Whether what a call is about by its own id was made before, and nobody tried to remove it yet."""
    name = _own(call, template)
    made = seen.made.get(name) if name is not None else None
    tried = [each for each in seen.removed.get(name, ()) if each.sent < call.sent] if name is not None else []
    return made is not None and made.before(call) and not any(each.accepted or each.received is None for each in tried)


def _not(promise: p.Barred) -> str:
    return f"on {an(promise.entity)} that is not {promise.state}"


def _current(call: Exchange, seen: Entities, template: Naming, place: str) -> bool:
    """Whether a call expects the revision that its own entity surely has: else it is refused for that.

    That may be another one than the entity whose state bars it: a card is moved to a board.
    """
    name = _own(call, template)
    current = seen.current(name, template.make, call) if name is not None and template.make is not None else ABSENT
    return current is not ABSENT and spelled(current) == spelled(at(call.arguments, place))


def _open_again(call: Exchange, promise: p.Barred, likes: Likes) -> Iterator[Judgement]:
    """A call on an entity that has left the state is not refused as one that is in it."""
    if call.accepted:
        yield HELD
    elif declined(call) and not internal(call) and call.code in promise.codes and (beside := likes.of(call)):
        saw = f"{call.tool} on {an(promise.entity)} that is no longer {promise.state} ended as {told(call)}"
        yield breach(saw, call, beside=beside, expected="success")
