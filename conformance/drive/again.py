"""Stimuli that a process took with it when it ended: they are driven once more."""

from conformance.model.events import Closed
from conformance.model.exchange import Exchange
from conformance.model.history import History

ENDED = 3
"""So many processes may have ended for that: a server that ends again and again would end under each once more."""


def cut_off(stimulus: str, history: History) -> bool:
    """Whether a process that served it has ended, and no more than a few have in the whole run."""
    calls = history.by_stimulus.get(stimulus, ())
    return _ended(history) <= ENDED and any(_lost(call, history) for call in calls)


def between(stimulus: str, history: History) -> bool:
    """Whether its calls were served by several processes, one after the other, or some by one that ended meanwhile."""
    calls = history.by_stimulus.get(stimulus, ())
    instances = {call.connection.instance for call in calls}
    processes = {(call.connection.instance, call.process) for call in calls}
    return len(processes) > len(instances) or any(map(_lost_with_it, calls))


def _lost(call: Exchange, history: History) -> bool:
    replaced = call.process < history.stores.latest.get(call.connection.instance, 1)
    return replaced or _lost_with_it(call)


def _lost_with_it(call: Exchange) -> bool:
    return call.unanswered == "lost" and _closed(call.connection.closed)


def _ended(history: History) -> int:
    closed = sum(_closed(connection.closed) for connection in history.connections.values())
    return max(closed, sum(process - 1 for process in history.stores.latest.values()))


def _closed(how: Closed | None) -> bool:
    return how is not None and how.by == "server"
