"""What was asked of a server before and after a call: found by the time, as looking through all takes too long."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from operator import attrgetter

from conformance.judge.memo import of_history
from conformance.model.exchange import Exchange
from conformance.model.history import History

_sent = attrgetter("sent")


@of_history
def by_instance(history: History) -> dict[str, list[Exchange]]:
    """The requests to each instance, in the order sent."""
    found: dict[str, list[Exchange]] = defaultdict(list)
    for exchange in history.exchanges:
        found[exchange.instance].append(exchange)
    for exchanges in found.values():
        exchanges.sort(key=_sent)
    return found


def following(history: History, call: Exchange) -> Sequence[Exchange]:
    """What was asked of a call's instance once the call had been answered, in the order sent."""
    requests = by_instance(history).get(call.instance, [])
    return requests[bisect_left(requests, call.received, key=_sent) :] if call.received is not None else ()


def sent_before(requests: Sequence[Exchange], time: int) -> int:
    """How many of these, which are in the order sent, were sent before a time."""
    return bisect_left(requests, time, key=_sent)
