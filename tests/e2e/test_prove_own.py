"""conformance prove at a server of one's own: each promise is broken on the wire, over stdio and in process alike."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CONTRACT, REAL, SERVER = "fixtures/notes/contract", "fixtures/notes/server.py", "tests/e2e/servers/keeps_notes.py"
"""The server without an SDK starts in a tenth of the time."""
COMMAND = [sys.executable, "-m", "conformance.cli.main", "prove"]


def proved(*words: str, server: str = f"{sys.executable} {SERVER}") -> subprocess.CompletedProcess[str]:
    contract = [] if "--contract" in words else ["--contract", CONTRACT]
    return subprocess.run(
        [*COMMAND, *contract, "--server-command", server, *words],
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )


def test_breaches_of_promises_are_noticed(tmp_path: Path) -> None:
    file = tmp_path / "matrix.json"
    told = proved("--only", "NOTE-RETRY,NOTE-KEY", "--output", str(file), server=f"{sys.executable} {REAL}")
    assert told.returncode == 0, told.stdout + told.stderr
    assert "2 of 2 promises proved" in told.stdout
    rows = json.loads(file.read_text())["rows"]
    assert {(row["requirement"], row["outcome"]) for row in rows} == {
        ("NOTE-RETRY", "noticed"),
        ("NOTE-KEY", "noticed"),
    }
    assert all(row["acted"] for row in rows)


def test_each_promise_of_a_requirement_is_broken_by_itself(tmp_path: Path) -> None:
    folder, file = tmp_path / "contract", tmp_path / "matrix.json"
    shutil.copytree(CONTRACT, folder)
    rows = (folder / "requirements.toml").read_text("utf-8").splitlines()
    both = [row.partition("promise = ")[2].removesuffix(" },") for row in rows if '"NOTE-KEY' in row]
    rows = [f'{{ id = "NOTE-KEY", promise = [{", ".join(both)}] }},' if '"NOTE-KEY"' in row else row for row in rows]
    (folder / "requirements.toml").write_text("\n".join(row for row in rows if '"NOTE-KEY-REUSED"' not in row))
    told = proved("--contract", str(folder), "--only", "NOTE-KEY", "--output", str(file))
    assert told.returncode == 0, told.stdout + told.stderr
    assert "2 of 2 promises proved" in told.stdout
    found = {(row["requirement"], row["promise"], row["outcome"]) for row in json.loads(file.read_text())["rows"]}
    assert found == {("NOTE-KEY", "NOTE-KEY/1", "noticed"), ("NOTE-KEY", "NOTE-KEY/2", "noticed")}


def test_a_requirement_that_does_not_pass_unbroken_is_left_out() -> None:
    told = proved("--only", "NOTE-RETRY", server=f"{sys.executable} {SERVER} --break retryable")
    assert told.returncode == 1
    assert "left out: NOTE-RETRY: it does not pass at the server as it is: fail" in told.stdout
    assert "0 of 0 promises proved" in told.stdout


def test_changes_are_chosen_by_their_words() -> None:
    told = proved("--only", "NOTE-RETRY,NOTE-KEY", "--breakage", "*forgotten*")
    assert told.returncode == 0, told.stdout + told.stderr
    assert "notes: 1 breakages: 1 noticed" in told.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--breakage", "nonsense"], "no change on the wire is worded 'nonsense'"),
        (["--trial", "mutants"], "a server of your own is broken on the wire alone (--trial)"),
        (["--contract", CONTRACT, "--contract", "threads"], "a server is proved by one contract"),
        (["--output", "/proc/nowhere/matrix.json", "--only", "NOTE-TOOLS"], "cannot be written"),
    ],
)
def test_what_cannot_be_done_is_said(words: list[str], said: str) -> None:
    told = proved(*words)
    assert told.returncode == 2
    assert said in told.stderr
    assert "Traceback" not in told.stderr
