"""Which store a call reached. A process that ended by itself is followed by another one, whose store may be empty."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from conformance.model.events import Instance
from conformance.model.exchange import Connection, Exchange
from conformance.model.pointer import scalars


class Stores:
    """Tells apart what the processes of an instance were told.

    What one was told and what the next one shows are not held against each other: whether a store outlives its server
    is asked only where a target claims so, by laws of its own.
    """

    def __init__(self) -> None:
        self._before: dict[tuple[str, int], set[str]] = {}
        """By instance and process: the texts that earlier ones were given or gave."""
        self._here: dict[tuple[str, int], set[str]] = defaultdict(set)
        """The same of the process itself."""

    def bygone(self, call: Exchange, calls: Iterable[Exchange]) -> bool:
        """Whether it was refused and names what an earlier process was told and this one was not.

        It may be refused for that alone.
        """
        process = call.connection.instance, call.connection.process
        if call.connection.process == 1:
            return False
        if call.accepted:
            self._here[process] |= set(_texts(call))
            return False
        if process not in self._before:
            self._before[process] = {text for each in calls if _earlier(each, call) for text in _texts(each)}
        named = {value for _, value in scalars(call.arguments) if isinstance(value, str)}
        return call.refused and not named.isdisjoint(self._before[process] - self._here[process])


def reached(connection: Connection, instance: str, known: dict[str, Instance]) -> str:
    """The store that a call about an instance reached, by the instance's name for that of the first process."""
    if connection.process == 1:
        return instance
    name = f"{instance} (process {connection.process})"
    if instance in known:
        known.setdefault(name, known[instance])
    return name


def _earlier(call: Exchange, other: Exchange) -> bool:
    here, there = call.connection, other.connection
    return call.accepted and here.instance == there.instance and here.process < there.process


def _texts(call: Exchange) -> Iterator[str]:
    given = call.result if call.envelope is None else call.envelope
    return (value for part in (call.arguments, given) for _, value in scalars(part) if isinstance(value, str))
