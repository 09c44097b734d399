"""The numbers to hold, as ratios measured side by side in one run: `make bench` prints them, and writes them down.

Nothing here fails a build: timings are noisy, ratios less so. What misses its mark is marked.
"""

import asyncio
import json
import math
import os
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
from jsonschema import Draft202012Validator
from multiply import multiply

from conformance import collector
from conformance.certify import contract_of
from conformance.drive.library import bench_of, default_role, import_stimuli
from conformance.drive.listening import announced
from conformance.drive.loading import checked
from conformance.drive.patience import Patience
from conformance.drive.place import Place
from conformance.drive.process import Process
from conformance.drive.recorder import Recorder
from conformance.drive.runner import Run, drive
from conformance.drive.start import Start
from conformance.drive.target import entry
from conformance.drive.wire.base import Wire
from conformance.drive.wire.http import HttpWire
from conformance.drive.wire.memory import MemoryWire
from conformance.drive.wire.stdio import StdioWire
from conformance.judge.judge import judge
from conformance.judge.library import import_laws
from conformance.model.chain import Chain
from conformance.model.events import Http, Json
from conformance.model.exchange import Exchange
from conformance.model.history import History

ROUNDS = 5
CONTRACTS = ("threads", "tasks", "tuitbot", "invocation", "mcp")
LARGE = 200_000_000
"""Octets of a transcript that does not fit into what is kept."""
ROWS: list[dict[str, Any]] = []


def row(what: str, value: float, hold: float, unit: str = "", *, at_least: bool = False, detail: str = "") -> None:
    """One number, and whether it holds."""
    ok = value >= hold if at_least else value <= hold
    ROWS.append(
        {"what": what, "value": round(value, 3), "hold": hold, "at_least": at_least, "ok": ok, "detail": detail}
    )
    sign = "at least" if at_least else "at most"
    print(f"{'✓' if ok else '✗'} {what:<52} {value:>10,.2f}{unit}  ({sign} {hold:g}{unit})  {detail}")


