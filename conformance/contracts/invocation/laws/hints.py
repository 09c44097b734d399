"""Back-off hints: when to try again, what throttles, how the circuit stands."""

from collections.abc import Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.invocation.calls import MILLI, Invocation, invocations
from conformance.contracts.invocation.faults import known
from conformance.contracts.invocation.kit import kit
from conformance.contracts.invocation.laws.error import is_delay
from conformance.contracts.invocation.laws.running import CIRCUIT_STATES
from conformance.contracts.invocation.planned import FRAGILE
from conformance.judge.judgements import MISSING, breach, holds, told
from conformance.judge.law import law
from conformance.model.history import History
from conformance.model.verdict import HELD, Judgement


@law("IR-HINT-01")
def retry_after_admits_the_call(history: History, contract: Contract) -> Iterator[Judgement]:
    """RateLimited and Retryable answers give retryAfterMs; after a RateLimited one, waiting that long admits a call."""
    calls, run = invocations(history, contract), known(history, contract)
    for one in calls:
        limited = one.call.code == "RateLimited"
        if not one.error or not (limited or one.result.get("status") == "Retryable"):
            continue
        delay = one.details.get("retryAfterMs", MISSING)
        saw = f"details.retryAfterMs of a {one.call.code} with status {one.result.get('status')} is {delay!r}"
        yield holds(is_delay(delay), saw, one.call, pointer="/error/details/retryAfterMs", got=delay)
        if not limited or not is_delay(delay) or run.faults(one).standing.due != "RateLimited":
            continue
        later = [
            other
            for other in calls.group(one)
            if other is not one and other.end > one.end and other.call.sent > one.call.sent
        ]
        following = later[0] if later else None
        if following is None or following.call.sent < one.end + delay * MILLI or len(_with(following, later)) > 1:
            continue
        static = [fault for fault in run.faults(following).found if fault.about != "limit"]
        if not static and following.call.received is not None:
            saw = f"{one.name} was {told(following.call)} after the {delay} ms that it was to wait"
            if following.call.accepted:
                yield HELD
            elif following.call.code == "RateLimited":
                yield breach(saw, one.call, following.call, expected="success")


def _with(one: Invocation, others: list[Invocation]) -> list[Invocation]:
    """Those that overlap a call, itself among them."""
    return [other for other in others if other.call.sent < one.end and other.end > one.call.sent]


@law("IR-HINT-02")
def the_scope_names_the_limiter(history: History, contract: Contract) -> Iterator[Judgement]:
    """The details of a RateLimited have a throttlingScope that names the limiter: the tool's or the provider's."""
    for one in invocations(history, contract):
        if one.call.code != "RateLimited":
            continue
        got = one.details.get("throttlingScope", MISSING)
        names = _names(one)
        good = isinstance(got, str) and got != MISSING and any(name in got.lower() for name in names)
        good = good and (got == one.name or got not in kit())
        saw = f"throttlingScope of {one.name} is {got!r}"
        yield holds(good, saw, one.call, pointer="/error/details/throttlingScope", expected=sorted(names), got=got)


def _names(one: Invocation) -> set[str]:
    """By which a limiter can be told: its id, the tool, the provider."""
    origin, _, rest = one.name.partition("::")
    limits = one.snapshot.get("rateLimitIds")
    named = {one.name, rest.rpartition(".")[2], *rest.split("::"), origin, "tool", "provider"}
    named |= {limit for limit in limits if isinstance(limit, str)} if isinstance(limits, list) else set()
    return {name.lower() for name in named if name}


@law("IR-HINT-03")
def the_circuit_opens_and_closes(history: History, contract: Contract) -> Iterator[Judgement]:
    """A CircuitOpen says circuitState open; after the reset time a call goes through, and its success closes it."""
    calls, run = invocations(history, contract), known(history, contract)
    for one in calls:
        if one.call.code == "CircuitOpen":
            got = one.details.get("circuitState", MISSING)
            saw = f"circuitState of a CircuitOpen is {got!r}"
            good = got == CIRCUIT_STATES[0] or (got == CIRCUIT_STATES[1] and not run.faults(one).standing.due)
            yield holds(good, saw, one.call, pointer="/error/details/circuitState", expected="open", got=got)
        elif "circuitState" in one.details:
            got = one.details["circuitState"]
            yield holds(
                got in CIRCUIT_STATES,
                f"circuitState is {got!r}",
                one.call,
                pointer="/error/details/circuitState",
                got=got,
            )
    for one in calls.to(FRAGILE):
        faults = run.faults(one)
        if not faults.standing.half_open or one.call.received is None or one.input.get("fail") is not False:
            continue
        group = calls.group(one)
        if not any(other.call.code == "CircuitOpen" and other.call.before(one.call) for other in group):
            continue
        saw = f"{one.name} was {told(one.call)} when the circuit's reset time had passed"
        yield holds(one.call.code != "CircuitOpen", saw, one.call, expected="success")
        if one.call.accepted:
            yield from _closed(one, group)


def _closed(probe: Invocation, group: list[Invocation]) -> Iterator[Judgement]:
    """The next call after a probe that succeeded finds the circuit closed."""
    following = next((one for one in group if probe.call.before(one.call)), None)
    if following is None or following.call.received is None:
        return
    got = following.snapshot.get("circuitState", MISSING)
    saw = f"after a probe that succeeded {following.name} was {told(following.call)}, and the circuit {got}"
    good = following.call.code != "CircuitOpen" and (got == CIRCUIT_STATES[2] or not following.call.accepted)
    yield holds(
        good, saw, probe.call, following.call, pointer="/policySnapshot/circuitState", expected="closed", got=got
    )
