"""One thing is wrong with a call, and an optional field of the Invocation is given besides, or left out."""

import asyncio
from collections.abc import Mapping

from conformance.contracts.invocation.bench import HOUR_S, InvocationBench
from conformance.contracts.invocation.kit import kit
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json

ECHO, APPEND, PUT, BEHIND = "local::kit.echo", "local::kit.append", "local::kit.put", "mcp::kit::echo"
PERSON, STREAM = "local::kit.person", "local::kit.stream"


def _fields(bench: InvocationBench, tool: str) -> tuple[dict[str, Json], ...]:
    return (
        {"versionRange": kit()[tool].versions[0]},
        {"causationId": bench.unique("cause")},
        {"deadline": bench.instant(HOUR_S)},
        {"metadata": {"ticket": bench.unique("ticket")}},
        {"headers": {"tenant": bench.tenant, "locale": "de-CH"}},
    )


@stimulus(
    "invocation",
    exercises=("IR-INV-03", "IR-INV-04", "IR-INV-06", "IR-INV-07", "IR-ERR-SchemaInvalid", "IR-ERR-MissingField"),
    sweep=True,
)
async def one_thing_is_wrong_beside_other_fields(bench: InvocationBench) -> None:
    """For each optional field a call with it that is good, and such as are wrong in their input, key, headers, time."""
    await asyncio.gather(*(_wrong(bench.apart(), tool) for tool in (ECHO, APPEND, PUT, BEHIND)))
    for given in ({"frames": 1}, {"frames": "one"}, {"frames": 101}, {}):
        await bench.stream(STREAM, given)


async def _wrong(here: InvocationBench, tool: str) -> None:
    good = here.good(tool)
    name = next(iter(good))
    for more in _fields(here, tool):
        await here.invoke(tool, good, **more)
        await here.invoke(tool, {**good, name: 5}, **more)
        await here.invoke(tool, {key: value for key, value in good.items() if key != name}, **more)
        await here.invoke(tool, {**good, "unheard_of": "x"}, **more)
        await here.invoke(tool, good, **{**more, "headers": _secret(here, more.get("headers"))})
        if "deadline" not in more:
            await here.invoke(tool, good, **more, deadline=here.instant(-HOUR_S))
        if kit()[tool].effect == "IdempotentWrite":
            await here.invoke(tool, good, without=("idempotencyKey",), **more)


def _secret(here: InvocationBench, headers: Json) -> Json:
    known = headers if isinstance(headers, Mapping) else {"tenant": here.tenant}
    return {**known, "X-Access-Token": here.secret("header")}


@stimulus("invocation", exercises=("IR-RED-03", "IR-RED-02"), sweep=True)
async def what_is_withheld_is_asked_for_with_other_fields(bench: InvocationBench) -> None:
    """The tool whose output is redacted, with each optional field, with a key, and streamed."""
    here = bench.apart()
    for more in (*_fields(here, PERSON), {"idempotencyKey": here.unique("key")}):
        await here.invoke(PERSON, here.good(PERSON), **more)
    await here.stream(PERSON, here.good(PERSON))
