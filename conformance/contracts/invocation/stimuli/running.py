"""How calls run: how long, how often, and into what they fail."""

from conformance.contracts.invocation.bench import HOUR_S, InvocationBench
from conformance.contracts.invocation.kit import DESCRIBE, EXECUTION
from conformance.drive.bench import side_by_side
from conformance.drive.stimulus import stimulus

FLAKY_PUT, FLAKY_APPEND, WAIT = "local::kit.flaky_put", "local::kit.flaky_append", "local::kit.wait"
WAIT_AND_APPEND, RELAY, ECHO = "local::kit.wait_and_append", "local::kit.relay", "local::kit.echo"
FAILING = ("local::kit.bad_output", "local::kit.unserialisable", "local::kit.fault", "mcp::kit::fail")
TOO_LONG_MS = 600
NEAR_MS, NEAR_S = 250, (0.1, 0.15, 0.2)
"""On a busy machine a deadline has passed before the call arrives: then a later one shows what it cuts."""
BEYOND = 7
"""More levels than causedBy may have."""


@stimulus("invocation", exercises=("IR-RES-05", "IR-ERR-Timeout", "IR-INV-07", "IR-ERR-04", "IR-RES-08", "IR-RES-04"))
async def calls_take_their_time(bench: InvocationBench) -> None:
    """Waits that are over in time, and such as are cut: without a deadline, and with one far ahead."""
    long = TOO_LONG_MS + bench.number() % 100
    append = {"list": bench.unique("list"), "ms": long}
    await bench.invoke(WAIT, {"ms": 1})
    await bench.invoke(WAIT_AND_APPEND, {**append, "item": bench.unique("item"), "ms": 1})
    await side_by_side(
        bench.invoke(WAIT, {"ms": 80}),
        bench.invoke(WAIT, {"ms": 110}),
        bench.look(await bench.invoke(WAIT, {"ms": long}), EXECUTION),
        bench.invoke(WAIT, {"ms": long + 1}, deadline=bench.instant(HOUR_S)),
        bench.invoke(WAIT_AND_APPEND, {**append, "item": bench.unique("item")}),
        *(_near(bench, ahead_s) for ahead_s in NEAR_S),
        bench.invoke(RELAY, {"tool": WAIT, "input": {"ms": 90}}),
    )


async def _near(bench: InvocationBench, ahead_s: float) -> None:
    """A wait that its timeout lets pass, and its deadline does not."""
    await bench.look(await bench.invoke(WAIT, {"ms": NEAR_MS}, deadline=bench.instant(ahead_s)), EXECUTION)


@stimulus(
    "invocation",
    exercises=("IR-INV-11", "IR-ERR-DownstreamFailed", "IR-ERR-08", "IR-RES-05", "IR-RES-06", "IR-CACHE-01"),
)
async def failures_are_tried_again_or_not(bench: InvocationBench) -> None:
    """Writes that fail once, twice and for good; each with what was executed."""
    for failures in (0, 1, 2, 3, 5):
        given, key = {**bench.good(FLAKY_PUT), "failures": failures}, bench.unique("key")
        call = await bench.look(await bench.invoke(FLAKY_PUT, given, idempotencyKey=key), EXECUTION)
        if (call.envelope or {}).get("status") == "Retryable":
            # what may succeed when it is repeated is repeated: with its key, for a key makes that safe
            await bench.look(await bench.invoke(FLAKY_PUT, given, idempotencyKey=key), EXECUTION)
    for failures in (0, 1, 3):
        given = {**bench.good(FLAKY_APPEND), "failures": failures}
        await bench.look(await bench.invoke(FLAKY_APPEND, given), EXECUTION)
        await bench.invoke("local::kit.read_list", {"list": given["list"]})
    # a key makes no tool one that may be repeated
    keyed = {**bench.good(FLAKY_APPEND), "failures": 1}
    await bench.look(await bench.invoke(FLAKY_APPEND, keyed, idempotencyKey=bench.unique("key")), EXECUTION)
    for fail in (False, True):
        here = bench.apart()
        await here.look(await here.invoke("local::kit.fragile", {"fail": fail}), EXECUTION)
    notify = {"tool": "local::kit.notify", "input": {"to": bench.unique("to"), "text": "once"}, "fail": True}
    await bench.look(await bench.invoke(RELAY, notify), EXECUTION)


@stimulus(
    "invocation",
    exercises=(
        "IR-RES-11", "IR-ERR-SchemaInvalid", "IR-ERR-SerializationFailed", "IR-ERR-Unhandled", "IR-ERR-03",
        "IR-ERR-DownstreamFailed", "IR-ERR-08", "IR-ERR-05", "IR-RED-01", "IR-RED-02", "IR-RES-07", "IR-SRV-01",
    ),
)  # fmt: skip
async def tools_fail_by_design(bench: InvocationBench) -> None:
    """Each tool that never gives a good output, beside one that does."""
    await bench.invoke(ECHO, bench.good(ECHO))
    for tool in FAILING:
        await bench.look(await bench.invoke(tool, bench.good(tool)), "audit", "event", "span", EXECUTION)
        await bench.invoke(tool, bench.good(tool))
    await bench.invoke("mcp::kit::fail", {"code": "ACCOUNT_CLOSED"})
    await bench.invoke(ECHO, bench.good(ECHO))


@stimulus("invocation", exercises=("IR-ERR-06", "IR-ERR-DownstreamFailed", "IR-ERR-03", "IR-INV-11", "IR-RES-11"))
async def failures_have_causes(bench: InvocationBench) -> None:
    """A relay to a tool that fails, and relays of relays deeper than causes are told."""
    if bench.supports(DESCRIBE):
        await bench.describe()
    await bench.invoke(RELAY, bench.good(RELAY))
    await bench.invoke(RELAY, {"tool": "local::kit.no_such_tool", "input": {}})
    for tool in FAILING:
        await bench.look(await bench.invoke(RELAY, {"tool": tool, "input": bench.good(tool)}), EXECUTION)
    nested = {"tool": "mcp::kit::fail", "input": {"code": "QUOTA_USED_UP"}}
    for _ in range(BEYOND):
        nested = {"tool": RELAY, "input": nested}
    await bench.invoke(RELAY, nested)
