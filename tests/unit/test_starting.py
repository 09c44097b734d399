"""No server starts under a condition that a command brings about: it may go on in another way afterwards."""

import asyncio
import sys
from pathlib import Path
from typing import Any

from conformance.contract.catalogue import load
from conformance.drive.errors import SkipError
from conformance.drive.recorder import Recorder
from conformance.drive.session import Session
from conformance.drive.statement import Statement

SERVER = """
import atexit, http.server, json, pathlib, sys, time
flag, told = map(pathlib.Path, sys.argv[1:3])
with told.open("a") as file:
    print("down" if flag.exists() else "up", file=file)

def answer(message):
    info = {"name": "s", "version": "1"}
    result = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": info}
    return json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result})

class Handler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["content-length"])))
        body = answer(message).encode() if "id" in message else b""
        self.send_response(200 if body else 202)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

if sys.argv[3:] == ["stays"]:
    atexit.register(time.sleep, 60)
elif sys.argv[3:]:
    http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[3])), Handler).serve_forever()
for line in sys.stdin:
    message = json.loads(line)
    if "id" in message:
        print(answer(message), flush=True)
"""


def session_at(folder: Path, *endpoints: dict[str, Any], off: str = "rm", **more: Any) -> Session:
    """One of endpoints whose servers tell how they found things as they started."""
    flag, told, script = folder / "flag", folder / "told", folder / "server.py"
    script.write_text(SERVER)
    command = [sys.executable, str(script), str(flag), str(told)]
    statement = Statement.model_validate(
        {
            "contract": "tuitbot",
            "protocol": "2025-11-25",
            "endpoint": [{**each, "command": [*command, *each.get("command", ())]} for each in endpoints],
            "conditions": {"command": {"x": {"on": ["touch", str(flag)], "off": [off, str(flag)]}}},
            **more,
        }
    )
    contract = load("tuitbot")
    return Session(statement, contract, Recorder(contract.envelope), seed=0, base=folder, default_role=None, kept={})


async def _driven(folder: Path) -> bool:
    """Starts servers beside a condition and under it; whether the one beside it waited."""
    flag, told = folder / "flag", folder / "told"
    async with session_at(folder, {"transport": "stdio"}).held() as session, asyncio.timeout(60):
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


async def _at_two_addresses(folder: Path) -> None:
    at = {"transport": "http", "url": "http://127.0.0.1:{port}/mcp"}
    first, second = ({**at, "profile": name, "command": ["{port}", name]} for name in ("workflow", "api"))
    async with session_at(folder, first, second).held() as session, asyncio.timeout(60):
        await session.connection(0, "main", "one")
        await session.bring_about({"x": "forbidden"}, "main", "one")
        # a server that is there already is spoken with as it is
        await session.connect(0, "main", "one", own=True)
        assert (folder / "flag").exists()
        await session.connection(1, session.instances.found(1), "one")
        await session.undo("one")


def test_the_server_of_another_endpoint_starts_under_no_condition_either(tmp_path: Path) -> None:
    asyncio.run(_at_two_addresses(tmp_path))
    assert (tmp_path / "told").read_text().split() == ["up"] * 2


async def _in_vain(folder: Path) -> list[object]:
    async with session_at(folder, {"transport": "stdio"}, off="false").held() as session, asyncio.timeout(60):
        await session.connection(0, "main", "one")
        await session.bring_about({"x": "forbidden"}, "main", "one")
        return list(
            await asyncio.gather(*(session.connection(0, "i1", "one") for _ in range(2)), return_exceptions=True)
        )


def test_all_who_wait_for_a_server_that_cannot_start_are_told(tmp_path: Path) -> None:
    assert [type(each) for each in asyncio.run(_in_vain(tmp_path))] == [SkipError] * 2
