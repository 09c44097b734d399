"""The limits of the Session 05 contract: how many mutations they let through, when they end, and what uses them up."""

from collections import defaultdict
from collections.abc import Iterator, Mapping

from conformance.contract.catalogue import Contract
from conformance.contracts.tuitbot.clock import ServerClock, server_clock
from conformance.contracts.tuitbot.gate import LIMIT_USED_UP, decision
from conformance.contracts.tuitbot.limits import Limit
from conformance.contracts.tuitbot.manifest import entry
from conformance.contracts.tuitbot.rulings import rulings
from conformance.contracts.tuitbot.spending import Spent, spending, used_up
from conformance.judge.instants import instant
from conformance.judge.judgements import breach, holds, told, unjudged
from conformance.judge.kinds import fraction
from conformance.judge.law import law
from conformance.judge.means import brings_about
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.model.verdict import HELD, Judgement

TOLERANCE_S = 120
"""How closely the time that the server's calendar shows is known."""


@law("TB-POL-08")
def the_hourly_limit_denies(history: History, contract: Contract) -> Iterator[Judgement]:
    """Beyond a limit a mutation that it counts is denied until the window ends, and a read is not."""
    gate = rulings(history, contract)
    for call, spent, done in used_up(history, contract):
        about = entry(call, contract)
        if about is not None and not about.mutation:
            if decision(call) is not None:
                yield breach(f"{call.tool} reads, and ended as {told(call)}", done[-1], call)
            elif call.accepted:
                yield HELD
        elif spent.limit.counts(call.tool) and gate.unlisted(call) and (call.accepted or decision(call) is not None):
            saw = f"mutation {len(done) + 1} of a window ended as {told(call)}; the limit is {spent.limit.most}"
            ok = call.refused and decision(call) is not None
            yield holds(ok, saw, *done, call, expected=LIMIT_USED_UP)
    yield from _windows(history, contract)
    yield from _twice_over(history, contract)


def _twice_over(history: History, contract: Contract) -> Iterator[Judgement]:
    """Within a period no more than two windows can lie: at most twice as many mutations as one of them has."""
    when, gate = server_clock(history, contract).moved, rulings(history, contract)
    for call, spent in spending(history, contract):
        limit = spent.limit
        if not (limit.counts(call.tool) and call.accepted and decision(call) is None and gate.unlisted(call)):
            continue
        recent = [other for other in spent.sure if when.elapsed(other, call)[1] < limit.period_s - TOLERANCE_S]
        if len(recent) >= 2 * limit.most:
            saw = f"{len(recent) + 1} mutations within {limit.period_s} s; the limit is {limit.most}"
            yield breach(saw, *recent, call, expected=LIMIT_USED_UP)


def _windows(history: History, contract: Contract) -> Iterator[Judgement]:
    """When a window ends: as a denial says, and by the calendar."""
    clock, gate = server_clock(history, contract), rulings(history, contract)
    denials: dict[tuple[str, object], Exchange] = {}
    limits: dict[str, set[Limit]] = defaultdict(set)
    ended = False
    for call, spent in spending(history, contract):
        limits[call.instance].add(spent.limit)
    for call, spent in spending(history, contract):
        place = (call.instance, spent.limit)
        if call.code == LIMIT_USED_UP and spent.limit.counts(call.tool):
            yield from _reset(call, spent, clock)
            denials.setdefault(place, call)
        earlier = denials.get(place)
        if earlier is None or not (earlier.before(call) and spent.limit.counts(call.tool) and gate.unlisted(call)):
            continue
        over = _is_over(clock, earlier, call, spent)
        ended = ended or over
        yield from _afterwards(clock, earlier, call, over=over)
        if len(limits[call.instance]) == 1:
            yield from _past(earlier, call, spent, clock)
    if denials and not ended and not brings_about(history, "clock"):
        yield unjudged("whether the window ends, since the target cannot bring about clock")


def _is_over(clock: ServerClock, denial: Exchange, call: Exchange, spent: Spent) -> bool:
    """Whether a mutation that came to an end came when the window of an earlier denial was surely over."""
    when, whole = clock.moved, spent.limit.period_s + TOLERANCE_S
    recent = [m for m in (*spent.sure, *spent.perhaps) if when.elapsed(m, call)[0] <= whole]
    ended = call.accepted or decision(call) is not None
    return when.elapsed(denial, call)[0] > whole and not recent and ended


