"""Processes of one server that were starting at once: no clause says that they can, and one may end at it."""

from collections import defaultdict

from conformance.contract.catalogue import Contract
from conformance.judge.memo import once
from conformance.model.exchange import Connection
from conformance.model.history import History

FOREVER = 1 << 62


class Crowds:
    """The starts of a history: from when a connection is opened until both agreed, one answered or it was lost."""

    def __init__(self, history: History) -> None:
        ends: dict[str, int] = defaultdict(lambda: FOREVER)
        for exchange in history.exchanges:
            name, lost = exchange.connection.id, exchange.given_up if exchange.unanswered == "lost" else None
            for when in (exchange.received, lost):
                ends[name] = min(ends[name], when if when is not None else FOREVER)
        self._starts: dict[int, dict[str, tuple[int, int]]] = defaultdict(dict)
        for each in history.connections.values():
            if each.transport == "stdio":
                over = (each.agreed, each.closed.t if each.closed is not None else None, ends[each.id])
                self._starts[each.endpoint][each.id] = (each.opened, min(time for time in over if time is not None))

    def crowded(self, connection: Connection) -> bool:
        """Whether another process of the server was starting while this connection's was."""
        starts = self._starts[connection.endpoint]
        if connection.id not in starts:
            return False
        opened, until = starts[connection.id]
        others = (times for name, times in starts.items() if name != connection.id)
        return any(began < until and opened < over for began, over in others)


@once
def crowds(history: History, _: Contract) -> Crowds:
    """Those of a history."""
    return Crowds(history)
