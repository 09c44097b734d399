"""Limits: calls side by side up to them and beyond, each time in the name of a tenant of its own."""

import asyncio
from collections.abc import Sequence

from conformance.contracts.invocation.bench import WRITE, InvocationBench
from conformance.contracts.invocation.kit import EVENT, EXECUTION, kit
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json
from conformance.model.exchange import Exchange

TRIES = 6
"""Where the machine was too slow for anybody to tell, it is done again, later each time."""
PAUSE_S = 0.4
QUICK = 0.9
MILLI = 1_000
MOST_S = 2.0
"""The longest delay that is waited for."""
TICK_S = 0.02
ASKS, ASK_S = 16, 0.04
MORE = 3
"""Calls that are refused in the window: whether they count or not, the delay that is told has to be true."""
OFTEN = 5
"""Answers within a window: they are so close together that its end is seen."""
STARTS, STAGGER_S = 3, 0.17
LATE = 0.7
"""Of a window: what is called then counts for most of the next one."""
FRAGILE, COSTLY, NARROW = "local::kit.fragile", "local::kit.costly", "local::kit.narrow"
LIMITED = ("local::kit.limited", "local::kit.limited_append", "local::kit.guarded")
LEFT_S = 0.2
"""After that a call has left its place."""
CUT_MS, SOON_S = 500, 0.1
RESET_S = 0.3 * 1.2 + 0.05


def within(calls: Sequence[Exchange], milliseconds: float) -> bool:
    """Whether calls were all answered within a time, as was measured here."""
    ends = [call.received for call in calls]
    if any(end is None for end in ends):
        return False
    return max(end for end in ends if end is not None) - min(call.sent for call in calls) < QUICK * milliseconds * MILLI


@stimulus(
    "invocation",
    exercises=(
        "IR-ERR-RateLimited", "IR-ERR-07", "IR-HINT-01", "IR-HINT-02", "IR-RES-08", "IR-ERR-04", "IR-INV-10",
        "IR-INV-09",
    ),
)  # fmt: skip
async def calls_go_beyond_a_rate_limit(bench: InvocationBench) -> None:
    """More calls at once than a window lets through, and now and then another; then one that waited as it was told."""
    await asyncio.gather(*(_beyond(bench, tool) for tool in LIMITED))


async def _beyond(bench: InvocationBench, tool: str) -> None:
    for tries in range(TRIES):
        await asyncio.sleep(PAUSE_S * tries)
        here, calls, window_ms = await _used_up(bench, tool, beyond=2)
        apart_ms = window_ms / (MORE + 2)
        for _ in range(MORE):
            await asyncio.sleep(apart_ms / MILLI)
            calls.append(await here.invoke(tool, here.good(tool)))
        last = max((call for call in calls if call.refused), key=lambda call: call.received or 0, default=None)
        told = told_ms(last) if last is not None else None
        await asyncio.sleep((window_ms if told is None else told) / MILLI + TICK_S)
        waited = await here.invoke(tool, here.good(tool))
        if last is None or told is None or last.received is None:
            break
        if waited.sent - last.received < (told + apart_ms) * MILLI:
            break  # later than that, what was refused has left the window whether it counts or not
    await _looked_after(here, [*calls, waited])


async def _looked_after(bench: InvocationBench, calls: Sequence[Exchange]) -> None:
    """What was executed of the first call that was accepted and of the first that was refused, and all their lists."""
    for first in filter(None, (next((call for call in calls if call.refused is no), None) for no in (False, True))):
        await bench.look(first, EXECUTION)
    for call in calls:
        given = call.argument("input")
        if isinstance(given, dict) and "list" in given:
            await bench.invoke("local::kit.read_list", {"list": given["list"]})


def told_ms(call: Exchange) -> float | None:
    """The delay that a refusal tells, in milliseconds; None where it tells none that is waited for."""
    error = (call.envelope or {}).get("error")
    details = error.get("details") if isinstance(error, dict) else None
    delay = details.get("retryAfterMs") if isinstance(details, dict) else None
    if isinstance(delay, bool) or not isinstance(delay, int | float):
        return None
    return delay if 0 <= delay <= MOST_S * MILLI else None


