"""Where in a run a breakage would have occasion: until it acts for the first time, a run with it is as one without."""

from collections import Counter
from collections.abc import Sequence
from copy import deepcopy

from conformance.drive.wire.between import Message
from conformance.model.exchange import Exchange
from conformance.prove.proxy.breakage import Breakage, Proxy, World


def occasions(breakage: Breakage, calls: Sequence[Exchange], world: World) -> Counter[str]:
    """How often it would have acted in each stimulus of a recorded run; empty: it never has occasion."""
    acting = deepcopy(breakage)
    proxy = Proxy(acting, world)
    moments = [(call.sent, 0, call) for call in calls if isinstance(call.request, dict)]
    moments += [(call.received, 1, call) for _, _, call in moments if call.received is not None and call.response]
    found: Counter[str] = Counter()
    instead: dict[int, Message | None] = {}
    for _, heard, call in sorted(moments, key=lambda moment: (moment[0], moment[1], moment[2].call)):
        before = acting.acted
        if heard:
            proxy.answered(call.call, instead.pop(call.call, None) or call.response or {})
        else:
            instead[call.call] = proxy.asked(call.call, call.request, call.instance).answer
        if acting.acted > before:
            found[call.stimulus] += 1
    return found
