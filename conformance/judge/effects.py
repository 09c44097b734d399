"""What the world behind the server saw of each call, where the target reports it."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from conformance.contract.catalogue import Contract
from conformance.judge.memo import once
from conformance.model.events import Effect
from conformance.model.history import History


class Effects:
    """The effects of a run by the call that brought them about."""

    def __init__(self, history: History, _: Contract) -> None:
        found: dict[int, list[Effect]] = defaultdict(list)
        self.kinds: set[str] = set()
        """The kinds that the target reports at all: of one that is not here nothing is known."""
        for effect in history.effects:
            found[effect.call].append(effect)
            self.kinds.add(effect.kind)
        self._by_call: Mapping[int, Sequence[Effect]] = found

    def of(self, call: int, kind: str) -> Sequence[Effect]:
        """The effects of one kind that a call brought about."""
        return [effect for effect in self._by_call.get(call, ()) if effect.kind == kind]


effects = once(Effects)
