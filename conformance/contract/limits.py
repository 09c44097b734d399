"""How much work a stranger's schema and value may be. What takes more is not judged, and it is said why."""

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class UnjudgedError(ValueError):
    """Why a value cannot be judged by a schema: what is left open, or more work than is allowed."""


class OutOfTimeError(Exception):
    """Judging has taken as long as it may, and how long that is."""


_SPENT: ContextVar[Callable[[], str]] = ContextVar("_SPENT")


@contextmanager
def limited(spent: Callable[[], str]) -> Iterator[None]:
    """Within it `go_on` asks this: why no more may be done, empty while it may."""
    token = _SPENT.set(spent)
    try:
        yield
    finally:
        _SPENT.reset(token)


def go_on() -> None:
    """Asked before each piece of work that a stranger can make long; OutOfTimeError where no more may be done."""
    spent = _SPENT.get(None)
    why = spent() if spent is not None else ""
    if why:
        raise OutOfTimeError(why)


class Shelf(Generic[K, V]):
    """Keeps what was made as long as all of it together weighs no more than so much; then it begins anew."""

    def __init__(self, holds: int) -> None:
        self._holds = holds
        self._weight = 0
        self._kept: dict[K, V] = {}

    def get(self, key: K) -> V | None:
        """What was made for a key, None where it is not kept."""
        return self._kept.get(key)

    def put(self, key: K, value: V, weight: int) -> V:
        """Keeps it, and gives it."""
        if self._weight + weight > self._holds:
            self._kept, self._weight = {}, 0
        self._kept[key] = value
        self._weight += weight
        return value
