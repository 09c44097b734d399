"""What has used up a policy's rate limits by the time of a call."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from conformance.contract.catalogue import Contract
from conformance.contracts.tuitbot.clock import server_clock
from conformance.contracts.tuitbot.gate import ROUTED, UNTOLD, decision
from conformance.contracts.tuitbot.known import Known, known
from conformance.contracts.tuitbot.limits import UNSETTLED, Limit, hourly, of_rows
from conformance.contracts.tuitbot.manifest import entry
from conformance.contracts.tuitbot.naming import Naming
from conformance.contracts.tuitbot.rulings import rulings
from conformance.judge.faults import declined
from conformance.judge.memo import once
from conformance.model.exchange import Exchange
from conformance.model.history import History


@dataclass
class Spent:
    """What was done on an instance before a call."""

    limit: Limit
    sure: list[Exchange] = field(default_factory=list)
    """Mutations that were let through and succeeded."""
    perhaps: list[Exchange] = field(default_factory=list)
    """Others that may count: what waits for approval, what got no answer, or none that tells what was done."""
    failed: list[Exchange] = field(default_factory=list)
    """Gated mutations that were refused."""


@once
def spending(history: History, contract: Contract) -> list[tuple[Exchange, Spent]]:
    """Calls of instances whose limits are known, each with what had been done before it was sent, limit by limit."""
    run, naming = known(history, contract), rulings(history, contract).naming
    limits: dict[str, list[Limit]] = {}
    by_instance: dict[str, list[Exchange]] = defaultdict(list)
    for call in history.calls():
        if call.instance not in limits:
            limits[call.instance] = list(_limits(run, call, naming))
        if limits[call.instance]:
            by_instance[call.instance].append(call)
    found: list[tuple[Exchange, Spent]] = []
    for instance, calls in by_instance.items():
        for limit in limits[instance]:
            # whatever was done, a limit beyond that was never near
            if sum(_mutates(call, contract) and limit.counts(call.tool) is not False for call in calls) >= limit.most:
                found += _before_each(calls, limit, contract)
    return found


def _before_each(calls: list[Exchange], limit: Limit, contract: Contract) -> Iterator[tuple[Exchange, Spent]]:
    spent = Spent(limit)
    for place, call in enumerate(calls):
        sure, failed = ([c for c in part if c.before(call)] for part in (spent.sure, spent.failed))
        # what was under way together may have been counted before it
        meanwhile = [c for c in spent.sure if not c.before(call)]
        for other in calls[place + 1 :]:
            if call.before(other):
                break
            if _mutates(other, contract) and limit.counts(other.tool) is not False and not declined(other):
                meanwhile.append(other)
        yield call, Spent(limit, sure, [*spent.perhaps, *meanwhile], failed)
        if not _mutates(call, contract) or limit.counts(call.tool) is False:
            continue
        if declined(call) and decision(call) != ROUTED and call.code != UNTOLD:
            spent.failed.append(call)
        elif limit.counts(call.tool) is None or not call.accepted or decision(call) is not None:
            spent.perhaps.append(call)
        else:
            spent.sure.append(call)


def _limits(run: Known, call: Exchange, naming: Naming) -> Iterator[Limit]:
    """The limits of a call's instance; none where its policy is not enforced, or has a template's besides."""
    policy = run.policy(call)
    if policy.get("enforce_for_mutations", True) is True and not policy.get("template"):
        yield from hourly(policy)
        yield from (found for found in of_rows(policy, naming) if found is not None)


def _mutates(call: Exchange, contract: Contract) -> bool:
    """Whether the call may use up a limit."""
    about = entry(call, contract)
    return about is not None and (about.gated or call.tool in UNSETTLED)


def used_up(history: History, contract: Contract) -> Iterator[tuple[Exchange, Spent, list[Exchange]]]:
    """Calls for which a limit that may count them is used up: so many were done while no clock was moved."""
    when = server_clock(history, contract).moved
    for call, spent in spending(history, contract):
        done = [other for other in spent.sure if when.same(other, call)]
        if len(done) >= spent.limit.most and set(call.conditions) <= {"clock"}:
            yield call, spent, done


def beyond_limit(history: History, contract: Contract) -> Iterator[Exchange]:
    """Mutations that a used-up limit counts, and that nothing else denies."""
    gate = rulings(history, contract)
    for call, spent, _ in used_up(history, contract):
        if spent.limit.counts(call.tool) and gate.unlisted(call):
            yield call
