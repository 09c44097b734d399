"""The same call over several endpoints of one target."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise

from conformance.model.exchange import Exchange
from conformance.model.history import History


def elsewhere(history: History) -> Iterator[tuple[Exchange, Exchange]]:
    """Pairs of answered calls of one stimulus and label, made once over each of two endpoints, in the order of these.

    This is the one thing that steps' labels are for.
    """
    groups: dict[tuple[str, str], dict[int, list[Exchange]]] = defaultdict(lambda: defaultdict(list))
    for call in history.exchanges:
        if call.label:
            groups[call.stimulus, call.label][call.connection.endpoint].append(call)
    for group in groups.values():
        once = [calls[0] for _, calls in sorted(group.items()) if len(calls) == 1 and calls[0].received is not None]
        yield from pairwise(once)


def endpoints(history: History) -> int:
    """How many endpoints of the target the run reached."""
    return len({connection.endpoint for connection in history.connections.values()})
