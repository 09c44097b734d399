"""Calls with two faults, each beside calls with one of them."""

import asyncio
from itertools import combinations

from conformance.contracts.invocation.bench import HOUR_S, InvocationBench
from conformance.contracts.invocation.kit import EXECUTION, kit
from conformance.contracts.invocation.stimuli.limits import FRAGILE, PAUSE_S, TRIES, within
from conformance.drive.bench import in_turn
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json
from conformance.model.exchange import Exchange

GUARDED, LIMITED, FLAKY_APPEND = "local::kit.guarded", "local::kit.limited", "local::kit.flaky_append"
NO_VERSION = "^9.0.0"
VERSION, INPUT, CALLER, DEADLINE, RUN = "version", "input", "caller", "deadline", "run"
WRONG: dict[str, dict[str, Json]] = {
    GUARDED: {"value": 5},
    FLAKY_APPEND: {"item": 5},
    "local::kit.unserialisable": {"text": 5},
    "local::kit.fault": {"secret": 5},
    FRAGILE: {"fail": "yes"},
}
"""By tool, what breaks its input."""
FAULTS: dict[str, tuple[str, ...]] = {
    GUARDED: (VERSION, INPUT, CALLER, DEADLINE),
    FLAKY_APPEND: (VERSION, INPUT, CALLER, DEADLINE, RUN),
    "local::kit.unserialisable": (VERSION, INPUT, CALLER, DEADLINE),
    "local::kit.fault": (VERSION, INPUT, CALLER, DEADLINE),
    "local::kit.bad_output": (VERSION, CALLER, DEADLINE),
    FRAGILE: (VERSION, CALLER, DEADLINE, RUN),
}
"""By tool, which faults a call of it can have besides those that it has by design."""


async def faulty(bench: InvocationBench, tool: str, *faults: str) -> Exchange:
    """A call with these faults, in the name of a tenant of its own."""
    here = bench.apart()
    given = {**here.good(tool), **(WRONG[tool] if INPUT in faults else {})}
    if RUN in faults:
        given |= {"fail": True} if tool == FRAGILE else {"failures": 1}
    more: dict[str, Json] = {}
    if VERSION in faults:
        more["versionRange"] = NO_VERSION
    if DEADLINE in faults:
        more["deadline"] = bench.instant(-HOUR_S)
    by = None
    if CALLER in faults:
        # over HTTP a transport may turn a bad token away before anything else; a scope it knows nothing of
        by = bench.who() if tool == GUARDED else bench.who(defect="garbage")
    return await here.look(await here.invoke(tool, given, by=by, **more), EXECUTION)


@stimulus("invocation", exercises=("IR-INV-09",))
async def calls_have_two_faults(bench: InvocationBench) -> None:
    """For each tool: a good call, calls with one fault, and calls with each two that it can have."""
    await asyncio.gather(*(_of_tool(bench, tool, faults) for tool, faults in FAULTS.items()))


async def _of_tool(bench: InvocationBench, tool: str, faults: tuple[str, ...]) -> None:
    # a deadline that has passed may be seen before anything else; a bad token by the transport
    pairs = [pair for pair in combinations(faults, 2) if pair[1] != DEADLINE]
    clear = [pair for pair in pairs if pair != (VERSION, CALLER) or tool == GUARDED]
    await in_turn(*(faulty(bench, tool, *wrong) for wrong in ((), *((fault,) for fault in faults), *clear, ())))


@stimulus("invocation", exercises=("IR-INV-09", "IR-ERR-RateLimited", "IR-ERR-CircuitOpen"))
async def limits_are_used_up_and_more_is_wrong(bench: InvocationBench) -> None:
    """Calls with another fault while a rate limit is used up, and calls that are to fail while a circuit is open."""
    await asyncio.gather(_limited(bench, LIMITED), _limited(bench, GUARDED), _open_circuit(bench))


async def _limited(bench: InvocationBench, tool: str) -> None:
    limit = kit()[tool].kit.rateLimit
    assert limit is not None, f"{tool} of the kit has a rate limit"
    for tries in range(TRIES):
        await asyncio.sleep(PAUSE_S * tries)
        here = bench.apart()
        wrong: dict[str, Json] = {"value": 5} if tool == GUARDED else {"text": 5}
        used = await here.together(*(here.invoke(tool, here.good(tool)) for _ in range(limit.calls + 1)))
        more = [
            here.invoke(tool, here.good(tool), versionRange=NO_VERSION),
            here.invoke(tool, {**here.good(tool), **wrong}),
        ]
        weak = bench.perhaps()
        if tool == GUARDED and weak is not None:
            more.append(here.invoke(tool, here.good(tool), by=weak))
        if within([*used, *await here.together(*more)], limit.windowMs):
            break
    await bench.apart().invoke(tool, bench.good(tool), versionRange=NO_VERSION)
    await bench.apart().invoke(tool, {**bench.good(tool), **wrong})


async def _open_circuit(bench: InvocationBench) -> None:
    circuit = kit()[FRAGILE].kit.circuit
    assert circuit is not None, f"{FRAGILE} of the kit has a circuit"
    for tries in range(TRIES):
        await asyncio.sleep(PAUSE_S * tries)
        here = bench.apart()
        await here.invoke(FRAGILE, {"fail": False})
        for _ in range(circuit.failures - 1):
            await here.invoke(FRAGILE, {"fail": True})
        last = await here.invoke(FRAGILE, {"fail": True})
        shut = [await here.invoke(FRAGILE, {"fail": fail}) for fail in (False, True)]
        if within([last, *shut], circuit.resetMs):
            break
