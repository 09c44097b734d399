"""Schemas of a server under test may take for ever, lead elsewhere and mean nothing: the run ends, and says so."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from conformance.certify import Options, certify, rejudge
from conformance.drive.loading import checked
from conformance.model import transcript
from conformance.model.events import Stimulus
from tests.offline import listening

SERVER = Path(__file__).parent / "hostile" / "schemas_server.py"
LEFT_OUT = {"endless", "tower", "arrays", "numbers", "file", "far", "no_url", "deep"}
"""Tools for whose schema no arguments can be made."""


def test_every_tool_is_called_or_it_is_said_why_not(tmp_path: Path) -> None:
    with listening() as (port, heard):
        statement = {
            "contract": "mcp",
            "endpoint": [{"transport": "stdio", "command": [sys.executable, str(SERVER), str(port)]}],
            "calls": {"harmless": "all"},
            "limits": {"run_timeout_s": 300, "start_timeout_s": 60},
        }
        report = certify(checked(statement, "a test"), Options(seed=1, transcript=tmp_path / "run.jsonl"))
        again = rejudge(tmp_path / "run.jsonl", Options())
    assert heard == []
    assert report.complete
    assert {r.id: r.reason for r in report.requirements if r.verdict == "error"} == {}
    verdicts = {r.id: r.verdict for r in report.requirements}
    assert verdicts["MC-CALL-01"] == "fail"
    said = " ".join(f.saw for r in report.requirements if r.id == "MC-CALL-01" for f in r.findings)
    assert "does not match '^(a+)+$'" in said
    assert "5 is not of type 'string'" in said
    assert "FETCHED" not in said
    assert {r.id: r.verdict for r in again.requirements} == verdicts
    noted = [e.why for e in transcript.read(tmp_path / "run.jsonl") if isinstance(e, Stimulus) and e.state == "skipped"]
    told = {
        why.partition(" was not called: ")[0] for why in noted if "no arguments could be made for its schema" in why
    }
    assert told == LEFT_OUT


@pytest.mark.parametrize("after_s", [0.2])
def test_a_run_is_interrupted_while_arguments_are_made(after_s: float, tmp_path: Path) -> None:
    """It ends at once, with a report: the transcript of a run that was interrupted."""
    path = tmp_path / "run.jsonl"
    command = ["run", "--server-command", f"{sys.executable} {SERVER}", "--transcript", str(path)]
    process = subprocess.Popen(
        [sys.executable, "-m", "conformance.cli.main", *command],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    until = time.monotonic() + 60
    while time.monotonic() < until and (not path.exists() or b'"tools"' not in path.read_bytes()):
        time.sleep(0.1)
    time.sleep(after_s)
    process.send_signal(signal.SIGINT)
    began = time.monotonic()
    _, said = process.communicate(timeout=60)
    assert time.monotonic() - began < 30
    assert "Traceback" not in said
    footer = json.loads(path.read_text().splitlines()[-1])
    assert (footer["event"], footer.get("reason")) == ("footer", "interrupted")
    assert process.returncode in (1, 3)
