"""Servers of others, from their registries: how they are installed, and what every run of one has to be."""

import subprocess
from pathlib import Path

import pytest

from conformance.report.model import Report

INSTALL_S = 600


def installed(words: list[str], what: str, cwd: Path | None = None) -> None:
    """Runs an installer; the test is skipped where it cannot, or takes too long."""
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=INSTALL_S, check=False, cwd=cwd)
    except (OSError, subprocess.TimeoutExpired) as error:
        pytest.skip(f"{what} cannot be installed here: {error}")
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines()[-1:]
        pytest.skip(f"{what} cannot be installed here: {' '.join(said)}")


def honest(report: Report) -> None:
    """The run is whole, every requirement has a verdict with its reason, and every finding can be looked up."""
    assert report.complete, report.reason
    assert sum(report.totals.values()) == len(report.requirements)
    assert report.totals["error"] == 0, [r.reason for r in report.requirements if r.verdict == "error"]
    assert all(r.subjects for r in report.requirements if r.verdict == "pass")
    assert all(r.reason for r in report.requirements if r.verdict in ("not_observed", "not_applicable"))
    shown = {call.call for call in report.evidence}
    for root in report.roots:
        assert root.saw
        assert set(root.calls) <= shown
    always = {"MC-RPC-01", "MC-RPC-07", "MC-LIST-01", "MC-LIST-04", "MC-CALL-09"}
    # what another finding explains is that finding's matter
    assert verdicts(report, "pass") >= always - verdicts(report, "not_applicable", "blocked")


def verdicts(report: Report, *wanted: str) -> set[str]:
    """The requirements with one of these verdicts."""
    return {r.id for r in report.requirements if r.verdict in wanted}
