"""Which store a call reached. A process that ended by itself is followed by another one, whose store may be empty."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from msgspec import structs

from conformance.model.events import Effect, Instance
from conformance.model.exchange import Exchange
from conformance.model.pointer import scalars


class Stores:
    """Tells apart what the processes of an instance were told.

    What one was told and what the next one shows are not held against each other: whether a store outlives its server
    is asked only where a target claims so, by laws of its own.
    """

    def __init__(self) -> None:
        self._told: dict[str, dict[str, int]] = defaultdict(dict)
        """By instance, the texts that its processes were given or gave, each with the last of them."""
        self.latest: dict[str, int] = {}
        """By instance, the number of the process that serves it, as far as was seen."""
        self._looked_at = 0
        """How many exchanges were looked at for them: none while every instance has its first process."""

    def served(self, instance: str, process: int) -> None:
        """Another process may serve the instance from here on."""
        self.latest[instance] = max(process, self.latest.get(instance, 1))

    def now(self, instance: str, known: dict[str, Instance]) -> str:
        """The store that a call about the instance reaches now, as far as was seen."""
        return reached(self.latest.get(instance, 1), instance, known)

    def bygone(self, call: Exchange, calls: Sequence[Exchange]) -> bool:
        """Whether it was refused and names what an earlier process was told and this one was not.

        It may be refused for that alone. `calls` are the exchanges so far.
        """
        process, told = call.process, self._told[call.connection.instance]
        if process == 1:
            return False
        for each in calls[self._looked_at :]:
            self._learn(each)
        self._looked_at = len(calls)
        # one that was under way when it was looked at is known by now
        self._learn(call)
        named = (value for _, value in scalars(call.arguments) if isinstance(value, str))
        return call.refused and any(told.get(text, process) < process for text in named)

    def _learn(self, call: Exchange) -> None:
        if call.accepted:
            self._told[call.connection.instance].update(dict.fromkeys(_texts(call), call.process))


def reached(process: int, instance: str, known: dict[str, Instance]) -> str:
    """The store that a call about an instance reached, by the instance's name for that of the first process."""
    if process == 1:
        return instance
    name = f"{instance} (process {process})"
    if instance in known:
        known.setdefault(name, known[instance])
    return name


def came(effect: Effect, calls: Mapping[int, Exchange]) -> Effect:
    """An effect, of the store that the call reached with whose answer it came."""
    call = calls.get(effect.call) if effect.call is not None else None
    return effect if call is None or call.process == 1 else structs.replace(effect, instance=call.instance)


def _texts(call: Exchange) -> Iterator[str]:
    given = call.result if call.envelope is None else call.envelope
    return (value for part in (call.arguments, given) for _, value in scalars(part) if isinstance(value, str))
