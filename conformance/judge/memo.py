"""What several laws want to know of a history, or of one call, is worked out once."""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from conformance.contract.catalogue import Contract
from conformance.model.exchange import Exchange
from conformance.model.history import History

T = TypeVar("T")


def of_each(function: Callable[[Exchange], T]) -> Callable[[Exchange], T]:
    """Keeps what the function gave for a call that is over, as long as the call lives."""

    @wraps(function)
    def remembered(call: Exchange) -> T:
        try:
            found: T = call.worked_out[function]
        except KeyError:
            found = function(call)
            if call.received is not None:
                call.worked_out[function] = found
        return found

    return remembered


def of_history(function: Callable[[History], T]) -> Callable[[History], T]:
    """The same as `once`, for what no contract is needed for: all laws of a run share it."""

    @wraps(function)
    def remembered(history: History) -> T:
        kept: tuple[int, T] | None = history.worked_out.get(function)
        if kept is None or kept[0] != len(history.exchanges):
            kept = history.worked_out[function] = (len(history.exchanges), function(history))
        return kept[1]

    return remembered


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