@stimulus("invocation", exercises=("IR-SRV-01",))
async def a_limit_of_one_tool_is_used_up(bench: InvocationBench) -> None:
    """Then another tool with a limit of its own is called by the same tenant, and the first by none and by another.

    Each over a connection of its own: whose call it is does not go by who called there before.
    """
    one, other = await bench.lane(), await bench.lane()
    await asyncio.gather(_apart(one, *LIMITED[:2]), _apart(other, *LIMITED[1::-1]))


async def _apart(bench: InvocationBench, one: str, other: str) -> None:
    await _used_up(bench, one, beyond=1, other=other)
    await bench.invoke(one, bench.good(one), without=("headers",))
    await bench.apart().invoke(one, bench.good(one))


async def _used_up(
    bench: InvocationBench, tool: str, *, beyond: int, other: str = "", disguised: bool = False
) -> tuple[InvocationBench, list[Exchange], float]:
    """So many calls more than a tool's limit lets through in a window, by a new tenant, then one of another tool.

    All within the window, of which the length is given, too, in milliseconds. disguised: each names another tenant in
    its metadata.
    """
    limit = kit()[tool].kit.rateLimit
    assert limit is not None, f"{tool} of the kit has a rate limit"
    for tries in range(TRIES):
        await asyncio.sleep(PAUSE_S * tries)
        here = bench.apart()
        more: list[dict[str, Json]] = [
            {"metadata": {"tenant": here.unique("tenant")}} if disguised else {} for _ in range(limit.calls + beyond)
        ]
        calls = await here.together(*(here.invoke(tool, here.good(tool), **fields) for fields in more))
        last = [await here.invoke(other, here.good(other))] if other else []
        if within([*calls, *last], limit.windowMs):
            break
    return here, calls, limit.windowMs


@stimulus("invocation", exercises=("IR-ERR-RateLimited", "IR-INV-08"))
async def metadata_names_other_tenants(bench: InvocationBench) -> None:
    """More calls of one tenant than a window lets through, each with another tenant in its metadata, that is opaque."""
    await asyncio.gather(*(_used_up(bench, tool, beyond=2, disguised=True) for tool in LIMITED))


@stimulus("invocation", exercises=("IR-ERR-RateLimited",))
async def a_window_slides(bench: InvocationBench) -> None:
    """A limit that is used up, and then asked again and again until a call is let through; begun at several moments."""
    await asyncio.gather(*(_asked_again(bench, number * STAGGER_S) for number in range(STARTS)))


async def _asked_again(bench: InvocationBench, begin_s: float) -> None:
    limit = kit()[LIMITED[0]].kit.rateLimit
    assert limit is not None, f"{LIMITED[0]} of the kit has a rate limit"
    for tries in range(TRIES):
        await asyncio.sleep(begin_s + PAUSE_S * tries)
        here = bench.apart()
        used = await here.together(*(here.invoke(LIMITED[0], here.good(LIMITED[0])) for _ in range(limit.calls)))
        asked: list[Exchange] = []
        for _ in range(ASKS):
            await asyncio.sleep(ASK_S)
            asked.append(await here.invoke(LIMITED[0], here.good(LIMITED[0])))
            if asked[-1].accepted:
                break
        soon = [call for call in asked if within([*used, call], limit.windowMs)]
        if len(soon) >= OFTEN or any(call.accepted for call in soon):
            break


@stimulus("invocation", exercises=("IR-ERR-RateLimited",))
async def a_window_is_used_up_late(bench: InvocationBench) -> None:
    """One call, the others that its window lets through late in it, and as many as in all of one when it has passed."""
    await asyncio.gather(*(_used_up_late(bench, tool) for tool in LIMITED))


async def _used_up_late(bench: InvocationBench, tool: str) -> None:
    limit = kit()[tool].kit.rateLimit
    assert limit is not None, f"{tool} of the kit has a rate limit"
    for tries in range(TRIES):
        await asyncio.sleep(PAUSE_S * tries)
        here = bench.apart()
        await here.invoke(tool, here.good(tool))
        await asyncio.sleep(LATE * limit.windowMs / MILLI)
        late = await here.together(*(here.invoke(tool, here.good(tool)) for _ in range(limit.calls - 1)))
        await asyncio.sleep((1 - LATE) * limit.windowMs / MILLI + TICK_S)
        asked = await here.together(*(here.invoke(tool, here.good(tool)) for _ in range(limit.calls)))
        if within([*late, *asked], limit.windowMs):
            break


