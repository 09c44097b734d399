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
    groups: dict[tuple[str, str], dict[tuple[str, str], list[Exchange]]] = defaultdict(lambda: defaultdict(list))
    for call in history.exchanges:
        if call.label:
            endpoint = call.connection.transport, call.connection.binding
            groups[call.stimulus, call.label][endpoint].append(call)
    for group in groups.values():
        once = [calls[0] for calls in group.values() if len(calls) == 1 and calls[0].received is not None]
        yield from pairwise(once)
