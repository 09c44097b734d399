"""The official suite and ours on the same servers, side by side: `make peers` writes reports/peers.md.

Each suite gets a server of its own, started anew, and is timed from its command's start to its end. What differs is
explained in differences.toml; what nobody has explained yet is marked. SERVERS names a folder in which servers were
installed before.
"""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import pytest

from conformance.drive.listening import accepting
from conformance.drive.masking import Masking
from conformance.drive.process import Process
from conformance.drive.start import Starts
from conformance.drive.statement import Endpoint
from conformance.drive.workspace import Workspace
from tests.e2e import examples
from tests.e2e.examples import Example
from tests.e2e.registries import installed

OFFICIAL = "@modelcontextprotocol/conformance@0.1.16"
NODE = "node@22.23.3"
"""The official suite wants Node 22; what is here may be older."""
REPORT = Path("reports/peers.md")
RUN_S = 600
REFERENCE = [sys.executable, "-m", "reference_server", "tasks", "--transport", "http", "--port", "{port}"]
T = TypeVar("T")
INTRODUCTION = f"""\
# The official suite and ours, side by side

Written by `make peers`. Official: `{OFFICIAL}`, `server --suite all`. Ours:
`conformance run --server-url …`, contract mcp, all tools harmless (of the TypeScript server's the five that end soon).
Both over streamable HTTP, each with a server started for it. Seconds are those of the whole command, and vary with the
machine.

Checks of the official suite that need a tool, resource or prompt of a given name, or a capability, that the server does
not offer are counted as *not offered*: they say nothing about the server. A finding is a check of the official suite,
or a requirement of ours, that is broken; *both*: the same breach, found by either.

"""
UNTOLD = "**not explained yet**"
SERVERS: dict[str, Callable[[Path], Example]] = {
    "reference": lambda _: Example(REFERENCE, "http://127.0.0.1:{port}/mcp"),
    "TypeScript SDK": lambda folder: examples.typescript(folder)[1],
    "Python SDK 1.30.0": lambda folder: examples.python(folder, "1.30.0")[1],
    "Python SDK 2.3.0": lambda folder: examples.python(folder, "2.3.0")[1],
    "Go SDK": lambda folder: examples.go(folder)[1],
    "Rust SDK": lambda folder: examples.rust(folder)[1],
}


@dataclass(frozen=True, slots=True)
class Finding:
    """What a suite holds against a server."""

    id: str
    saw: str


@dataclass(frozen=True, slots=True)
class Run:
    """What a suite found, in how long."""

    checks: int
    seconds: float
    findings: tuple[Finding, ...]
    wanting: int = 0
    """Checks that failed since the server does not offer what they are about."""


@dataclass(frozen=True, slots=True)
class Beside:
    """Both suites on one server."""

    server: str
    theirs: Run
    ours: Run


def main() -> None:
    """All servers, or those named."""
    data = tomllib.loads((Path(__file__).parent / "differences.toml").read_text("utf-8"))
    with tempfile.TemporaryDirectory() as temporary:
        base = Path(os.environ.get("SERVERS") or temporary)
        official = _official(base / "official")
        found = list(_all(sys.argv[1:] or list(SERVERS), base, official, data["needs"]))
    REPORT.write_text("".join(f"{line}\n" for line in told(found, data["same"], data["said"])), "utf-8")
    print(f"{REPORT}: {len(found)} servers")


def _all(names: list[str], base: Path, official: list[str], needs: dict[str, str]) -> Iterator[Beside]:
    for name in names:
        folder = base / name.replace(" ", "-")
        folder.mkdir(parents=True, exist_ok=True)
        try:
            example = SERVERS[name](folder)
        except pytest.skip.Exception as error:
            print(f"{name}: left out, {error}")
            continue
        with tempfile.TemporaryDirectory() as kept:
            here = Path(kept)
            ours, transcript = asyncio.run(_served(example, partial(_ours, here, example.harmless)))
            theirs = asyncio.run(_served(example, partial(_theirs, here, official)))
        yield Beside(name, _judged(theirs, transcript, needs), ours)
        print(f"{name}: official {theirs[1]:.1f} s, ours {ours.seconds:.1f} s")


def _official(folder: Path) -> list[str]:
    folder.mkdir(parents=True, exist_ok=True)
    installed(["npm", "install", "--silent", "--prefix", str(folder), OFFICIAL, NODE], OFFICIAL)
    modules = folder / "node_modules"
    return [str(modules / ".bin" / "node"), str(modules / "@modelcontextprotocol/conformance/dist/index.js"), "server"]


