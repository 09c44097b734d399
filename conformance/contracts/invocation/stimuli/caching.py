"""Calls that are made again with the same input."""

import asyncio
from collections.abc import Iterator, Sequence
from typing import Any

from conformance.contracts.invocation.bench import InvocationBench
from conformance.contracts.invocation.kit import EXECUTION, KINDS
from conformance.drive.stimulus import stimulus
from conformance.drive.sweeps.texts import SPOILT, near
from conformance.model.events import Json

SUM, ECHO, BEHIND = "local::kit.sum", "local::kit.echo", "mcp::kit::echo"
ANEW = ("local::kit.append", "local::kit.notify", "local::kit.put", "local::kit.start_job", "local::kit.flaky_put",
        "local::kit.relay", "local::kit.limited_append", "local::kit.wait_and_append",
        "local::kit.guarded", "local::kit.flaky_append")  # fmt: skip


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
    given = bench.good(ECHO)
    for version in ("1.0.0", "1.2.0", "1.2.5", "2.0.0", "1.0.0"):
        await bench.look(await bench.invoke(ECHO, given, versionRange=version), EXECUTION)


@stimulus("invocation", exercises=("IR-CACHE-02",), sweep=True)
async def inputs_that_are_near_are_told_apart(bench: InvocationBench) -> None:
    """Pure tools with an input, with others that a careless key of a cache takes for it, and with the same again."""
    await asyncio.gather(*(_near_inputs(bench.apart(), tool, inputs) for tool, inputs in _near(bench)))


def _near(bench: InvocationBench) -> Iterator[tuple[str, list[dict[str, Json]]]]:
    """By tool, inputs of which no two are equal."""
    n = bench.number()
    yield SUM, [{"a": n * 10 + 1, "b": 2}, {"a": n, "b": 12}, {"a": 2, "b": n * 10 + 1}, {"a": n * 10 + 1, "b": -2}]
    text = f"{bench.unique('text')} {SPOILT}"
    told = {"list": [1, "a", {"deep": None}], "many": "many " * 60}
    others: tuple[Json, ...] = (
        {**told, "list": ["a", 1, {"deep": None}]},
        {**told, "list": [1, "a", {}]},
        {**told, "list": [1, "a"], "deep": None},
        {**told, "list": ["1", "a", {"deep": None}]},
        {**told, "list": [True, "a", {"deep": None}]},
        {**told, "many": "many " * 59 + "other"},
        {**told, "Many": told["many"], "many": ""},
        None, 0, False, "", [], {}, "0", "null",
    )  # fmt: skip
    extras = [{"text": text, "extra": other} for other in (told, *others)]
    yield ECHO, [*extras, {"text": text}, *({"text": other, "extra": told} for other in near(text))]
    yield BEHIND, [{"text": each} for each in (text, *near(text))]


async def _near_inputs(here: InvocationBench, tool: str, inputs: Sequence[dict[str, Json]]) -> None:
    for given in (inputs[0], *inputs, _turned(inputs[0]), inputs[0]):
        await here.look(await here.invoke(tool, given), EXECUTION)


def _turned(value: Json) -> Any:
    """The same value with the keys of all its objects in another order."""
    if isinstance(value, dict):
        return {name: _turned(value[name]) for name in reversed(value)}
    return [_turned(inner) for inner in value] if isinstance(value, list) else value


@stimulus("invocation", exercises=("IR-CACHE-01",))
async def other_tools_are_called_anew(bench: InvocationBench) -> None:
    """Each tool that is not Pure, twice with the same input; an IdempotentWrite under another key each time."""
    for tool in ANEW:
        given = bench.good(tool)
        for _ in range(2):
            await bench.look(await bench.invoke(tool, given), EXECUTION)
