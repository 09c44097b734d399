"""When annotations are printed: where GitHub runs the suite, or as asked; never within a report that is printed."""

import json
from pathlib import Path

import pytest

from conformance.cli.main import main

RECORDED = min((Path(__file__).parents[2] / "fixtures" / "transcripts").glob("*.jsonl"))


@pytest.mark.parametrize(
    ("actions", "asked", "printed"),
    [
        ("true", [], True),
        ("true", ["--annotations", "off"], False),
        ("", [], False),
        ("", ["--annotations", "on"], True),
        ("true", ["--format", "github"], False),
    ],
)
def test_annotations(
    actions: str,
    asked: list[str],
    printed: bool,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", actions)
    main(["judge", str(RECORDED), *asked])
    out, err = capfd.readouterr()
    assert err.startswith("::") is printed
    assert out.startswith("::") is ("github" in asked)


def test_a_report_that_is_printed_for_a_program_stays_whole(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    main(["judge", str(RECORDED), "--format", "json"])
    out, err = capfd.readouterr()
    assert json.loads(out)["format"] == 1
    assert err.startswith("::")