async def _served(example: Example, work: Callable[[str], T]) -> T:
    """What a suite makes of a server that is started for it, and ended after it."""
    files = Workspace()
    starts = Starts({}, Masking(), files)
    start = starts.of(
        Endpoint(transport="http", command=tuple(example.command), url=example.url, env=dict(example.env)), {}
    )
    url = example.url.replace("{port}", str(start.port))
    process = await Process.start(start.command, start.env)
    try:
        await accepting(process, url, 60)
        return await asyncio.to_thread(work, url)
    finally:
        await process.end(1.0, by_signal=True)
        starts.close()


def _timed(words: list[str], cwd: Path | None = None) -> float:
    began = time.perf_counter()
    subprocess.run(words, capture_output=True, check=False, timeout=RUN_S, cwd=cwd)
    return time.perf_counter() - began


def _ours(folder: Path, harmless: str | list[str], url: str) -> tuple[Run, str]:
    """Our run, and its transcript."""
    output, transcript = folder / "ours.json", folder / "ours.jsonl"
    words = [
        sys.executable,
        "-m",
        "conformance.cli.main",
        "run",
        "--server-url",
        url,
        "--harmless",
        harmless if isinstance(harmless, str) else ",".join(harmless),
    ]
    seconds = _timed([*words, "--seed", "1", "--output", str(output), "--transcript", str(transcript)])
    report = json.loads(output.read_text("utf-8"))
    findings = tuple(Finding(root["requirement"], root["saw"]) for root in report["roots"])
    return Run(report["judged"], seconds, findings), transcript.read_text("utf-8")


def _theirs(folder: Path, official: list[str], url: str) -> tuple[list[tuple[str, dict[str, Any]]], float]:
    """The checks of the official suite, each with its scenario, and how long they took."""
    seconds = _timed([*official, "--url", url, "--suite", "all", "--output-dir", str(folder / "official")])
    checks = []
    for path in sorted((folder / "official").glob("server-*/checks.json")):
        scenario = path.parent.name.removeprefix("server-").rsplit("-", 6)[0]
        checks += [(scenario, check) for check in json.loads(path.read_text("utf-8"))]
    return checks, seconds


def _judged(found: tuple[list[tuple[str, dict[str, Any]]], float], transcript: str, needs: dict[str, str]) -> Run:
    """The official run. A check of what the server does not offer, as our transcript shows, is no finding."""
    checks = [(scenario, check) for scenario, check in found[0] if check["status"] in ("SUCCESS", "FAILURE", "WARNING")]
    failed = [(scenario, check) for scenario, check in checks if check["status"] != "SUCCESS"]
    wanting = [(scenario, check) for scenario, check in failed if needs.get(scenario, "") not in transcript]
    findings = tuple(
        Finding(f"{scenario}: {check['id']}", check.get("errorMessage") or check["description"])
        for scenario, check in failed
        if (scenario, check) not in wanting
    )
    return Run(len(checks), found[1], findings, len(wanting))


def told(found: list[Beside], same: dict[str, str], said: dict[str, dict[str, str]]) -> Iterator[str]:
    """The report's lines. `same`: which requirement of ours a check of theirs is about. `said`: what each means."""
    yield from INTRODUCTION.splitlines()
    yield "| server | official: checks | not offered | seconds | findings | ours: checks | seconds | findings | both |"
    yield "|---|--:|--:|--:|--:|--:|--:|--:|--:|"
    for each in found:
        theirs, ours = each.theirs, each.ours
        both = {same.get(finding.id) for finding in theirs.findings} & {finding.id for finding in ours.findings}
        yield (
            f"| {each.server} | {theirs.checks:,} | {theirs.wanting} | {theirs.seconds:.1f} | {len(theirs.findings)} "
            f"| {ours.checks:,} | {ours.seconds:.1f} | {len(ours.findings)} | {len(both)} |"
        )
    for each in found:
        yield from _differences(each, same, said)


def _differences(each: Beside, same: dict[str, str], said: dict[str, dict[str, str]]) -> Iterator[str]:
    theirs = {same.get(finding.id, ""): finding for finding in each.theirs.findings}
    here = {finding.id for finding in each.ours.findings}
    explained = {**said.get("any", {}), **said.get(each.server, {})}
    parts = (
        ("Both", [finding for finding in each.ours.findings if finding.id in theirs]),
        ("Only the official suite", [f for f in each.theirs.findings if same.get(f.id, "") not in here]),
        ("Only ours", [finding for finding in each.ours.findings if finding.id not in theirs]),
    )
    if not any(findings for _, findings in parts):
        return
    yield ""
    yield f"## {each.server}"
    for heading, findings in parts:
        if findings:
            yield ""
            yield f"{heading}:"
            yield ""
        for finding in findings:
            why = "" if heading == "Both" else explained.get(finding.id, UNTOLD)
            yield f"- `{finding.id}` {_short(finding.saw)}{f' — {why}' if why else ''}"


def _short(text: str) -> str:
    line = " ".join(text.split()).replace("|", "\\|")
    return line if len(line) <= 200 else f"{line[:199]}…"


if __name__ == "__main__":
    main()