@stimulus("invocation", exercises=("IR-INV-10", "IR-ERR-Forbidden", "IR-ERR-Unauthenticated"))
async def calls_without_a_scope_come_first(bench: InvocationBench) -> None:
    """As many calls as a window lets through, none of them authorised, and then as many that are."""
    tool = "local::kit.guarded"
    limit = kit()[tool].kit.rateLimit
    assert limit is not None, f"{tool} of the kit has a rate limit"
    for caller in filter(None, (bench.perhaps(), bench.nobody, bench.perhaps(WRITE, defect="expired"))):
        for tries in range(TRIES):
            here = bench.apart()
            shut = await here.together(*(here.invoke(tool, here.good(tool), by=caller) for _ in range(limit.calls + 1)))
            calls = await here.together(*(here.invoke(tool, here.good(tool)) for _ in range(limit.calls)))
            if within([*shut, *calls], limit.windowMs):
                break
            await asyncio.sleep(PAUSE_S * tries)
    beyond = bench.apart()
    await beyond.together(*(beyond.invoke(tool, beyond.good(tool)) for _ in range(limit.calls + 2)))


@stimulus(
    "invocation", exercises=("IR-ERR-CircuitOpen", "IR-HINT-03", "IR-HINT-01", "IR-RES-08", "IR-ERR-DownstreamFailed")
)
async def a_circuit_opens_and_closes(bench: InvocationBench) -> None:
    """Failures in a row, calls while the circuit is open, and a probe after the reset time that succeeds or fails.

    A success between failures starts the row anew, where it was executed: a repeated one may come from a cache.
    """
    between = (False, True, True, False)
    await asyncio.gather(
        *(_circuit(bench, first, heals=heals) for first in ((False,), between) for heals in (True, False))
    )


async def _circuit(bench: InvocationBench, first: Sequence[bool], *, heals: bool) -> None:
    circuit = kit()[FRAGILE].kit.circuit
    assert circuit is not None, f"{FRAGILE} of the kit has a circuit"
    for tries in range(TRIES):
        await asyncio.sleep(PAUSE_S * tries)
        here = bench.apart()
        calls = [await here.invoke(FRAGILE, {"fail": fail}) for fail in first]
        failures = [await here.invoke(FRAGILE, {"fail": True}) for _ in range(circuit.failures)]
        # a cache may stand before the circuit, and answers what was served before; it knows no failure
        shut = [await here.invoke(FRAGILE, {"fail": fail}) for fail in (False, True)]
        if within([failures[-1], *shut], circuit.resetMs):
            break
    await asyncio.sleep(RESET_S)
    calls.append(await here.look(await here.invoke(FRAGILE, {"fail": not heals}), EVENT))
    calls.append(await here.invoke(FRAGILE, {"fail": False}))
    if heals:
        await here.invoke(FRAGILE, {"fail": True})
        calls.append(await here.invoke(FRAGILE, {"fail": False}))
    for call in calls:
        # which successes came from a cache
        await here.look(call, EXECUTION)


@stimulus("invocation", exercises=("IR-ERR-BudgetExceeded", "IR-ERR-04"))
async def a_budget_is_spent(bench: InvocationBench) -> None:
    """Units up to the budget, one call beyond it, what was left, and one unit more."""
    here = bench.apart()
    for units in (60, 50, 40, 1):
        await here.invoke(COSTLY, {"units": units})
    await bench.apart().invoke(COSTLY, {"units": 100})


@stimulus("invocation", exercises=("IR-ERR-ConcurrencyLimited", "IR-HINT-01", "IR-ERR-04", "IR-SRV-01"))
async def more_calls_run_than_may(bench: InvocationBench) -> None:
    """A tool that runs once at a time: alone, twice at once, again when both are over, and after one that was cut."""
    for wait in (300, 600, 1200):
        here = bench.apart()
        await here.invoke(NARROW, {"ms": 1})
        pair: list[dict[str, Json]] = [{"ms": wait}, {"ms": wait + 1}]
        calls = await here.together(*(here.invoke(NARROW, given) for given in pair))
        if any(call.refused for call in calls) or within(calls, 2 * wait):
            break
    await asyncio.sleep(LEFT_S)
    await here.invoke(NARROW, {"ms": 1})
    cut = bench.apart()
    await cut.invoke(NARROW, {"ms": CUT_MS}, deadline=bench.instant(SOON_S))
    await asyncio.sleep(CUT_MS / MILLI + LEFT_S)
    await cut.invoke(NARROW, {"ms": 1})
