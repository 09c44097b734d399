"""In which order a runtime looks: which of two faults it names, what uses up a limit, what it tries again."""

from collections.abc import Hashable, Iterator

from conformance.contract.catalogue import Contract
from conformance.contracts.invocation.calls import MILLI, Invocation, Invocations, invocations
from conformance.contracts.invocation.faults import Fault, Known, Stage, known
from conformance.contracts.invocation.kit import EXECUTION, PROVIDER_CODE
from conformance.contracts.invocation.laws.entering import nothing_ran
from conformance.contracts.invocation.likes import beside
from conformance.contracts.invocation.planned import FLAKY, RELAY
from conformance.contracts.invocation.records import Records, records
from conformance.contracts.invocation.standing import SURE
from conformance.contracts.invocation.triggered import triggered
from conformance.judge.faults import declined
from conformance.judge.instants import instant
from conformance.judge.judgements import breach, holds, told
from conformance.judge.kinds import integer
from conformance.judge.law import law
from conformance.model.exchange import INVALID_PARAMS, UNAUTHORIZED_STATUS, Exchange
from conformance.model.history import History
from conformance.model.verdict import HELD, Judgement

BY_DEADLINE = "deadline"
AT_THE_DOOR = {
    "RateLimited": "beyond its rate limit",
    "CircuitOpen": "while its circuit was open",
    "BudgetExceeded": "beyond its budget",
    "ConcurrencyLimited": "beside as many as may run",
}
"""By code, what is asked before a tool begins. A Timeout may come at any time."""
LATE_S = 0.5
"""More than clocks of one machine differ by."""


@law("IR-INV-07")
def a_past_deadline_fails_at_once(history: History, contract: Contract) -> Iterator[Judgement]:
    """A call with a deadline that has passed is refused and nothing runs; one beyond the timeout lengthens nothing."""
    for one, fault in known(history, contract).alone(BY_DEADLINE):
        if fault.stage is Stage.INPUT:
            continue
        look = beside(history, contract, fault)
        if one.call.accepted:
            yield breach(f"{one.name} {fault.words} ended as {told(one.call)}", one.call, expected="Timeout")
        elif declined(one.call) and look(one.call) is not None:
            yield HELD
            yield from nothing_ran(history, contract, one, fault.words)
    for one, fault in known(history, contract).alone("run"):
        if one.has(BY_DEADLINE) and fault.codes == ("Timeout",):
            yield from _not_lengthened(history, contract, one, fault)

    yield from _began_late(history, contract)


def _began_late(history: History, contract: Contract) -> Iterator[Judgement]:
    """What began after its deadline by the caller's clock, and by that of the server's own records, was served."""
    kept = records(history, contract)
    for one in invocations(history, contract):
        at = instant(one.given(BY_DEADLINE)) if one.has(BY_DEADLINE) else None
        looked = kept.of(one, EXECUTION) if kept.distinct(one) and one.call.accepted else None
        began = instant(looked.entries[0].get("at")) if looked is not None and looked.entries else None
        if at is None or looked is None or began is None or one.wall is None:
            continue
        if one.wall > at + LATE_S and began > at + LATE_S:
            saw = f"{one.name} began at {looked.entries[0].get('at')}, after its deadline {one.given(BY_DEADLINE)}"
            yield breach(saw, one.call, looked.call, expected="Timeout")


def _not_lengthened(history: History, contract: Contract, one: Invocation, fault: Fault) -> Iterator[Judgement]:
    """The same call without the deadline ends with a Timeout as well, or it shows nothing about deadlines."""
    alone = known(history, contract).alone("run")
    like = next(
        (o for o, _ in alone if o.name == one.name and not o.has(BY_DEADLINE) and o.call.code == "Timeout"), None
    )
    if like is not None and one.call.received is not None and beside(history, contract, fault)(like.call) is not None:
        saw = f"{one.name} {fault.words} ended as {told(one.call)} where its deadline was far ahead"
        yield holds(not one.call.accepted, saw, like.call, one.call, expected="Timeout")


@law("IR-INV-09")
def the_first_stage_names_the_error(history: History, contract: Contract) -> Iterator[Judgement]:
    """Of two faults the one at the earlier stage names the error, where each alone is refused with its own code.

    What a limit, a circuit or a budget turns away is not executed.
    """
    run = known(history, contract)
    for one in invocations(history, contract):
        words = AT_THE_DOOR.get(one.call.code or "")
        if words is not None:
            # that nothing ran is no more than one part of the order
            yield from (ran for ran in nothing_ran(history, contract, one, words) if not ran.ok)
    singles: dict[Hashable, Exchange] = {}
    for one, fault in run.alone():
        if _named(one.call, fault):
            singles.setdefault(_kind(one, fault), one.call)
    for one in invocations(history, contract):
        found = run.faults(one)
        if len(found.found) != 2 or found.open or one.call.received is None:  # noqa: PLR2004 -- of two faults
            continue
        first, second = sorted(found.found, key=lambda fault: fault.stage)
        alone = [singles.get(_kind(one, fault)) for fault in (first, second)]
        if second.about == BY_DEADLINE and second.stage is Stage.POLICIES:
            # a deadline that has passed may as well be seen before anything else
            continue
        if first.stage is second.stage or set(first.codes) & set(second.codes) or None in alone:
            continue
        saw = f"{one.name} {first.words}, and {second.words}, was {told(one.call)}"
        shown = [call for call in alone if call is not None]
        if one.call.accepted or one.call.code is not None or _named(one.call, first):
            yield holds(_named(one.call, first), saw, *shown, one.call, expected=first.codes[0], got=one.call.code)


