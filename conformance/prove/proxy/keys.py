"""Breakages of keys that make a write repeatable."""

from dataclasses import dataclass, field
from uuid import UUID, uuid4

from conformance.contract.promises import Place
from conformance.drive.wire.between import Message, Passed
from conformance.judge.promised.calls import value
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.pointer import ABSENT, ASKED
from conformance.prove.proxy.breakage import Breakage, World
from conformance.prove.proxy.knowing import spelled
from conformance.prove.proxy.rewriting import answering, asking, carries, given, having, lacking, replaced


@dataclass
class _OfKeys(Breakage):
    """One that knows which keys were used, and for what."""

    tool: str
    key: Place
    used: dict[str, str] = field(default_factory=dict, init=False)

    def known(self, call: Exchange) -> tuple[str, str] | None:
        """The key of a write, and what else it says; None where it has none."""
        key = value(call, self.key) if call.tool == self.tool else ABSENT
        if key is ABSENT or key is None:
            return None
        return spelled(key), spelled(lacking(call.arguments, self.key.removeprefix(ASKED)))

    def anew(self, call: Exchange) -> tuple[Json, Message]:
        """A write under a key that nobody used."""
        key = _fresh(value(call, self.key))
        return key, asking(call, having(call.arguments, self.key.removeprefix(ASKED), key))


@dataclass
class Forgets(_OfKeys):
    """A write made again is done again: in its own place, or besides."""

    besides: bool
    swapped: dict[int, Json] = field(default_factory=dict, init=False)

    def asked(self, call: Exchange, world: World) -> Passed | None:  # noqa: ARG002 -- the base's form
        """The repetition has a key of its own."""
        known = self.known(call)
        if known is None or self.used.setdefault(known[0], known[1]) != known[1] or not self._again(known[0]):
            return None
        key, message = self.anew(call)
        if self.besides:
            return Passed(call.request, before=message)
        self.swapped[call.call] = key
        return Passed(message)

    def _again(self, key: str) -> bool:
        """Whether a key came before."""
        before = f"{key} came"
        again = before in self.used
        self.used[before] = ""
        return again

    def answered(self, call: Exchange, world: World) -> Message | None:  # noqa: ARG002 -- as above
        """The answer gives the key back that the caller knows."""
        if call.call not in self.swapped or call.result is None:
            return None
        return given(call, replaced(carries(call), self.swapped[call.call], value(call, self.key)))


@dataclass
class HidesConflicts(_OfKeys):
    """A write under a used key that says something else is answered with the earlier success."""

    first: dict[str, Message] = field(default_factory=dict, init=False)

    def answered(self, call: Exchange, world: World) -> Message | None:  # noqa: ARG002 -- the base's form
        """Keeps the first answer, and gives it again."""
        known = self.known(call)
        if known is None:
            return None
        if call.accepted:
            self.used.setdefault(*known)
            self.first.setdefault(known[0], call.response or {})
            return None
        other = self.used.get(known[0], known[1]) != known[1]
        return answering(call, self.first[known[0]]) if call.refused and other else None


@dataclass
class WritesConflicts(_OfKeys):
    """A write under a used key that says something else is refused, and done all the same."""

    def asked(self, call: Exchange, world: World) -> Passed | None:  # noqa: ARG002 -- the base's form
        """It is made under a new key first."""
        known = self.known(call)
        if known is None or self.used.setdefault(*known) == known[1]:
            return None
        return Passed(call.request, before=self.anew(call)[1])


def _fresh(key: Json) -> Json:
    """Another key of the same form."""
    if isinstance(key, int):
        return key + 1_000_003
    word, more = str(key), uuid4().hex
    try:
        UUID(word)
    except ValueError:
        return word[:-8] + more[:8] if len(word) > len(more) // 2 else word + more[:8]
    return str(UUID(more))
