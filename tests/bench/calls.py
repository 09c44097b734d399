"""Calls: those of a run beside the same by a bare client, of the reference beside an empty tool, through a tap."""

import asyncio
import os
import shlex
import statistics
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

from rows import recorded, row, timed

from conformance.certify import contract_of
from conformance.drive import revisions as rev
from conformance.drive.listening import announced
from conformance.drive.patience import Patience
from conformance.drive.place import Place
from conformance.drive.process import Process
from conformance.drive.start import Start
from conformance.drive.target import entry
from conformance.drive.wire.base import Wire
from conformance.drive.wire.http import HttpWire
from conformance.drive.wire.memory import MemoryWire
from conformance.drive.wire.stdio import StdioWire
from conformance.judge.judge import judge
from conformance.model.events import Http, Json
from conformance.model.exchange import Exchange


async def replayed(send: Callable[[Exchange], Awaitable[None]], calls: Sequence[Exchange], concurrency: int) -> float:
    """The same calls by a client that does nothing else."""
    gate = asyncio.Semaphore(concurrency)

    async def one(call: Exchange) -> None:
        async with gate:
            await send(call)

    began = time.perf_counter()
    await asyncio.gather(*(one(call) for call in calls))
    return time.perf_counter() - began


def deaf(*_: object) -> None:
    """Hears nothing: a bare client writes nothing down."""


async def over_http(process: Process) -> HttpWire:
    """A wire to a server that was just started."""
    url = f"{await announced(process, 20)}/mcp"
    return HttpWire(url, "mcp", {}, deaf, max_bytes=8_000_000, place=Place(url))


async def asked(wire: Wire, call: int, payload: Json, http: Http) -> None:
    """One call, waited for."""
    async with Patience(30, lambda: None) as patience:
        await wire.ask(call, payload, http, patience)


async def bare(transport: str, calls: Sequence[Exchange], concurrency: int) -> float:
    """Starts a server as the suite does, and sends it the suite's own calls."""
    (endpoint, *_) = entry("reference").statement("threads", transport=transport)["endpoint"]
    began = time.perf_counter()
    wire: Wire
    process: Process | None = None
    if transport == "stdio":
        wire = StdioWire(Start(endpoint["command"], {}), deaf, 8_000_000)
    else:
        process = await Process.start(endpoint["command"], {})
        wire = await over_http(process)
    await wire.open()
    await replayed(lambda call: asked(wire, call.call, call.request, call.asked or Http()), calls, concurrency)
    await wire.close()
    if process is not None:
        await process.end(1.0, by_signal=True)
    return time.perf_counter() - began


def driving() -> None:
    """The suite's wall time over that of a bare client, over stdio and HTTP: start, calls, end, judgement."""
    about = contract_of("threads")
    for transport in ("stdio", "http"):
        ratios = []
        for _ in range(3):
            recorder, drove = recorded("threads", transport)
            judged = timed(lambda: judge(recorder.events(), about))
            own = [e for e in recorder.history.exchanges if e.connection.binding == "mcp" and e.unanswered is None]
            ratios.append((drove + judged) / asyncio.run(bare(transport, own, 48)))
        row(
            f"driving over {transport}: times a bare client",
            statistics.median(ratios),
            1.25,
            "×",
            detail=f"{len(own)} calls",
        )


def waiting() -> None:
    """With 50 ms added to every answer: wall time over the longest chain of calls that wait for each other."""
    delay = 0.05
    ask = MemoryWire.ask

    async def slow(self: MemoryWire, *given: Any) -> None:
        await asyncio.sleep(delay)
        await ask(self, *given)

    MemoryWire.ask = slow  # type: ignore[method-assign]
    try:
        recorder, took = recorded("threads")
    finally:
        MemoryWire.ask = ask  # type: ignore[method-assign]
    depth: dict[int, int] = {}
    longest = 0
    by_stimulus: dict[str, list[Exchange]] = {}
    for exchange in recorder.history.exchanges:
        before = by_stimulus.setdefault(exchange.stimulus, [])
        depth[exchange.call] = 1 + max((depth[b.call] for b in before if b.before(exchange)), default=0)
        longest = max(longest, depth[exchange.call])
        before.append(exchange)
    row("waiting: times the critical path", took / (longest * delay), 1.5, "×", detail=f"{longest} calls in a chain")


