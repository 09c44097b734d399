"""The hourly limit of seed 000: how many mutations it lets through, when it ends, and what uses it up."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from conformance.contract.catalogue import Contract
from conformance.contracts.tuitbot.clock import ServerClock, server_clock
from conformance.contracts.tuitbot.gate import LIMIT_USED_UP, decision, unlisted
from conformance.contracts.tuitbot.known import Known, entry, known
from conformance.judge.instants import instant
from conformance.judge.judgements import breach, holds, told
from conformance.judge.kinds import integer
from conformance.judge.law import law
from conformance.judge.memo import once
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import HELD, Judgement

HOUR_S = 3600
TOLERANCE_S = 120
"""How closely the time that the server's calendar shows is known."""
SEVERAL = "propose_and_queue_replies"
"""May do several things or none, so that it is not known what it uses up."""
UNSETTLED = ("approve_item", "approve_all", SEVERAL)
"""Mutations of which it is not known whether they count."""


@dataclass
class Spent:
    """What was done on an instance before a call."""

    limit: int
    sure: list[Exchange] = field(default_factory=list)
    """Mutations that were let through and succeeded."""
    perhaps: list[Exchange] = field(default_factory=list)
    """Others that may count."""
    failed: list[Exchange] = field(default_factory=list)
    """Gated mutations that were refused."""


@once
def _calls(history: History, contract: Contract) -> list[tuple[Exchange, Spent]]:
    """Calls of instances whose hourly limit is known, each with what had been done before it was sent."""
    run = known(history, contract)
    limits: dict[str, int | None] = {}
    by_instance: dict[str, list[Exchange]] = defaultdict(list)
    for call in history.calls():
        if call.instance not in limits:
            limits[call.instance] = _limit(run, call)
        if limits[call.instance] is not None:
            by_instance[call.instance].append(call)
    found: list[tuple[Exchange, Spent]] = []
    for instance, calls in by_instance.items():
        limit = limits[instance] or 0
        if sum(_counts(call) for call in calls) < limit:
            continue  # whatever was done, the limit was never near
        spent = Spent(limit)
        for call in calls:
            before = [[c for c in part if c.before(call)] for part in (spent.sure, spent.failed)]
            found.append((call, Spent(spent.limit, before[0], list(spent.perhaps), before[1])))
            _count(spent, call)
    return found


def _limit(run: Known, call: Exchange) -> int | None:
    """The mutations an hour of a call's instance, where this is the one limit that there is."""
    policy = run.policy(call)
    alone = policy.get("enforce_for_mutations", True) is True and not policy.get("rate_limits")
    limit = integer(policy.get("max_mutations_per_hour"))
    return limit if alone and not policy.get("template") and limit is not None and limit > 0 else None


def _counts(call: Exchange) -> bool:
    """Whether the call may use up the limit."""
    about = entry(call)
    return about is not None and (about.gated or call.tool in UNSETTLED)


def _count(spent: Spent, call: Exchange) -> None:
    if not _counts(call):
        return
    if call.refused:
        spent.failed.append(call)
    elif call.tool in UNSETTLED or call.received is None or decision(call) is not None:
        spent.perhaps.append(call)
    else:
        spent.sure.append(call)


def _used_up(history: History, contract: Contract) -> Iterator[tuple[Exchange, list[Exchange]]]:
    """Calls for which the limit is used up: so many mutations were done while no clock was moved."""
    when = server_clock(history, contract).moved
    for call, spent in _calls(history, contract):
        done = [other for other in spent.sure if when.same(other, call)]
        if len(done) >= spent.limit and set(call.conditions) <= {"clock"}:
            yield call, done


@law("TB-POL-08")
def the_hourly_limit_denies(history: History, contract: Contract) -> Iterator[Judgement]:
    """Beyond the hourly limit a mutation is denied until the window ends, and a read is not."""
    run, clock = known(history, contract), server_clock(history, contract)
    when = clock.moved
    for call, done in _used_up(history, contract):
        about = entry(call)
        if about is not None and not about.mutation and call.received is not None:
            yield holds(decision(call) is None, f"{call.tool} reads, and ended as {told(call)}", done[-1], call)
        elif unlisted(run, call) and (call.accepted or decision(call) is not None):
            saw = f"mutation {len(done) + 1} of an hour ended as {told(call)}; the limit is {len(done)}"
            yield holds(call.refused and decision(call) is not None, saw, *done, call, expected=LIMIT_USED_UP)
    denials: dict[str, Exchange] = {}
    for call, spent in _calls(history, contract):
        if call.code == LIMIT_USED_UP:
            yield from _reset(call, clock)
            denials.setdefault(call.instance, call)
        earlier = denials.get(call.instance)
        if earlier is None or not earlier.before(call) or not unlisted(run, call):
            continue
        recent = [m for m in (*spent.sure, *spent.perhaps) if when.elapsed(m, call)[0] <= HOUR_S + TOLERANCE_S]
        over = when.elapsed(earlier, call)[0] > HOUR_S + TOLERANCE_S and not recent
        if over and (call.accepted or decision(call) is not None):
            saw = "an hour after a denial, and without a mutation since, the limit still denies"
            yield holds(call.code != LIMIT_USED_UP, saw, earlier, call, got=call.code)
        elif not when.same(earlier, call):
            yield from _within(earlier, call, clock)


def reset_of(call: Exchange) -> float | None:
    """Seconds since 1970 at which error.rate_limit_reset says that the window ends; None where it is not given."""
    error = call.envelope.get("error") if call.envelope is not None else None
    value: Json = error.get("rate_limit_reset") if isinstance(error, dict) else None
    if isinstance(value, str) and value.isascii() and value.isdigit():
        return float(value)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else instant(value)


def _reset(call: Exchange, clock: ServerClock) -> Iterator[Judgement]:
    """The reset lies ahead, by an hour at most."""
    reset, now = reset_of(call), clock.now(call)
    if reset is not None and now is not None:
        ahead = reset - now
        saw = f"the limit of an hour is said to end {ahead:.0f} s after the call"
        ok = -TOLERANCE_S <= ahead <= HOUR_S + TOLERANCE_S
        yield holds(ok, saw, call, pointer="/error/rate_limit_reset", got=reset)


def _within(denial: Exchange, call: Exchange, clock: ServerClock) -> Iterator[Judgement]:
    """Before the time that a denial named, the limit denies still."""
    reset, now = reset_of(denial), clock.now(call)
    if reset is not None and now is not None and now < reset - TOLERANCE_S and (call.accepted or decision(call)):
        saw = f"{reset - now:.0f} s before the end of the window {call.tool} ended as {told(call)}"
        yield HELD if decision(call) is not None else breach(saw, denial, call, expected=LIMIT_USED_UP)


@law("TB-POL-10")
def failures_use_up_nothing(history: History, contract: Contract) -> Iterator[Judgement]:
    """Where earlier mutations were refused or failed, those that remain of the hourly limit are let through."""
    run = known(history, contract)
    for call, spent in _calls(history, contract):
        counted, failed = len(spent.sure) + len(spent.perhaps), [c for c in spent.failed if c.code != LIMIT_USED_UP]
        telling = counted < spent.limit <= counted + len(failed)
        if telling and unlisted(run, call) and (call.accepted or call.code == LIMIT_USED_UP):
            saw = f"after {counted} mutations and {len(failed)} that failed, a limit of {spent.limit} is used up"
            yield holds(call.accepted, saw, *failed, call, got=call.code)
