"""Promises that a call with one fault is refused, with its code. A refusal counts beside its control alone."""

from collections.abc import Iterable, Iterator
from functools import partial
from typing import NamedTuple

from conformance.contract.asked import key_places
from conformance.contract.catalogue import Contract
from conformance.contract.making import Make
from conformance.contract.naming import within
from conformance.contract.promises import Place
from conformance.contract.templates import fits, given, place_of, plain, slots
from conformance.judge.controls import ButFor, Controls
from conformance.judge.faults import declined, internal
from conformance.judge.judgements import breach, told
from conformance.judge.kinds import spelled
from conformance.judge.promised.calls import fresh, templates, without, writes
from conformance.judge.promised.entities import end, entities
from conformance.judge.promised.sightings import name_of
from conformance.judge.refused import surely_refused
from conformance.judge.serving import Unsupported
from conformance.judge.silence import silence
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.pointer import ABSENT, ASKED, at, meets, put
from conformance.model.verdict import HELD, Judgement


class Fault(NamedTuple):
    """A call that has one fault, in words: 'with an unknown id'."""

    call: Exchange
    what: str
    before: Exchange | None = None
    """An earlier call that makes it one, such as the first that used the key."""


class Likes:
    """The controls of calls of one tool that differ from them in these places, and in what is new in each call."""

    def __init__(  # noqa: PLR0913 -- what a control may differ in, each by name
        self,
        history: History,
        contract: Contract,
        tool: str,
        places: Iterable[Place] = (),
        *,
        caller: bool = False,
        conditions: frozenset[str] = frozenset(),
        settings: frozenset[str] = frozenset(),
        after: bool = False,
    ) -> None:
        """`after`: a control counts only where it comes after the call, as the state may be what it is refused for."""
        left_out = tuple(places)
        self._fresh = [slot for slot in fresh(contract, tool) if not _among(slot.at, left_out)]
        self._keys = [place for place in _plain(key_places(contract, tool)) if not _among(place, left_out)]
        naming = [
            slot
            for call in templates(contract, tool)
            for slot in slots(call.arguments)
            if slot.kind in ("id", "made", "its") and not _among(slot.at, left_out)
        ]
        self._named = {slot.at for slot in naming}
        """Where a call names the entities that it is about, and its control names the same."""
        self._beside = {slot.at: contract.makes[slot.name] for slot in naming if slot.kind == "made"}
        """Where a call names one that was made for it."""
        self._seen = entities(history, contract)
        self._controls = Controls(history)
        shapes = (self._shape, self._shape_as_made) if self._beside else (self._shape,)
        self._differing = [
            ButFor(caller=caller, conditions=conditions, settings=settings, shape=partial(shape, left_out=left_out))
            for shape in shapes
        ]
        self._writes = [each for each in writes(history, contract) if not surely_refused(each, contract)]
        self._first: dict[tuple[str, str, str], int] = {}
        """By instance, place and value, the first call that had it there."""
        for call in sorted(history.calls(tool), key=lambda one: one.sent):
            for place, found in self._own(call):
                self._first.setdefault((call.instance, place, spelled(found)), call.call)
        # a write that is guarded by a revision is refused for that once another one was accepted
        self._guarded = after or any(
            place_of(call, "revision") not in ("", *_plain(left_out)) for call in templates(contract, tool)
        )

    def _shape(self, call: Exchange, left_out: tuple[Place, ...]) -> Json:
        """A call's arguments, where any plain value stands for any other in what is new in each call."""
        arguments = without(call, left_out)
        for slot in self._fresh:
            if plain(slot, at(arguments, slot.at)):
                put(arguments, slot.at, f"«{slot.kind}»")
        return arguments

    def _shape_as_made(self, call: Exchange, left_out: tuple[Place, ...]) -> Json:
        """The same, where what was made for a call and not used before stands for any other that was."""
        arguments = self._shape(call, left_out)
        for place, make in self._beside.items():
            if self._unused(call, make, at(arguments, place)):
                put(arguments, place, f"«new {make.entity}»")
        return arguments

    def _unused(self, call: Exchange, make: Make, identifier: Json) -> bool:
        """Whether an entity, made in nothing else, surely is as [[make]] makes one when a call is served."""
        name = name_of(call, make, identifier)
        made = self._seen.made.get(name) if name is not None else None
        if name is None or made is None or within(make, made.arguments):
            return False
        plainly = fits(make.make.arguments, made.arguments)
        return plainly and self._seen.lives(name, call) and not self._seen.altered(name, call, once=True)

    def _own(self, call: Exchange) -> Iterator[tuple[str, Json]]:
        """What is to be new in a call, each with its place: also a key that no [[make]] gives it."""
        for slot in self._fresh:
            if (found := given(call.arguments, slot)) is not ABSENT:
                yield slot.at, found
        for place in self._keys:
            if (found := _given(call, place)) is not ABSENT and found is not None:
                yield place, found

    def new(self, call: Exchange) -> bool:
        """Whether a call has values of its own in what is new in each call: it is no repeat of another.

        What names a new entity in one call names one that is there in another, where the same tool writes over it.
        """
        return all(
            self._first.get((call.instance, place, spelled(found))) == call.call
            for place, found in self._own(call)
            if place not in self._named
        )

    def of(self, call: Exchange) -> Exchange | None:
        """The control of a call; None where none was accepted."""
        find = self._controls.after if self._guarded else self._controls.beside
        found = (find(call, differing) for differing in self._differing)
        return next((one for one in found if one is not None and not self._changed(call, one)), None)

    def _changed(self, call: Exchange, control: Exchange) -> bool:
        """Whether an entity may have been changed between, or removed: the state may be what one was refused for."""
        named = {spelled(found) for place in self._named if (found := _given(call, place)) is not ABSENT}
        first, last = sorted((call, control), key=lambda one: one.sent)
        return bool(named) and any(
            write not in (call, control)
            and write.instance == call.instance
            and write.sent < last.sent
            and end(write) > first.sent
            and not named.isdisjoint(map(spelled, _values(write)))
            for write in self._writes
        )


