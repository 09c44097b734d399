"""Calls that are made again with the same input."""

from conformance.contracts.invocation.bench import InvocationBench
from conformance.contracts.invocation.kit import EXECUTION, KINDS
from conformance.drive.stimulus import stimulus

SUM = "local::kit.sum"
ANEW = ("local::kit.append", "local::kit.notify", "local::kit.put", "local::kit.start_job", "local::kit.flaky_put",
        "local::kit.relay")  # fmt: skip


@stimulus("invocation", exercises=("IR-CACHE-02", "IR-CACHE-03"))
async def a_pure_tool_is_asked_again(bench: InvocationBench) -> None:
    """A sum, again, with its keys in another order, in another version, and another sum."""
    a, b = bench.number(), bench.number()
    same, turned, other = {"a": a, "b": b}, {"b": b, "a": a}, {"a": a, "b": b + 1}
    for given, version in (
        (same, "1.0.0"), (same, "1.0.0"), (turned, "1.0.0"), (same, "1.0.0"), (same, "2.0.0"), (same, "2.0.0"),
        (turned, "2.0.0"), (same, "2.0.0"), (other, "2.0.0"),
    ):  # fmt: skip
        await bench.look(await bench.invoke(SUM, given, versionRange=version), *KINDS)


@stimulus("invocation", exercises=("IR-CACHE-01",))
async def other_tools_are_called_anew(bench: InvocationBench) -> None:
    """Each tool that is not Pure, twice with the same input; an IdempotentWrite under another key each time."""
    for tool in ANEW:
        given = bench.good(tool)
        for _ in range(2):
            await bench.look(await bench.invoke(tool, given), EXECUTION)
