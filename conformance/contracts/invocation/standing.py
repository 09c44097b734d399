"""How a tool's limits stood when a call was made: what the caller measured tells when it can tell."""

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from conformance.contracts.invocation.calls import MILLI, Invocation
from conformance.contracts.invocation.kit import Budget, Circuit, RateLimit
from conformance.judge.faults import internal
from conformance.judge.kinds import integer

SURE = 0.9
"""Of a span: what was measured shorter than that was within it, whatever the clocks."""
BEYOND = 1.2
"""Of a span: what was measured longer than that was outside it."""
LEAVING_US = 100_000
"""So long after its answer a call may still hold its place."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What a limit made of a call. Neither `due` nor `clear`: nobody can tell."""

    due: str = ""
    """The code with which it has to be refused."""
    clear: bool = True
    """Whether the limit surely lets it through."""
    because: str = ""
    half_open: bool = False
    """Whether it is the probe of a circuit that is half-open."""
    opened: bool = False
    """Whether the circuit had opened before."""


CLEAR = Standing()
DOUBTFUL = Standing(clear=False)


def rate(limit: RateLimit, one: Invocation, sure: Iterable[Invocation], others: Iterable[Invocation]) -> Standing:
    """A sliding window. `others` are the calls that may count, this one not among them; the `sure` ones do."""
    if one.call.received is None:
        return DOUBTFUL
    window = limit.windowMs * MILLI
    surely = [
        other
        for other in sure
        if other.call.accepted
        and (other.call.sent <= one.call.sent if one.call.accepted else other.call.sent < one.end)
        and max(other.end, one.end) - min(other.call.sent, one.call.sent) < SURE * window
    ]
    if len(surely) >= limit.calls:
        words = f"as call {len(surely) + 1} within {limit.windowMs} ms, of which {limit.calls} are allowed"
        return Standing("RateLimited", clear=False, because=words)
    possible = [other for other in others if other.call.sent < one.end and other.end > one.call.sent - BEYOND * window]
    return CLEAR if len(possible) < limit.calls else DOUBTFUL


def budget(limit: Budget, one: Invocation, others: Iterable[Invocation]) -> Standing:
    """Units that are spent and never refilled."""
    wanted = integer(one.input.get("units"))
    if wanted is None or one.call.received is None:
        return DOUBTFUL
    spent = possible = 0
    for other in others:
        units = integer(other.input.get("units")) or 0
        if other.call.accepted and other.end <= one.call.sent:
            spent += units
        if other.call.sent < one.end and other.call.code != "BudgetExceeded":
            possible += units
    if spent + wanted > limit.units:
        words = f"for {wanted} units when {spent} of {limit.units} were spent"
        return Standing("BudgetExceeded", clear=False, because=words)
    return CLEAR if possible + wanted <= limit.units else DOUBTFUL


def concurrency(limit: int, one: Invocation, others: Iterable[Invocation]) -> Standing:
    """Places that calls hold while they run. Those of two that ran longer than both took together were held at once."""
    overlapping = [other for other in others if other.call.sent < one.end and _left(other) > one.call.sent]
    holding = [other for other in overlapping if other.call.accepted and (one.call.refused or _at_once(other, one))]
    if one.call.received is not None and len(holding) >= limit:
        return Standing("ConcurrencyLimited", clear=False, because=f"while {limit} of it ran")
    return CLEAR if len(overlapping) < limit else DOUBTFUL


def _left(one: Invocation) -> float:
    """When a call has surely left its place: one that was cut may go on behind its answer for as long as it waits."""
    wait = (integer(one.input.get("ms")) or 0) * MILLI if one.call.refused else 0
    return max(one.end, one.call.sent + wait) + LEAVING_US


def _at_once(first: Invocation, later: Invocation) -> bool:
    """Whether two calls that waited surely ran at the same time, the second one sent later."""
    waits = (integer(first.input.get("ms")) or 0) + (integer(later.input.get("ms")) or 0)
    span = max(first.end, later.end) - first.call.sent
    return first.call.sent <= later.call.sent and span < SURE * waits * MILLI


def circuits(limit: Circuit, group: Sequence[Invocation], cached: Container[int] = ()) -> dict[int, Standing]:
    """The circuit at each call of a tool and tenant, by the call's number. Calls that overlap leave it in doubt.

    So does a success that may be `cached`, and an internal error: whether it counts as one is open, or as a failure.
    """
    found: dict[int, Standing] = {}
    failures, opened, lost, over, ever = 0, None, False, 0.0, False
    for one, following in zip_longest(group, group[1:]):
        overlaps = one.call.sent < over or (following is not None and following.call.sent < one.end)
        lost = lost or overlaps or one.call.received is None or internal(one.call)
        over = max(over, one.end)
        ever = ever or opened is not None
        hit = one.call.accepted and one.call.call in cached
        at = DOUBTFUL if lost else _at(limit, one, opened)
        # a cache may stand before the circuit: what it answers while that is open shows that it does
        found[one.call.call] = replace(DOUBTFUL if hit else at, opened=ever or lost)
        if lost or (hit and at.due):
            continue
        if hit:
            lost = failures > 0 or opened is not None
        elif one.call.accepted:
            failures, opened = 0, None
        elif one.call.code == "CircuitOpen":
            lost = opened is None
        else:
            failures += 1
            opened = one if opened is not None or failures >= limit.failures else None
    return found


def _at(limit: Circuit, one: Invocation, opened: Invocation | None) -> Standing:
    if opened is None:
        return CLEAR
    reset = limit.resetMs * MILLI
    if one.end - opened.call.sent < SURE * reset:
        words = f"within {limit.resetMs} ms after {limit.failures} failures in a row"
        return Standing("CircuitOpen", clear=False, because=words)
    if one.call.sent - opened.end >= BEYOND * reset:
        return Standing(half_open=True)
    return DOUBTFUL
