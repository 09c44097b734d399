"""The same messages over every transport give the same verdicts."""

import pytest

from conformance.certify import Options, certify
from conformance.drive.loading import checked
from conformance.drive.target import entry
from conformance.report.model import Report

BOUND = {"TH-VER-01", "TH-VER-05", "TH-VER-06", "TH-SRV-04"}
"""Requirements that hold over some transports only."""


def certified(transport: str) -> Report:
    return certify(checked(entry("reference").statement("threads", transport=transport), transport), Options(seed=1))


@pytest.fixture(scope="module")
def in_process() -> Report:
    return certified("in-process")


def test_in_process_every_requirement_passes_with_a_subject(in_process: Report) -> None:
    assert {r.id for r in in_process.requirements if r.verdict != "pass"} == BOUND
    assert all(r.subjects for r in in_process.requirements if r.verdict == "pass")


@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_verdicts_are_equal_over(transport: str, in_process: Report) -> None:
    report = certified(transport)
    expected = {r.id: r.verdict for r in in_process.requirements if r.id not in BOUND}
    assert {r.id: r.verdict for r in report.requirements if r.id not in BOUND} == expected


def test_over_http_both_bindings_are_compared() -> None:
    report = certified("http")
    assert {r.id for r in report.requirements if r.verdict != "pass"} == set()
    assert set(report.target.endpoints) == {"MCP http", "plain HTTP"}
