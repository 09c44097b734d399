"""Servers of others, which no contract knows: a run is whole and honest, and what it blames them for is theirs.

Versions are pinned, so that every finding could be looked at by hand. PUBLIC_SERVERS names a folder with the commands,
for machines without a package registry; else they are installed, for the time of the test, from PyPI and npm.
"""

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from conformance.certify import Options, certify, rejudge
from conformance.drive.loading import checked
from conformance.report.model import Report
from tests.e2e.registries import honest, installed, verdicts

pytestmark = pytest.mark.slow

GIVEN = "PUBLIC_SERVERS"
PYPI = ("mcp-server-time==2026.10.19", "mcp-server-git==2026.10.19")
NPM = ("@modelcontextprotocol/server-memory@2026.8.31",)

Find = Callable[[str], str]


def given(name: str) -> str | None:
    folder = os.environ.get(GIVEN)
    if folder is None:
        return None
    found = shutil.which(name, path=folder)
    if found is None:
        pytest.skip(f"{GIVEN} is {folder}, and has no {name}")
    return found


@pytest.fixture(scope="session")
def of_pypi(tmp_path_factory: pytest.TempPathFactory) -> Find:
    place: list[Path] = []

    def find(name: str) -> str:
        command = given(name)
        if command is not None:
            return command
        if not place:
            folder = tmp_path_factory.mktemp("pypi")
            installed([sys.executable, "-m", "venv", str(folder)], "a virtual environment")
            installed([str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", *PYPI], " and ".join(PYPI))
            place.append(folder / "bin")
        return str(place[0] / name)

    return find


@pytest.fixture(scope="session")
def of_npm(tmp_path_factory: pytest.TempPathFactory) -> Find:
    place: list[Path] = []

    def find(name: str) -> str:
        command = given(name)
        if command is not None:
            return command
        if not place:
            folder = tmp_path_factory.mktemp("npm")
            installed(["npm", "install", "--silent", "--prefix", str(folder), *NPM], " and ".join(NPM))
            place.append(folder / "node_modules" / ".bin")
        return str(place[0] / name)

    return find


def certified(command: list[str], calls: dict[str, Any]) -> Report:
    document = {
        "contract": "mcp",
        "endpoint": [{"transport": "stdio", "command": command}],
        "calls": calls,
        "limits": {"start_timeout_s": 60},
    }
    return certify(checked(document, "public server"), Options(seed=1))


def test_the_time_server(of_pypi: Find) -> None:
    examples = [
        {"tool": "get_current_time", "arguments": {"timezone": "UTC"}},
        {
            "tool": "convert_time",
            "arguments": {"source_timezone": "UTC", "time": "12:00", "target_timezone": "Asia/Tokyo"},
        },
    ]
    report = certified([of_pypi("mcp-server-time")], {"examples": examples})
    honest(report)
    assert report.conformant
    assert verdicts(report, "fail", "warn") <= {"MC-RPC-08"}, "a slow machine may see the process linger"
    assert "MC-HINT-02" in verdicts(report, "pass"), "a clock that ticks is no change that a read made"


def test_the_git_server(of_pypi: Find, tmp_path: Path) -> None:
    for words in (
        ["init", "-q"],
        ["-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "--allow-empty", "-m", "x"],
    ):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    where = {"repo_path": str(tmp_path)}
    examples = [{"tool": name, "arguments": where} for name in ("git_status", "git_log", "git_diff_unstaged")]
    report = certified([of_pypi("mcp-server-git"), "--repository", str(tmp_path)], {"examples": examples})
    honest(report)
    assert verdicts(report, "fail") == set()
    # max_count "1" is taken for 1, though its inputSchema says integer.
    assert "MC-CALL-05" in verdicts(report, "warn")


def test_the_memory_server_before_a_tap_and_the_sdks_client(of_npm: Find, tmp_path: Path) -> None:
    file = tmp_path / "tap.jsonl"
    words = ["-m", "conformance.cli.main", "tap", "--server-command", of_npm("mcp-server-memory"), "--transcript"]
    env = {**os.environ, "MEMORY_FILE_PATH": f"{tmp_path}/memory.jsonl"}
    server = StdioServerParameters(command=sys.executable, args=[*words, str(file)], env=env)

    async def used() -> None:
        async with Client(server) as client:
            await client.list_tools()
            entity = {"name": "a", "entityType": "t", "observations": ["o"]}
            await client.call_tool("create_entities", {"entities": [entity]})
            read = await client.call_tool("read_graph", {})
            assert read.structured_content == {"entities": [entity], "relations": []}

    asyncio.run(used())
    report = rejudge(file, Options())
    assert report.complete
    assert {use.name: use.accepted for use in report.tools if use.called} == {"create_entities": 1, "read_graph": 1}
    assert not verdicts(report, "fail")


def test_the_memory_server(of_npm: Find, tmp_path: Path) -> None:
    examples = [
        {
            "tool": "create_entities",
            "arguments": {"entities": [{"name": "a", "entityType": "t", "observations": ["o"]}]},
        },
        {"tool": "read_graph", "arguments": {}},
    ]
    report = certified(
        ["env", f"MEMORY_FILE_PATH={tmp_path}/memory.jsonl", of_npm("mcp-server-memory")],
        {"harmless": "all", "examples": examples},
    )
    honest(report)
    # Its text blocks hold the entities alone, structuredContent an object around them; an unknown tool is isError.
    assert verdicts(report, "warn") >= {"MC-CALL-02", "MC-CALL-03"}
    assert not verdicts(report, "fail")
    assert verdicts(report, "not_applicable") >= {"MC-RPC-03", "MC-RPC-04", "MC-LIST-09"}, (
        "it agrees on a revision by a handshake"
    )
