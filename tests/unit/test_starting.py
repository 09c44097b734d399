"""No server starts under a condition that a command brings about: it may go on in another way afterwards."""

import asyncio
import sys
from pathlib import Path

from conformance.contract.catalogue import load
from conformance.drive.recorder import Recorder
from conformance.drive.session import Session
from conformance.drive.statement import Statement

SERVER = """
import json, pathlib, sys
flag, told = map(pathlib.Path, sys.argv[1:])
with told.open("a") as file:
    print("down" if flag.exists() else "up", file=file)
for line in sys.stdin:
    message = json.loads(line)
    if "id" in message:
        info = {"name": "s", "version": "1"}
        result = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": info}
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
"""


async def _driven(folder: Path) -> bool:
    """Starts servers beside a condition and under it; whether the one beside it waited."""
    flag, told, script = folder / "flag", folder / "told", folder / "server.py"
    script.write_text(SERVER)
    statement = Statement.model_validate(
        {
            "contract": "tuitbot",
            "protocol": "2025-11-25",
            "endpoint": [{"transport": "stdio", "command": [sys.executable, str(script), str(flag), str(told)]}],
            "conditions": {"command": {"x": {"on": ["touch", str(flag)], "off": ["rm", str(flag)]}}},
        }
    )
    contract = load("tuitbot")
    made = Session(statement, contract, Recorder(contract.envelope), seed=0, base=folder, default_role=None, kept={})
    async with made.held() as session, asyncio.timeout(60):
        await session.connection(0, "main", "one")
        await session.bring_about({"x": "forbidden"}, "main", "one")
        beside = [asyncio.create_task(session.connection(0, "i1", "another")) for _ in range(2)]
        await asyncio.sleep(0.1)
        waited = not any(each.done() for each in beside) and told.read_text().split() == ["up"]
        assert flag.exists()
        # what this one starts itself ends its own condition, and it is alone with the target until it is over
        await session.connect(0, "main", "one", own=True)
        await session.unmet(0, "main", "one")
        waited = waited and not any(each.done() for each in beside)
        await session.undo("one")
        first, second = await asyncio.gather(*beside)
        assert first is second
    return waited


def test_servers_start_before_a_condition_or_after_it(tmp_path: Path) -> None:
    assert asyncio.run(_driven(tmp_path))
    assert (tmp_path / "told").read_text().split() == ["up"] * 4