def _afterwards(clock: ServerClock, denial: Exchange, call: Exchange, *, over: bool) -> Iterator[Judgement]:
    """What becomes of a mutation after an earlier one was denied."""
    if over:
        saw = "after the end of the window, and without a mutation since, the limit still denies"
        yield holds(call.code != LIMIT_USED_UP, saw, denial, call, got=call.code)
    elif not clock.moved.same(denial, call):
        yield from _within(denial, call, clock)


def reset_of(call: Exchange) -> float | None:
    """Seconds since 1970 at which error.rate_limit_reset says that the window ends; None where it is not given."""
    error = call.envelope.get("error") if call.envelope is not None else None
    value: Json = error.get("rate_limit_reset") if isinstance(error, dict) else None
    if isinstance(value, str) and value.isascii() and value.isdigit():
        return float(value)
    number = fraction(value)
    return instant(value) if number is None else number


def _reset(call: Exchange, spent: Spent, clock: ServerClock) -> Iterator[Judgement]:
    """The reset lies ahead, by the length of the window at most."""
    reset, now = reset_of(call), clock.now(call)
    alone = len(spent.sure) >= spent.limit.most
    if reset is not None and now is not None and alone:
        ahead = reset - now
        saw = f"a limit of {spent.limit.period_s} s is said to end {ahead:.0f} s after the call"
        ok = -TOLERANCE_S <= ahead <= spent.limit.period_s + TOLERANCE_S
        yield holds(ok, saw, call, pointer="/error/rate_limit_reset", got=reset)


def _within(denial: Exchange, call: Exchange, clock: ServerClock) -> Iterator[Judgement]:
    """Before the time that a denial named, the limit denies still."""
    reset, now = reset_of(denial), clock.now(call)
    if reset is not None and now is not None and now < reset - TOLERANCE_S and (call.accepted or decision(call)):
        saw = f"{reset - now:.0f} s before the end of the window {call.tool} ended as {told(call)}"
        yield HELD if decision(call) is not None else breach(saw, denial, call, expected=LIMIT_USED_UP)


def _past(denial: Exchange, call: Exchange, spent: Spent, clock: ServerClock) -> Iterator[Judgement]:
    """After the time that a denial named, and without a mutation since the denial, the only limit denies no more."""
    reset, now = reset_of(denial), clock.now(call)
    since = [mutation for mutation in (*spent.sure, *spent.perhaps) if not mutation.before(denial)]
    over = reset is not None and now is not None and now > reset + TOLERANCE_S and not since
    if over and (call.accepted or call.code == LIMIT_USED_UP):
        saw = f"the window was to end at {reset:.0f}, and {now:.0f} the limit still denies"
        yield holds(call.code != LIMIT_USED_UP, saw, denial, call, pointer="/error/rate_limit_reset", got=reset)


@law("TB-POL-10")
def failures_use_up_nothing(history: History, contract: Contract) -> Iterator[Judgement]:
    """Where earlier mutations were refused or failed, those that remain of the limit are let through."""
    gate, full = rulings(history, contract), _perhaps_used_up(history, contract)
    for call, spent in spending(history, contract):
        if not spent.limit.counts(call.tool) or full[call.call] - {spent.limit}:
            continue
        counted, failed = len(spent.sure) + len(spent.perhaps), [c for c in spent.failed if c.code != LIMIT_USED_UP]
        telling = counted < spent.limit.most <= counted + len(failed)
        if telling and gate.unlisted(call) and (call.accepted or call.code == LIMIT_USED_UP):
            saw = f"after {counted} mutations and {len(failed)} that failed, a limit of {spent.limit.most} is used up"
            yield holds(call.accepted, saw, *failed, call, got=call.code)


def _perhaps_used_up(history: History, contract: Contract) -> Mapping[int, set[Limit]]:
    """By call, the limits that may count it and may be used up by what was done."""
    found: dict[int, set[Limit]] = defaultdict(set)
    for call, spent in spending(history, contract):
        if spent.limit.counts(call.tool) is not False and len(spent.sure) + len(spent.perhaps) >= spent.limit.most:
            found[call.call].add(spent.limit)
    return found
