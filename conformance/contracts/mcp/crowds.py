"""Processes of one server that are there at once: no clause says that they can be, and one may end at its start."""

from collections import defaultdict
from itertools import accumulate

from conformance.contract.catalogue import Contract
from conformance.judge.memo import once
from conformance.model.exchange import Connection
from conformance.model.history import History

FOREVER = 1 << 62
GREETINGS = ("server/discover", "initialize")


class Crowds:
    """The starts of a history: from when a connection is opened until both agreed, one answered or it was lost."""

    def __init__(self, history: History) -> None:
        ends: dict[str, int] = defaultdict(lambda: FOREVER)
        for exchange in history.exchanges:
            name, lost = exchange.connection.id, exchange.given_up if exchange.unanswered == "lost" else None
            for when in (exchange.received, lost):
                ends[name] = min(ends[name], when if when is not None else FOREVER)
        gone = {each.connection.id: each.given_up for each in history.exchanges if each.unanswered == "lost"}
        spoken = {each.connection.id for each in history.exchanges if each.received is not None}
        first = {each.connection.id: each for each in reversed(history.exchanges)}
        self._refused: dict[int, set[str]] = defaultdict(set)
        """By endpoint the connections that were lost at their greeting."""
        self._starts: dict[int, dict[str, tuple[int, int]]] = defaultdict(dict)
        self._lives: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for each in history.connections.values():
            if each.transport != "stdio":
                continue
            closed = each.closed.t if each.closed is not None else None
            over = (each.agreed, closed, ends[each.id])
            self._starts[each.endpoint][each.id] = (each.opened, min(time for time in over if time is not None))
            if each.id in spoken or each.agreed is not None:
                ended = [time for time in (closed, gone.get(each.id)) if time is not None]
                self._lives[each.endpoint].append((each.opened, min(ended, default=FOREVER)))
            elif each.id in gone and first[each.id].method in GREETINGS:
                self._refused[each.endpoint].add(each.id)

    def crowded(self, connection: Connection) -> bool:
        """Whether another process of the server was starting while this connection's was.

        Or was there already, where no two of the server's ever were at once: it may keep a port or a file to itself.
        """
        starts = self._starts[connection.endpoint]
        if connection.id not in starts:
            return False
        opened, until = starts[connection.id]
        others = (times for name, times in starts.items() if name != connection.id)
        return any(began < until and opened < over for began, over in others) or self.alone(connection)

    def alone(self, connection: Connection) -> bool:
        """Whether the server had a process when this connection was opened, and never two that said anything.

        Another process of it ended at its greeting, so that this one may have ended for no other reason.
        """
        if not self._refused[connection.endpoint] - {connection.id}:
            return False
        lives = sorted(self._lives[connection.endpoint])
        over = [*accumulate((end for _, end in lives), max)]
        if any(began < ended for ended, (began, _) in zip(over, lives[1:], strict=False)):
            return False
        return any(began < connection.opened < end for began, end in lives)


@once
def crowds(history: History, _: Contract) -> Crowds:
    """Those of a history."""
    return Crowds(history)
