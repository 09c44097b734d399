"""Entities that may be over by themselves: those that were made otherwise than the contract writes them."""

from collections import defaultdict
from collections.abc import Sequence

from conformance.contract.catalogue import Contract
from conformance.judge.kinds import spelled
from conformance.judge.promised.entities import end, entities
from conformance.judge.unchanged import shown
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.pointer import scalars


class ShortLived:
    """The ids of such entities, by instance, and since when each is one: before that it was like any other."""

    def __init__(self, history: History, contract: Contract) -> None:
        self._contract = contract
        self._since: dict[str, dict[str, int]] = defaultdict(dict)
        for name, since in entities(history, contract).odd():
            self._since[name.instance][name.id] = since

    def explain(self, reads: Sequence[Exchange | None]) -> bool:
        """Whether two equal reads may differ for such an entity alone: it came to its end between them."""
        before, after = reads if len(reads) == 2 else (None, None)  # noqa: PLR2004 -- the first and the last
        if before is None or after is None:
            return False
        ids = {each for each, since in self._since[after.instance].items() if since < end(after)}
        if not ids:
            return False
        if _holds(after.arguments, ids):
            return True
        one, other = (shown(read, self._contract) for read in (before, after))
        if _held(one, ids) != _held(other, ids):
            return True
        return bool(_without(one, ids) == _without(other, ids))


def _holds(value: Json, ids: set[str]) -> bool:
    return bool(_held(value, ids))


def _held(value: Json, ids: set[str]) -> set[str]:
    return {text for _, each in scalars(value) if (text := spelled(each)) in ids}


def _without(value: Json, ids: set[str]) -> Json:
    """A value without the entries of its lists that hold one of these ids."""
    if isinstance(value, dict):
        return {key: _without(each, ids) for key, each in value.items()}
    if isinstance(value, list):
        return [_without(each, ids) for each in value if not _holds(each, ids)]
    return value
