"""What several laws want to know of a history is worked out once."""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from conformance.contract.catalogue import Contract
from conformance.model.history import History

T = TypeVar("T")


def once(function: Callable[[History, Contract], T]) -> Callable[[History, Contract], T]:
    """Keeps what the function gave for a history as long as the history lives and gets no further call."""

    @wraps(function)
    def remembered(history: History, contract: Contract) -> T:
        # with the history itself: what was worked out may refer to it, and goes when it goes
        kept: dict[str, tuple[int, T]] = history.worked_out.setdefault(function, {})
        found = kept.get(contract.name)
        if found is None or found[0] != len(history.exchanges):
            found = kept[contract.name] = (len(history.exchanges), function(history, contract))
        return found[1]

    return remembered
