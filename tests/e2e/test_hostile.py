"""A server under test may hang, die, flood and lie: each ends as a finding in time, and nothing is lost."""

import sys
import time
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from conformance.certify import Options, certify, rejudge
from conformance.drive.loading import checked
from conformance.report.model import Report
from conformance.report.writers import write

SERVER = Path(__file__).parent / "hostile" / "stdio_server.py"
CALL_S = 1.0
RUN_S = 40.0


def judged(mode: str, transcript: Path | None = None) -> Report:
    statement = {
        "contract": "mcp",
        "endpoint": [{"transport": "stdio", "command": [sys.executable, str(SERVER), mode]}],
        "limits": {"call_timeout_s": CALL_S, "run_timeout_s": RUN_S, "max_answer_bytes": 2_000_000},
    }
    return certify(checked(statement, mode), Options(seed=1, transcript=transcript))


def verdicts(report: Report) -> dict[str, str]:
    return {r.id: str(r.verdict) for r in report.requirements}


@pytest.mark.parametrize(
    ("mode", "requirement", "verdict"),
    [
        ("refuses", "MC-LIST-01", "fail"),
        ("mute-list", "MC-RPC-01", "fail"),
        ("hangs", "MC-CALL-10", "warn"),
        ("dies", "MC-RPC-01", "fail"),
        ("garbage", "MC-RPC-07", "fail"),
        ("floods", "MC-RPC-01", "fail"),
        ("uninvited", "MC-RPC-01", "fail"),
        ("twice", "MC-RPC-01", "fail"),
        ("deep", "MC-RPC-01", "fail"),
        ("stubborn", "MC-RPC-08", "warn"),
    ],
)
def test_misbehaviour_is_a_finding(mode: str, requirement: str, verdict: str, tmp_path: Path) -> None:
    began = time.monotonic()
    report = judged(mode, tmp_path / "run.jsonl")
    assert verdicts(report)[requirement] == verdict
    assert "error" not in verdicts(report).values(), [r.reason for r in report.requirements if r.verdict == "error"]
    assert sum(report.totals.values()) == len(report.requirements)
    assert time.monotonic() - began < RUN_S + 15
    again = rejudge(tmp_path / "run.jsonl", Options())
    assert verdicts(again) == verdicts(report)


def test_a_refused_handshake_is_one_finding() -> None:
    report = judged("refuses")
    assert [identifier for identifier, verdict in verdicts(report).items() if verdict == "fail"] == ["MC-LIST-01"]
    assert all(r.blocked_by == "MC-LIST-01" for r in report.requirements if r.verdict == "blocked")
    assert report.totals["blocked"] > 10


def test_thousands_of_tools_are_listed_and_judged() -> None:
    report = judged("thousands")
    assert verdicts(report)["MC-LIST-02"] == "pass"
    assert report.complete


def test_what_a_server_sends_is_shown_and_not_obeyed(tmp_path: Path) -> None:
    """Control characters, HTML, Markdown and workflow commands reach no terminal, page or summary as such."""
    report = judged("control")
    assert verdicts(report)["MC-LIST-03"] == "warn"
    for form, suffix in (("terminal", "txt"), ("junit", "xml"), ("markdown", "md"), ("html", "html"), ("json", "json")):
        path = tmp_path / f"report.{suffix}"
        write(report, form, path)
        text = path.read_bytes()
        assert b"\x1b]0;owned" not in text
        assert b"\x1b[2J" not in text
        assert b"\x00" not in text
        assert b"\n::error::" not in text
        if form in ("html", "markdown"):
            page = MarkdownIt().enable("table").render(text.decode()) if form == "markdown" else text.decode()
            assert "<script>alert(1)" not in page
            assert "\u202e" not in page
