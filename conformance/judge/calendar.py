"""Which time the calendar of an instance shows to a call: conditions move it, forward only."""

from conformance.judge.memo import of_history
from conformance.model.exchange import Exchange
from conformance.model.history import History

MICROSECONDS = 1_000_000
FARTHEST = 1e12
"""Seconds beyond which a recorded condition is no time."""


class Calendar:
    """How far the driver had moved each instance's clock when a call was made."""

    def __init__(self, history: History) -> None:
        self._ahead: dict[int, float] = {}
        """By call; of those before any was moved nothing is kept."""
        latest: dict[str, float] = {}
        for exchange in history.exchanges:
            moved = exchange.conditions.get("clock") if exchange.conditions else None
            if isinstance(moved, int | float) and not isinstance(moved, bool) and 0 <= moved <= FARTHEST:
                latest[exchange.instance] = max(latest.get(exchange.instance, 0.0), float(moved))
            if exchange.instance in latest:
                self._ahead[exchange.call] = latest[exchange.instance]

    def ahead(self, exchange: Exchange) -> float:
        """Seconds that the calendar had been moved ahead."""
        return self._ahead.get(exchange.call, 0.0)

    def same(self, *exchanges: Exchange) -> bool:
        """Whether no clock was moved from one of these calls to another."""
        return len({self.ahead(exchange) for exchange in exchanges}) <= 1

    def elapsed(self, first: Exchange, later: Exchange) -> tuple[float, float]:
        """Seconds from the first call to the later one, at least and at most: what each took is not known closer."""
        moved = self.ahead(later) - self.ahead(first)
        least = later.sent - (first.sent if first.received is None else first.received)
        most = (later.sent if later.received is None else later.received) - first.sent
        return moved + least / MICROSECONDS, moved + most / MICROSECONDS


calendar_of = of_history(Calendar)
