"""What read_records showed of an invocation."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from conformance.contract.catalogue import Contract
from conformance.contracts.invocation.calls import MICROSECONDS, Invocation, invocations
from conformance.contracts.invocation.kit import KINDS, RECORDS, SETTLED_S
from conformance.judge.memo import once
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History

Entry = dict[str, Json]


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """One accepted call of read_records."""

    call: Exchange
    kind: str
    correlation: str | None
    """The correlation that it asked for; None: all."""
    tool: str | None
    entries: Mapping[str, list[Entry]]
    """What it showed, as far as it is of this kind, by correlation."""

    def covers(self, one: Invocation) -> bool:
        """Whether it had to show what was recorded of an invocation."""
        return (
            self.call.instance == one.call.instance
            and one.call.before(self.call)
            and self.correlation in (None, one.correlation)
            and self.tool in (None, one.name)
        )


class Looked(NamedTuple):
    """What the last reading of a kind showed of an invocation."""

    call: Exchange
    entries: list[Entry]

    def settled(self, one: Invocation) -> bool:
        """Whether it came so long after the call that what it does not show is missing, not only late."""
        return self.call.sent - one.end >= SETTLED_S * MICROSECONDS

    def tells(self, one: Invocation) -> bool:
        """Whether it tells if there is any: it shows some, or none is to come."""
        return bool(self.entries) or self.settled(one)


class Records:
    """The records of a history's readings."""

    def __init__(self, history: History, contract: Contract) -> None:
        self._by_correlation: dict[tuple[str, str | None], list[Reading]] = defaultdict(list)
        self._count: dict[tuple[str, str, str], int] = defaultdict(int)
        for call in history.accepted(RECORDS):
            reading = _reading(call)
            if reading is not None:
                self._by_correlation[reading.kind, reading.correlation].append(reading)
        for one in invocations(history, contract):
            self._count[one.call.instance, one.correlation, one.name] += 1
            inner = one.input.get("tool")
            if isinstance(inner, str):
                self._count[one.call.instance, one.correlation, inner] += 1

    def distinct(self, one: Invocation) -> bool:
        """Whether its correlation tells it apart: no other invocation of the tool has it, that of a relay included."""
        return bool(one.correlation) and self._count[one.call.instance, one.correlation, one.name] == 1

    def alone(self, one: Invocation, tool: str) -> bool:
        """Whether only this relay has a tool invoked under its correlation, which may be that of a whole task."""
        return self.distinct(one) and self._count[one.call.instance, one.correlation, tool] == 1

    def of(self, one: Invocation, kind: str) -> Looked | None:
        """What the readings after a call showed of it; None where nobody looked. The last that showed any counts."""
        found = self._covering(one, kind)
        if not found:
            return None
        for reading in reversed(found):
            entries = _those(reading, one.correlation, one.name)
            if entries:
                return Looked(reading.call, entries)
        return Looked(found[-1].call, [])

    def around(self, one: Invocation, kind: str) -> Looked | None:
        """What they showed of its whole correlation, the calls behind it included."""
        found = [reading for reading in self._covering(one, kind) if reading.tool is None]
        if not found:
            return None
        shown = [(reading, _those(reading, one.correlation, None)) for reading in found]
        reading, entries = max(shown, key=lambda pair: len(pair[1]))
        return Looked(reading.call, entries)

    def _covering(self, one: Invocation, kind: str) -> list[Reading]:
        keys = {(kind, one.correlation), (kind, None)}
        found = [reading for key in keys for reading in self._by_correlation[key] if reading.covers(one)]
        return sorted(found, key=lambda reading: reading.call.sent)


def _reading(call: Exchange) -> Reading | None:
    kind, shown = call.argument("kind"), call.given.get("records")
    if kind not in KINDS or not isinstance(shown, list):
        return None
    correlation, tool = call.argument("correlationId"), call.argument("tool")
    entries: dict[str, list[Entry]] = defaultdict(list)
    for entry in shown:
        if isinstance(entry, dict) and entry.get("kind", kind) == kind and isinstance(entry.get("correlationId"), str):
            entries[entry["correlationId"]].append(entry)
    return Reading(
        call,
        kind,
        correlation if isinstance(correlation, str) else None,
        tool if isinstance(tool, str) else None,
        entries,
    )


def _those(reading: Reading, correlation: str, tool: str | None) -> list[Entry]:
    found: dict[str, Entry] = {}
    for number, entry in enumerate(reading.entries.get(correlation, ())):
        if tool is None or entry.get("tool") == tool:
            found.setdefault(str(entry.get("id", number)), entry)
    return list(found.values())


records = once(Records)


def identities(entries: list[Entry]) -> frozenset[str]:
    """The ids under which an invocation is known in its records: those of records, spans and the invocation."""
    names = ("id", "spanId", "invocationId")
    return frozenset(v for entry in entries for name in names if isinstance(v := entry.get(name), str) and v)
