"""Promises of keys: a write made again under its key is the same write, one that says something else is refused."""

from collections.abc import Collection, Hashable, Iterator, Sequence

from conformance.contract import promises as p
from conformance.contract.catalogue import Contract
from conformance.contract.saying import place
from conformance.contract.templates import place_of
from conformance.contract.wording import an
from conformance.judge.faults import declined, internal
from conformance.judge.flights import raced
from conformance.judge.judgements import MISSING, breach, holds, told
from conformance.judge.kinds import alike, spelled
from conformance.judge.parameters import parameters
from conformance.judge.promised.calls import templates, value, without
from conformance.judge.promised.effects import nothing_changes
from conformance.judge.promised.refusing import Fault, Likes, refused
from conformance.judge.promised.twins import ghosts, twins
from conformance.judge.replay import Repeat, concurrent, repeats
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.pointer import ABSENT
from conformance.model.verdict import Judgement

Keyed = p.Replayed | p.Conflicting


def replayed(history: History, contract: Contract, promise: p.Replayed) -> Iterator[Judgement]:
    """A write made again under its key gives the original answer and writes nothing."""
    again: list[Exchange] = []
    for original, replay, _ in _repeats(history, contract, promise, equal=True):
        again.append(replay)
        if replay.received is None:
            continue
        if replay.accepted:
            yield from _agree(promise, original, replay)
        elif not _later(contract, replay):
            saw = f"{replay.tool} made again with the same {place(promise.key)} ended as {told(replay)}"
            yield breach(saw, original, replay, expected="the original answer")
    yield from nothing_changes(history, contract, [call for call in again if call.accepted])
    yield from twins(history, contract, promise)
    if promise.concurrent:
        yield from _at_once(history, promise)


def conflicting(history: History, contract: Contract, promise: p.Conflicting) -> Iterator[Judgement]:
    """A write under a used key that says something else is refused and changes nothing."""
    others = {again: first for first, again, _ in _repeats(history, contract, promise, equal=False)}
    likes = Likes(history, contract, promise.tool, (promise.key,))
    what = f"with {an(place(promise.key))} that was used for other arguments"
    yield from refused(
        history, [Fault(call, what, first) for call, first in others.items()], promise.codes, likes, again=True
    )
    turned_away = [call for call in others if call.refused and likes.of(call)]
    yield from nothing_changes(history, contract, turned_away)
    yield from ghosts(history, contract, promise, turned_away)


def _repeats(history: History, contract: Contract, promise: Keyed, *, equal: bool) -> Iterator[Repeat]:
    """Calls under a used key, those that say the same or those that say something else.

    One whose expected revision alone is another says the same or not, and so does one that leaves out what the other
    says: that may be what is meant where nothing is said. That is left open, and it is neither.
    """
    tool = contract.tools.get(promise.tool)
    known = parameters(tool.inputSchema) if tool is not None else frozenset[str]()
    revisions = [f"@{found}" for call in templates(contract, promise.tool) if (found := place_of(call, "revision"))]

    def said(call: Exchange) -> Json:
        return without(call, (promise.key,))

    for repeat in repeats(history.calls(promise.tool), lambda call: _key(call, promise), said):
        # of an argument that the contract does not have nobody knows whether it says anything
        core = [_among(known, without(call, (promise.key, *revisions))) for call in repeat[:2]]
        if (equal and repeat.equal) or (not equal and alike(*_said_by_both(*core)) is False):
            yield repeat


def _said_by_both(one: Json, other: Json) -> tuple[Json, Json]:
    if not isinstance(one, dict) or not isinstance(other, dict):
        return one, other
    both = [name for name, value in one.items() if value is not None and other.get(name) is not None]
    return {name: one[name] for name in both}, {name: other[name] for name in both}


def _among(known: Collection[str], arguments: Json) -> Json:
    if not isinstance(arguments, dict) or not known:
        return arguments
    return {name: value for name, value in arguments.items() if name in known}


def _key(call: Exchange, promise: Keyed) -> Hashable | None:
    key = value(call, promise.key)
    return None if key is ABSENT or key is None else (call.credential.name, spelled(key))


def _agree(promise: p.Replayed, original: Exchange, again: Exchange) -> Iterator[Judgement]:
    for where in promise.gives:
        first, second = (MISSING if (found := value(call, where)) is ABSENT else found for call in (original, again))
        if first is MISSING:
            continue
        saw = f"{again.tool} with the same {place(promise.key)} gives another {place(where)} than the first answer"
        yield holds(alike(first, second) is not False, saw, original, again, pointer=where, expected=first, got=second)


def _at_once(history: History, promise: p.Replayed) -> Iterator[Judgement]:
    """Of equal writes at once under a new key all that are accepted give the same."""
    for group in concurrent(history.calls(promise.tool), lambda call: _key(call, promise)):
        if len({spelled(call.arguments) for call in group}) == 1:
            yield from raced(history, group, _one(promise, group))


def _one(promise: p.Replayed, group: Sequence[Exchange]) -> Iterator[Judgement]:
    taken = [call for call in group if call.accepted]
    for other in taken[1:]:
        yield from _agree(promise, taken[0], other)


def _later(contract: Contract, call: Exchange) -> bool:
    """Whether a refusal tells to try again later, or is a fault of the server's own: neither says no to the replay."""
    error = contract.errors.get(call.code or "")
    return internal(call) or not declined(call) or (error is not None and error.retryable is True)