def _given(call: Exchange, place: str) -> Json:
    return at(call.arguments, place) if isinstance(call.arguments, dict) else ABSENT


def _values(call: Exchange) -> Iterable[Json]:
    return call.arguments.values() if isinstance(call.arguments, dict) else ()


def _among(pointer: str, places: Iterable[Place]) -> bool:
    """Whether one of these places is where a pointer leads."""
    return any(meets(place, pointer) for place in _plain(places))


def _plain(places: Iterable[Place]) -> list[str]:
    return [place.removeprefix(ASKED) for place in places]


def refused(
    history: History, faults: Iterable[Fault], codes: tuple[str, ...], likes: Likes, *, again: bool = False
) -> Iterator[Judgement]:
    """Each of these calls is refused with one of the codes, with any where none is named.

    One that was refused without a control beside it is no subject: it may have been refused for anything. `again`: a
    call may repeat what another said, and is at fault all the same; with another code it may be refused for that.
    """
    unsupported = Unsupported(history)
    made = [fault for fault in faults if not unsupported.concerns(fault.call)]
    what_of = {fault.call.call: fault.what for fault in made}
    yield from silence([fault.call for fault in made], lambda call: what_of[call.call], likes.of)
    for call, what, before in made:
        if call.received is None:
            continue
        if not likes.new(call) and not (again and (call.accepted or call.code in codes)):
            continue
        expected, calls = " or ".join(codes) or "a refusal", [*filter(None, (before,)), call]
        if call.accepted:
            yield breach(f"{call.tool} {what} ended as {told(call)}", *calls, expected=expected)
        elif (beside := likes.of(call)) is None:
            continue
        elif codes and call.code not in codes:
            saw = f"{call.tool} {what} was {told(call)}"
            yield breach(saw, *calls, beside=beside, pointer="/error", expected=expected, got=call.code)
        elif codes or (declined(call) and not internal(call)):
            yield HELD
