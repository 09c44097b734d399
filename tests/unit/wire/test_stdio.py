"""What a process is told on its stdin, and in which order."""

import asyncio
import sys

import pytest

from conformance.drive.patience import Patience
from conformance.drive.start import Start
from conformance.drive.volley import volley
from conformance.drive.wire.stdio import StdioWire
from conformance.model.events import Http

ECHO = """
import json, sys
for line in sys.stdin:
    print(json.dumps({"jsonrpc": "2.0", "id": json.loads(line)["id"], "result": {}}), flush=True)
"""


def test_the_lines_of_a_volley_leave_in_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is done between two of them: a quick server would answer the first meanwhile."""
    told: list[str] = []
    write = asyncio.StreamWriter.write

    def seen(self: asyncio.StreamWriter, data: bytes) -> None:
        told.append("written")
        write(self, data)

    monkeypatch.setattr(asyncio.StreamWriter, "write", seen)

    async def story() -> None:
        wire = StdioWire(Start([sys.executable, "-c", ECHO], {}), lambda *_, **__: told.append("heard"), 10_000)
        await wire.open()

        async def ask(call: int) -> None:
            async with Patience(30, lambda: told.append("recorded")) as patience:
                await wire.ask(call, {"jsonrpc": "2.0", "id": call, "method": "ping"}, Http(), patience)

        with volley(3):
            await asyncio.gather(*(ask(call) for call in range(3)))
        await ask(3)
        await wire.close()

    asyncio.run(story())
    several = ["recorded"] * 3 + ["written"] * 3 + ["heard"] * 3
    assert told == [*several, "recorded", "written", "heard"]
