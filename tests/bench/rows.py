"""What is measured: rows with a mark to hold, and whole runs of the reference to measure."""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from conformance.certify import contract_of
from conformance.drive.library import bench_of, default_role, import_stimuli
from conformance.drive.loading import checked
from conformance.drive.recorder import Recorder
from conformance.drive.runner import Run, drive
from conformance.drive.target import entry

CONTRACTS = ("threads", "tasks", "tuitbot", "invocation", "mcp")
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
