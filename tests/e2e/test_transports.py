"""The same messages over every transport give the same verdicts."""

import pytest

from conformance.certify import Options, certify, rejudge
from conformance.drive.loading import checked
from conformance.drive.target import entry
from conformance.report.model import Report
from tests.recordings import Recorded

BOUND = {"TH-VER-01", "TH-VER-05", "TH-VER-06", "TH-SRV-04"}
"""Requirements that hold over some transports only."""


def certified(transport: str) -> Report:
    return certify(checked(entry("reference").statement("threads", transport=transport), transport), Options(seed=1))


@pytest.fixture(scope="module")
def in_process(recorded: Recorded) -> Report:
    return rejudge(recorded("threads"), Options())


def test_in_process_every_requirement_passes_with_a_subject(in_process: Report) -> None:
    assert {r.id for r in in_process.requirements if r.verdict != "pass"} == BOUND
    assert all(r.subjects for r in in_process.requirements if r.verdict == "pass")


def verdicts(report: Report) -> dict[str, str]:
    return {r.id: r.verdict for r in report.requirements if r.id not in BOUND}


def test_verdicts_are_equal_over_stdio(in_process: Report) -> None:
    assert verdicts(certified("stdio")) == verdicts(in_process)


def test_verdicts_are_equal_over_http_and_both_bindings_are_compared(in_process: Report) -> None:
    report = certified("http")
    assert verdicts(report) == verdicts(in_process)
    assert {r.id for r in report.requirements if r.verdict != "pass"} == set()
    assert set(report.target.endpoints) == {"MCP http", "plain HTTP"}
