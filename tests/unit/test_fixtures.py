"""Recorded runs and their verdicts, committed: what was judged once is judged so again."""

import json
from pathlib import Path

import pytest

from conformance.certify import Options, rejudge
from conformance.drive.loading import load

FIXTURES = Path(__file__).parents[2] / "fixtures"


@pytest.mark.parametrize("path", sorted((FIXTURES / "transcripts").glob("*.jsonl")), ids=lambda path: path.stem)
def test_a_recorded_run_keeps_its_verdicts(path: Path) -> None:
    expected = json.loads(path.with_suffix(".verdicts.json").read_text())
    report = rejudge(path, Options(only=[",".join(expected)]))
    assert {r.id: r.verdict.value for r in report.requirements} == expected


@pytest.mark.parametrize("path", sorted((FIXTURES / "conformance").glob("*.toml")), ids=lambda path: path.stem)
def test_an_example_statement_is_one(path: Path) -> None:
    assert load(path).endpoint
