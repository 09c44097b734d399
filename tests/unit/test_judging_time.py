"""How long judging a file may take is the user's to say: what is left then is not observed, and never passes."""

import json
from pathlib import Path

import pytest

from conformance.cli.main import main

RECORDED = str(Path(__file__).parents[2] / "fixtures" / "transcripts" / "threads-idempotency.jsonl")


def test_what_is_not_judged_in_time_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["judge", RECORDED, "--judging-time", "0.000001", "--format", "json"])
    report = json.loads(capsys.readouterr().out)
    assert code == 3
    assert report["totals"]["pass"] == 0
    assert "judging took longer than" in report["requirements"][0]["reason"]


def test_no_time_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["judge", RECORDED, "--judging-time", "0"]) == 2
    assert "--judging-time" in capsys.readouterr().err
    assert main(["judge", RECORDED, RECORDED + "l", "--judging-time", "5"]) == 2
    assert "an option for one file stands beside several" in capsys.readouterr().err