def serving() -> None:
    """The reference over HTTP beside an empty tool on the same SDK: calls a second, one after another."""
    empty = [sys.executable, str(Path(__file__).parent / "empty_server.py")]
    (endpoint, *_) = entry("reference").statement("threads", transport="http")["endpoint"]
    rates = {"reference": [], "empty": []}  # type: dict[str, list[float]]
    for _ in range(3):
        for name, command, tool in (("reference", endpoint["command"], "get_thread"), ("empty", empty, "nothing")):
            rates[name].append(asyncio.run(_rate(command, tool)))
    ratio = statistics.median(rates["reference"]) / statistics.median(rates["empty"])
    row("serving: times an empty tool's calls a second", ratio, 0.8, "×", at_least=True)


async def _rate(command: Sequence[str], tool: str) -> float:
    process = await Process.start(command, {})
    wire = await over_http(process)
    call = _caller(wire, tool)
    for number in range(50):
        await call(number)
    began = time.perf_counter()
    for number in range(400):
        await call(number)
    rate = 400 / (time.perf_counter() - began)
    await wire.close()
    await process.end(1.0, by_signal=True)
    return rate


def _caller(wire: Wire, tool: str) -> Callable[[int], Awaitable[None]]:
    """Makes a call of a tool, by its number."""
    meta = {rev.VERSION_KEY: rev.NEWEST, rev.CAPABILITIES_KEY: {}}
    headers = {
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": rev.NEWEST,
        "mcp-method": "tools/call",
        "mcp-name": tool,
    }
    http = Http(method="POST", path="/mcp", headers=headers)

    async def call(number: int) -> None:
        params = {"name": tool, "arguments": {}, "_meta": meta}
        await asked(wire, number, {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}, http)

    return call


def tapping() -> None:
    """A call through a tap that records it, beside the same call without."""
    for transport, over in (("stdio", _tapped_stdio), ("http", _tapped_http)):
        (endpoint, *_) = entry("reference").statement("threads", transport=transport)["endpoint"]
        plain, tapped = asyncio.run(over(endpoint["command"]))
        detail = f"{(tapped - plain) * 1e6:,.0f} µs on top of {plain * 1e6:,.0f} µs"
        row(f"tapping over {transport}: times a call without", tapped / plain, 2, "×", detail=detail)


async def _in_turns(*wires: Wire) -> tuple[float, float]:
    """Seconds that a call takes, the median, over each of two wires: whatever else the machine does hits both."""
    took: tuple[list[float], list[float]] = ([], [])
    for number in range(600):
        for wire, times in zip(wires, took, strict=True):
            began = time.perf_counter()
            await _caller(wire, "get_thread")(number)
            times.append(time.perf_counter() - began)
    for wire in wires:
        await wire.close()
    return statistics.median(took[0][100:]), statistics.median(took[1][100:])


def _tap(*words: str) -> list[str]:
    return [sys.executable, "-m", "conformance", "tap", "--transcript", os.devnull, *words]


async def _tapped_stdio(command: Sequence[str]) -> tuple[float, float]:
    wires = [
        StdioWire(Start(words, {}), deaf, 8_000_000)
        for words in (list(command), _tap("--server-command", shlex.join(command)))
    ]
    for wire in wires:
        await wire.open()
    return await _in_turns(*wires)


async def _tapped_http(command: Sequence[str]) -> tuple[float, float]:
    server = await Process.start(command, {})
    url = f"{await announced(server, 20)}/mcp"
    tap = await Process.start(_tap("--server-url", url, "--listen", "0"), {})
    here = f"{await announced(tap, 20)}/mcp"
    wires = [HttpWire(at, "mcp", {}, deaf, max_bytes=8_000_000, place=Place(at)) for at in (url, here)]
    for wire in wires:
        await wire.open()
    took = await _in_turns(*wires)
    for process in (tap, server):
        await process.end(3.0, by_signal=True)
    return took
