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
    assert main(["judge", RECORDED, RECORDED, "--judging-time", "0"]) == 2
    assert "--judging-time" in capsys.readouterr().err


def test_each_of_several_files_has_that_time(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code = main(["judge", RECORDED, "--into", str(tmp_path), "--judging-time", "0.000001", "--only", "TH-IDEM-01"])
    row = json.loads((tmp_path / "results.jsonl").read_text("utf-8").splitlines()[-1])
    report = json.loads((tmp_path / row["report"]).read_text("utf-8"))
    assert code == 3, capsys.readouterr()
    assert [each["verdict"] for each in report["requirements"]] == ["not_observed"]


@pytest.mark.parametrize("option", ["--output", "--format", "--baseline"])
def test_an_option_for_one_file_is_named(option: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    value = "json" if option == "--format" else str(tmp_path / "report.json")
    assert main(["judge", RECORDED, RECORDED, option, value]) == 2
    assert f"{option} is for one file" in capsys.readouterr().err