def _kind(one: Invocation, fault: Fault) -> Hashable:
    """What makes two single faults the same: tool, place and code; in input also what is wrong there."""
    types = frozenset((name, type(value)) for name, value in one.input.items()) if fault.about == "input" else None
    return one.call.instance, one.name, fault.about, fault.codes, types


def _named(call: Exchange, fault: Fault) -> bool:
    """Whether a call was refused by a fault's own name, or by what the protocol has in its place."""
    if not call.refused:
        return False
    if fault.stage is Stage.INPUT and call.protocol_code == INVALID_PARAMS:
        return True
    return call.code in fault.codes or (call.status == UNAUTHORIZED_STATUS and fault.stage is Stage.AUTHORISATION)


@law("IR-INV-10")
def an_unauthorised_call_uses_up_no_limit(history: History, contract: Contract) -> Iterator[Judgement]:
    """Calls that were not authorised leave the whole of a rate limit to those that are."""
    calls, run = invocations(history, contract), known(history, contract)
    for one in calls:
        limit = one.tool.kit.rateLimit if one.tool is not None else None
        if limit is None or one.call.received is None or not run.unhindered(one):
            continue
        window = SURE * limit.windowMs * MILLI
        turned_away = [
            other
            for other in calls.group(one)
            if _unauthorised(other, run) and other.call.before(one.call) and one.end - other.call.sent < window
        ]
        if len(turned_away) < limit.calls or not run.faults(one).standing.clear or not _enforced(one, calls, run):
            continue
        if one.call.accepted or one.call.code == "RateLimited":
            saw = f"{one.name} was RateLimited after {len(turned_away)} calls that were not authorised"
            evidence = [other.call for other in turned_away]
            yield holds(one.call.accepted, saw, *evidence, one.call, expected="success")


def _unauthorised(one: Invocation, run: Known) -> bool:
    stages = [fault.stage for fault in run.faults(one).found]
    return one.call.refused and bool(stages) and min(stages) is Stage.AUTHORISATION


def _enforced(one: Invocation, calls: Invocations, run: Known) -> bool:
    """Whether the limit of a tool was seen to hold: a call beyond it was refused for it."""
    return any(
        other.call.code == "RateLimited" and run.faults(other).standing.due == "RateLimited"
        for other in calls.to(one.name)
    )


@law("IR-INV-11")
def only_idempotent_writes_are_retried(history: History, contract: Contract) -> Iterator[Judgement]:
    """A tool that is no IdempotentWrite called with a key is tried once, as attempts and its executions say.

    A tool that fails at its first execution and succeeds in the end was tried again.
    """
    run, kept = known(history, contract), records(history, contract)
    for one in invocations(history, contract):
        if one.tool is None or one.call.received is None or one.call.envelope is None:
            continue
        faults = run.faults(one)
        fault = faults.only
        failing = fault is not None and fault.stage is Stage.EXECUTION
        may = one.tool.effect == "IdempotentWrite" and one.has("idempotencyKey")
        attempts = integer(one.result.get("attempts"))
        like = beside(history, contract, fault)(one.call) if failing and fault is not None else None
        if not may and failing and fault and (one.call.accepted or like is not None):
            saw = f"{one.name}, which is {one.tool.effect}, failed and was tried {attempts} times"
            if attempts is not None:
                yield holds(attempts == 1, saw, one.call, beside=like, pointer="/attempts", expected=1, got=attempts)
            saw = f"{one.name} {fault.words} succeeded, so it was tried again"
            if one.name in FLAKY:
                yield holds(not one.call.accepted, saw, one.call, expected=PROVIDER_CODE)
        looked = kept.of(one, EXECUTION) if kept.distinct(one) else None
        if looked is None or not looked.entries or attempts is None:
            continue
        executions = len(looked.entries)
        if executions < attempts and not looked.settled(one):
            continue
        saw = f"attempts is {attempts}, and {executions} executions were recorded"
        yield holds(
            executions == attempts, saw, looked.call, one.call, pointer="/attempts", expected=executions, got=attempts
        )
        if not may:
            saw = f"{one.name}, which is {one.tool.effect}, was executed {executions} times"
            yield holds(executions == 1, saw, looked.call, one.call, pointer="/attempts", expected=1, got=executions)
    for one in invocations(history, contract).to(RELAY):
        yield from _triggered_once(one, kept)


def _triggered_once(one: Invocation, kept: Records) -> Iterator[Judgement]:
    """What a relay triggers is executed once, unless it is an IdempotentWrite: nobody asked for it twice."""
    looked = kept.around(one, EXECUTION)
    if looked is None:
        return
    for inner in triggered(one):
        ran = [entry for entry in looked.entries if entry.get("tool") == inner.tool.name]
        if ran and kept.alone(one, inner.tool.name) and inner.tool.effect != "IdempotentWrite":
            saw = f"{inner.tool.name}, which is {inner.tool.effect}, was executed {len(ran)} times for one {one.name}"
            yield holds(len(ran) == 1, saw, one.call, looked.call, pointer="/records", expected=1, got=len(ran))
