"""Drives one of the little servers in servers/, and gives what was recorded beside the report."""

import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from conformance.certify import Options, certify
from conformance.drive.loading import checked
from conformance.model import transcript
from conformance.model.history import History
from conformance.report.model import Report

SERVERS = Path(__file__).parent / "servers"
LIMITS = {"call_timeout_s": 4.0, "start_timeout_s": 20.0, "run_timeout_s": 90.0}


@dataclass(frozen=True)
class Driven:
    """A run."""

    report: Report
    history: History
    seconds: float
    octets: int

    def verdicts(self, *wanted: str) -> set[str]:
        """The requirements with one of these verdicts."""
        return {r.id for r in self.report.requirements if r.verdict in wanted}

    def found(self) -> set[str]:
        """What was found: failures and warnings. An error of the suite's own is never expected."""
        assert not self.verdicts("error"), [r.reason for r in self.report.requirements if r.verdict == "error"]
        return self.verdicts("fail", "warn")

    def saw(self, requirement: str) -> str:
        """What the first finding of a requirement says."""
        return next(r.findings[0].saw for r in self.report.requirements if r.id == requirement)

    def sent(self, method: str) -> list[dict[str, Any]]:
        """The messages of this method that were sent beside the calls."""
        payloads = [aside.sent.payload for aside in self.history.asides.values()]
        return [each for each in payloads if isinstance(each, dict) and each.get("method") == method]


def command(server: str, *words: str) -> list[str]:
    """What starts a server."""
    return [sys.executable, str(SERVERS / f"{server}.py"), *words]


def driven(
    tmp_path: Path,
    endpoint: Mapping[str, Any],
    *,
    only: Sequence[str] = (),
    limits: Mapping[str, float] | None = None,
    **statement: Any,
) -> Driven:
    """Runs the suite against an endpoint."""
    path = tmp_path / "run.jsonl"
    data = {"contract": "mcp", "endpoint": [dict(endpoint)], "limits": {**LIMITS, **(limits or {})}, **statement}
    began = time.monotonic()
    report = certify(checked(data, "a little server"), Options(seed=1, transcript=path, only=only))
    seconds = time.monotonic() - began
    return Driven(report, History.of(transcript.read(path)), seconds, path.stat().st_size)


def over_stdio(tmp_path: Path, server: str, *words: str, **how: Any) -> Driven:
    """Runs it against a server on stdin and stdout."""
    return driven(tmp_path, {"transport": "stdio", "command": command(server, *words)}, **how)


def over_http(tmp_path: Path, server: str, *words: str, url: str = "{listening}/mcp", **how: Any) -> Driven:
    """Runs it against a server that the suite starts behind HTTP."""
    return driven(tmp_path, {"transport": "http", "command": command(server, *words), "url": url}, **how)
