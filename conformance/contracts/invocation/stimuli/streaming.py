"""Calls whose answer comes in parts."""

import asyncio

from conformance.contracts.invocation.bench import InvocationBench
from conformance.drive.stimulus import stimulus

STREAM, ECHO = "local::kit.stream", "local::kit.echo"
MEANWHILE_S = 0.02


async def _meanwhile(here: InvocationBench) -> None:
    """A quick call on the same connection, while a stream runs."""
    await asyncio.sleep(MEANWHILE_S)
    await here.invoke(ECHO, here.good(ECHO))


@stimulus(
    "invocation",
    exercises=("IR-STR-01", "IR-STR-02", "IR-STR-03", "IR-COR-02", "IR-ERR-DownstreamFailed", "IR-RES-05"),
)
async def answers_come_in_parts(bench: InvocationBench) -> None:
    """Streams of several lengths, such as fail at the beginning, in the midst and at the end, and an unasked one."""
    here = await bench.listening()
    for frames in (0, 1, 5, 25):
        await here.stream(STREAM, {"frames": frames})
    for frames in (90, 95, 100):
        await asyncio.gather(here.stream(STREAM, {"frames": frames}), _meanwhile(here))
    for fails_at in (1, 3, 5):
        await here.stream(STREAM, {"frames": 5, "failAt": fails_at})
    await here.stream(STREAM, {"frames": 4}, progress=False)
    await here.together(*(here.stream(STREAM, {"frames": 6 + more}) for more in range(3)))
