"""Runs the suite, in a process of its own, at one of these servers, and measures what it took."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SERVER = Path(__file__).parent / "server.py"
MARK = "HOSTILE_CATALOGUE"
LIMITS = {"call_timeout_s": 2.0, "start_timeout_s": 20.0, "run_timeout_s": 35.0, "max_answer_bytes": 8_000_000}


@dataclass(frozen=True)
class Ran:
    """What a run came to."""

    exit_code: int
    seconds: float
    megabytes: float
    """The most memory that the suite's process had."""
    stdout: str
    stderr: str
    report: Mapping[str, Any] | None
    """As JSON; None where none was written."""
    left: tuple[str, ...]
    """Commands of processes that were left behind."""

    @property
    def found(self) -> set[str]:
        """The requirements that failed or warned."""
        return self.with_verdict("fail", "warn")

    def with_verdict(self, *verdicts: str) -> set[str]:
        """The requirements with one of these."""
        return {r["id"] for r in self.report["requirements"] if r["verdict"] in verdicts} if self.report else set()


def ran(folder: Path, behaviour: str, transport: str) -> Ran:
    """One run, its report and transcript in this folder."""
    command = [sys.executable, str(SERVER), behaviour, transport]
    endpoint = [f"transport = {json.dumps(transport)}", f"command = {json.dumps(command)}"]
    if transport == "http":
        endpoint.append('url = "{listening}/mcp"')
    rows = [f"{name} = {value}" for name, value in LIMITS.items()]
    text = ['contract = "mcp"', "[[endpoint]]", *endpoint, "[limits]", *rows]
    (folder / "conformance.toml").write_text("\n".join(text) + "\n")
    words = ["--seed", "1", "--output", "report.json", "--output", "report.html", "--transcript", "run.jsonl"]
    environment = {**os.environ, MARK: str(folder), "COLUMNS": "160"}
    began = time.monotonic()
    with (folder / "stdout").open("wb") as stdout, (folder / "stderr").open("wb") as stderr:
        process = subprocess.Popen(
            [sys.executable, "-m", "conformance.cli.main", "run", *words],
            cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr,
        )  # fmt: skip
        most = 0.0
        while process.poll() is None:
            most = max(most, _megabytes(process.pid))
            time.sleep(0.05)
    seconds = time.monotonic() - began
    path = folder / "report.json"
    return Ran(
        exit_code=process.returncode,
        seconds=seconds,
        megabytes=most,
        stdout=(folder / "stdout").read_bytes().decode(),
        stderr=(folder / "stderr").read_bytes().decode(),
        report=json.loads(path.read_bytes()) if path.exists() else None,
        left=tuple(_left(f"{MARK}={folder}".encode())),
    )


def _megabytes(pid: int) -> float:
    """The most memory that a process had so far; what its children have is not counted."""
    try:
        lines = (Path("/proc") / str(pid) / "status").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM:")), 0.0)


def _left(mark: bytes) -> list[str]:
    """What still runs with the mark in its environment."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if mark in (process / "environ").read_bytes().split(b"\0"):
                found.append((process / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace"))
        except OSError:
            continue
    return found