def timed(work: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    began = clock()
    work()
    return clock() - began


def recorded(contract: str, transport: str = "in-process") -> tuple[Recorder, float]:
    """A whole run, and how long driving it took."""
    about = contract_of(contract)
    statement = checked(entry("reference").statement(contract, transport=transport), contract)
    run = Run(
        contract=about,
        stimuli=import_stimuli(about),
        benches={about.name: bench_of(about)},
        seed=1,
        started_at="2026-01-01T00:00:00.000Z",
        suite="bench",
        base=Path(),
        default_role=default_role(about, statement),
    )
    recorder = Recorder(about.envelope)
    began = time.perf_counter()
    asyncio.run(drive(statement, run, recorder))
    return recorder, time.perf_counter() - began


def judging() -> None:
    """Recorded traffic, judged again as the command does it; beside it the same lines decoded, each let go at once."""
    collector.seldom()
    for contract in CONTRACTS:
        about = contract_of(contract)
        import_laws(about)
        recorder, _ = recorded(contract)
        decode = msgspec.json.Decoder().decode
        # the least of several rounds: whatever else the machine does only adds to it
        decoding = judging_took = math.inf
        for _ in range(ROUNDS):
            decoding = min(decoding, timed(lambda: deque(map(decode, recorder.lines), 0), time.process_time))
            judging_took = min(judging_took, timed(lambda: judge(recorder.events(), about), time.process_time))
        count = f"{recorder.calls} exchanges, {sum(map(len, recorder.lines)) / 1e6:.1f} MB"
        row(
            f"judging {contract}: exchanges a second",
            recorder.calls / judging_took,
            20_000,
            at_least=True,
            detail=count,
        )
        row(f"judging {contract}: times the cost of decoding", judging_took / decoding, 4, "×")


def checking() -> None:
    """A check of the judge's, beside what a test of one's own would make of each: one call of jsonschema."""
    for contract in CONTRACTS:
        about = contract_of(contract)
        import_laws(about)
        recorder, _ = recorded(contract)
        judged = judge(recorder.events(), about)
        checks = sum(outcome.subjects for outcome in (*judged.outcomes, *judged.foundation))
        pairs = list(_validated(judged.history))
        judging_took = validating = math.inf
        for _ in range(ROUNDS):
            judging_took = min(judging_took, timed(lambda: judge(recorder.events(), about), time.process_time))
            validating = min(
                validating,
                timed(lambda: [validator.is_valid(value) for validator, value in pairs], time.process_time),
            )
        row(
            f"checking {contract}: checks in the time of one by jsonschema",
            (validating / len(pairs)) / (judging_took / checks),
            1,
            "×",
            at_least=True,
            detail=f"{checks} checks at {judging_took / checks * 1e6:.1f} µs; {len(pairs)} by jsonschema at "
            f"{validating / len(pairs) * 1e6:.1f} µs",
        )


def _validated(history: History) -> Iterator[tuple[Draft202012Validator, Json]]:
    """Each call's arguments with its tool's inputSchema, each result with its outputSchema; a validator a schema."""
    listed: dict[str, tuple[Draft202012Validator, Draft202012Validator | None]] = {}
    for tool in (tool for listing in history.listings for tool in listing.tools):
        shown = tool.get("outputSchema")
        output = Draft202012Validator(shown) if shown is not None else None
        listed[tool["name"]] = Draft202012Validator(tool["inputSchema"]), output
    for call in history.calls(*listed):
        asked, answered = listed[call.tool or ""]
        yield asked, call.arguments
        if answered is not None and call.result is not None and "structuredContent" in call.result:
            yield answered, call.result["structuredContent"]


def memory() -> None:
    """The most memory that judging takes, of a run and of one that goes on far beyond what is kept."""
    for contract in CONTRACTS:
        recorder, _ = recorded(contract)
        with tempfile.TemporaryDirectory() as folder:
            small, large = Path(folder) / "small.jsonl", Path(folder) / "large.jsonl"
            chain = Chain()
            small.write_bytes(b"".join(chain.linked(line) + b"\n" for line in recorder.lines))
            multiply(small, large, LARGE)
            for path in (small, large):
                octets = path.stat().st_size / 1e6
                row(f"memory: judging {contract}, {path.stem}", resident(path), 1_000, " MB", detail=f"{octets:.0f} MB")


def resident(path: Path) -> float:
    """The megabytes that a process takes at most which judges a transcript."""
    words = (
        "import sys; from pathlib import Path; from conformance.certify import Options, rejudge;"
        "from conformance.fleet.memory import peak;"
        "from conformance import collector; collector.seldom(); rejudge(Path(sys.argv[1]), Options()); print(peak())"
    )
    said = subprocess.run([sys.executable, "-c", words, str(path)], capture_output=True, check=True, text=True)
    return int(said.stdout) / 1024 / 1024


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
    from conformance.drive import revisions as rev  # noqa: PLC0415 -- beside its only use

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
    return [sys.executable, "-m", "conformance.cli.main", "tap", "--transcript", os.devnull, *words]


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


def starting() -> None:
    """`conformance --help` beside a Python that does nothing."""

    def median(*words: str) -> float:
        times = [timed(lambda: subprocess.run(words, capture_output=True, check=True)) for _ in range(9)]
        return statistics.median(times)

    nothing = median(sys.executable, "-c", "pass")
    told = median(sys.executable, "-m", "conformance.cli.main", "--help")
    row(
        "starting: --help, over 3 × an empty Python + 0.1 s",
        told / (3 * nothing + 0.1),
        1,
        "×",
        detail=f"{told * 1000:.0f} ms",
    )


def proving() -> None:
    """The whole kill matrix of a contract, in seconds."""
    for contract in ("threads", "mcp", "tuitbot", "tasks"):
        words = [
            sys.executable,
            "-m",
            "conformance.cli.main",
            "prove",
            "--contract",
            contract,
            "--output",
            "reports/run",
        ]
        row(f"proving {contract}", timed(lambda: subprocess.run(words, capture_output=True, check=False)), 60, " s")


PARTS = {
    part.__name__: part for part in (starting, judging, checking, memory, waiting, driving, serving, tapping, proving)
}


def main() -> None:
    """All parts, or those named."""
    for name in sys.argv[1:] or PARTS:
        PARTS[name]()
    path = Path("reports/bench.json")
    before = json.loads(path.read_text()) if path.exists() else []
    measured = {each["what"] for each in ROWS}
    rows = [*(each for each in before if each["what"] not in measured), *ROWS]
    path.write_text(json.dumps(sorted(rows, key=lambda each: each["what"]), indent=1) + "\n")


if __name__ == "__main__":
    main()
