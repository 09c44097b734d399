"""What several laws want to know of a history is worked out once."""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar
from weakref import WeakKeyDictionary

from conformance.contract.catalogue import Contract
from conformance.model.history import History

T = TypeVar("T")


def once(function: Callable[[History, Contract], T]) -> Callable[[History, Contract], T]:
    """Keeps what the function gave for a history as long as the history lives and gets no further call."""
    kept: WeakKeyDictionary[History, tuple[int, T]] = WeakKeyDictionary()

    @wraps(function)
    def remembered(history: History, contract: Contract) -> T:
        found = kept.get(history)
        if found is None or found[0] != len(history.exchanges):
            found = kept[history] = (len(history.exchanges), function(history, contract))
        return found[1]

    return remembered
