"""What reads show of what writes wrote: each place that is written and shown behaves as a register.

A read shows the value of the last write before it; of writes that overlap each other or the read, any one's.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import NamedTuple

from conformance.judge.judgements import breach
from conformance.judge.kinds import alike
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.verdict import HELD, Judgement

Register = Hashable
"""A place: instance, entity and field."""
Same = Callable[[Json, Json], bool | None]
"""Whether a shown value is the written one; None where that is in doubt."""


class Assignment(NamedTuple):
    """A write to a place. One that was not accepted, and not surely refused, may have taken effect or not."""

    register: Register
    value: Json
    call: Exchange
    doubtful: bool = False
    """What it wrote there is not known: the place is no subject until it is written again."""


class Showing(NamedTuple):
    """What a read shows of a place."""

    register: Register
    value: Json
    call: Exchange
    pointer: str
    what: str
    """The field, in words."""
    among: tuple[Register, ...] = ()
    """Registers that stand for many: what a write that names no entity wrote to may be this place."""


def kept(assignments: Iterable[Assignment], showings: Iterable[Showing], same: Same = alike) -> Iterator[Judgement]:
    """Judges each showing of a place that was surely written before it."""
    written: dict[Register, list[Assignment]] = defaultdict(list)
    for assignment in assignments:
        written[assignment.register].append(assignment)
    for assigned in written.values():
        assigned.sort(key=lambda one: one.call.sent)
    for shown in showings:
        writes: Sequence[Assignment] = written.get(shown.register, ())
        for name in reversed(shown.among):
            if name in written:
                writes = [*written[name], *writes]
        possible = _possible(writes, shown.call)
        if not possible or True in [one.doubtful for one in possible]:
            continue
        verdicts = [same(one.value, shown.value) for one in possible]
        if True in verdicts:
            yield HELD
        elif None not in verdicts:
            last = possible[-1]
            saw = f"{shown.call.tool} shows {shown.what} otherwise than {last.call.tool} wrote it"
            yield breach(saw, last.call, shown.call, pointer=shown.pointer, expected=last.value, got=shown.value)


def _possible(writes: Sequence[Assignment], read: Exchange) -> list[Assignment]:
    """The writes whose value a read may show: those that no other, surely later one had replaced when it was sent.

    Empty where nothing was surely written before.
    """
    if len(writes) == 1:
        (only,) = writes
        return [only] if only.call.accepted and only.call.before(read) else []
    begun = []
    latest: Exchange | None = None
    for one in writes:
        call = one.call
        if read.received is None or call.sent < read.received:
            begun.append(one)
            # what comes before any of the settled ones comes before the one that was sent last
            if call.accepted and call.before(read) and (latest is None or call.sent > latest.sent):
                latest = call
    if latest is None:
        return []
    return [one for one in begun if one.call is latest or not one.call.before(latest)]
