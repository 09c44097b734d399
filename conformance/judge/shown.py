"""What a contract's [[shown]] rows say: which argument of a write a read shows, and where."""

from collections.abc import Callable, Iterable, Iterator

from conformance.contract.catalogue import Contract, Shown
from conformance.judge.kinds import spelled
from conformance.judge.refused import surely_refused
from conformance.judge.registers import Assignment, Register, Showing
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.pointer import ABSENT, ASKED, at, entries


def assignments(
    history: History, contract: Contract, counts: Callable[[Exchange], bool] = lambda _: True
) -> Iterator[Assignment]:
    """What writes wrote, by the contract's rows. `counts` leaves out writes that are known to have written nothing.

    One that names no entity, as one without an answer may not, leaves every entity of its kind in doubt.
    """
    taken: set[tuple[int, Register]] = set()
    for row in contract.shown:
        for call in history.calls(row.write):
            if surely_refused(call, contract) or not counts(call) or not isinstance(call.arguments, dict):
                continue
            entity = _named(call, row, row.entity)
            if entity is None:
                yield Assignment(_among(call, row)[-1], None, call, doubtful=True)
                continue
            for name, field in row.fields.items():
                value = at(call.arguments, f"/{name}")
                if value is not ABSENT and _first(taken, (call.call, (entity, field))):
                    yield Assignment((entity, field), value, call, doubtful=value is None and not row.clears)


def showings(
    history: History, contract: Contract, counts: Callable[[Exchange], bool] = lambda _: True
) -> Iterator[Showing]:
    """What reads show of it. `counts` leaves out reads that are known to leave something out."""
    taken: set[tuple[int, Register]] = set()
    for row in contract.shown:
        reads = [call for call in history.accepted(row.read) if counts(call)]
        fields = [(field, field.rpartition("/")[2]) for field in _fields(row, reads)]
        for call in reads:
            among = _among(call, row)
            for pointer, entry in entries(call.payload, row.entry):
                entity = _named(call, row, row.named, entry)
                for field, what in fields if entity is not None else ():
                    if _first(taken, (call.call, (entity, field, pointer))):
                        value = at(entry, field)
                        # what is absent is shown as null
                        shown = None if value is ABSENT else value
                        yield Showing((entity, field), shown, call, f"{pointer}{field}", what, among)


def _fields(row: Shown, reads: Iterable[Exchange]) -> list[str]:
    """The fields that a row is about; of a partial one those that a read was seen to show of any entity."""
    fields = list(dict.fromkeys(row.fields.values()))
    if not row.partial:
        return fields
    held = [entry for call in reads for _, entry in entries(call.payload, row.entry)]
    return [field for field in fields if any(at(entry, field) is not ABSENT for entry in held)]


def _among(call: Exchange, row: Shown) -> tuple[Register, ...]:
    """What stands for all entities of a kind: of the instance, and of what they are within, where that is named."""
    every = (call.instance, row.kind)
    if not row.within:
        return (every,)
    within = [_told(call, each, call.payload) for each in row.within]
    named = None not in within and ABSENT not in within
    return (every, (*every, *map(spelled, within))) if named else (every,)


def _first(taken: set[tuple[int, Register]], place: tuple[int, Register]) -> bool:
    """Whether a place of a call comes for the first time: rows for other writes and reads may name it again."""
    fresh = place not in taken
    taken.add(place)
    return fresh


def _named(call: Exchange, row: Shown, pointer: str, entry: Json = ABSENT) -> Register | None:
    """The entity that a call is about, with what it is within; None where one of these is not named."""
    shown = call.payload if entry is ABSENT else entry
    values = [_told(call, each, call.payload) for each in row.within]
    values.append(_told(call, pointer, shown))
    if None in values or ABSENT in values:
        return None
    return (call.instance, row.kind, *map(spelled, values))


def _told(call: Exchange, pointer: str, shown: Json) -> Json:
    """What a pointer leads to, in a call's arguments or in what its answer shows."""
    if pointer[:1] == ASKED:
        return at(call.arguments, pointer[1:])
    return at(shown, pointer) if call.accepted else ABSENT
