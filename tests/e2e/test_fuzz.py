"""Random histories find what the stimuli of a run do not, shrink it, keep it, and leave a correct server alone."""

import json
import shutil
import time
from pathlib import Path

import pytest

from conformance.histories.conversation import read
from tests.e2e.test_cli import conformance

POSTS = ("--stimulus", "threads.messages_are_posted_in_every_way", "--seed", "1")
"""Calls from which random ones are made: they find none of these by themselves."""
ALONE = {"TH-IDEM-01": 3, "TH-MSG-02": 3, "TH-IDEM-03": 4}
"""By deviation, the calls to which its finding is shrunk at most."""


@pytest.mark.parametrize("deviation", ALONE)
def test_random_histories_alone_find_and_shrink_a_deviation(tmp_path: Path, deviation: str) -> None:
    words = ("run", "--target", f"reference:threads+{deviation}", *POSTS, "--only", deviation)
    ordinary = conformance(*words, "--format", "json", cwd=tmp_path)
    assert ordinary.returncode in (0, 3), ordinary.stdout + ordinary.stderr
    assert json.loads(ordinary.stdout)["roots"] == []
    found = conformance(*words, "--fuzz", "3000", "--output", "report.json", "--output", "report.txt", cwd=tmp_path)
    assert found.returncode == 1, found.stdout + found.stderr
    report = json.loads((tmp_path / "report.json").read_text())
    assert [finding["requirement"] for finding in report["roots"]] == [deviation]
    assert f"broken {deviation} in " in report["fuzz"]
    file = next((tmp_path / ".conformance" / "threads").glob(f"{deviation}-*.json"))
    assert len(read(file).calls) <= ALONE[deviation]
    again = f"conformance replay {file.relative_to(tmp_path)} --target reference:threads+{deviation}"
    assert again in (tmp_path / "report.txt").read_text()
    assert conformance(*again.split()[1:], cwd=tmp_path).returncode == 1
    assert conformance("replay", str(file), "--target", f"reference:threads+{deviation}").returncode == 1
    # a correct server is not accused; where it refuses what was accepted, the calls may not show enough to decide it
    assert conformance("replay", str(file), "--target", "reference:threads").returncode in (0, 3)


def test_what_failed_is_tried_first_the_next_time(tmp_path: Path) -> None:
    broken = ("run", "--target", "reference:threads+TH-IDEM-01", *POSTS)
    conformance(*broken, "--fuzz", "3000", cwd=tmp_path)
    kept = next((tmp_path / ".conformance" / "threads").glob("TH-IDEM-01-*.json"))
    again = conformance(*broken, "--only", "TH-IDEM-01", "--fuzz", "1", cwd=tmp_path)
    assert again.returncode == 1, again.stdout + again.stderr
    shutil.rmtree(kept.parent)
    without = conformance(*broken, "--only", "TH-IDEM-01", "--fuzz", "1", cwd=tmp_path)
    assert without.returncode in (0, 3), without.stdout + without.stderr


def test_the_same_seed_gives_the_same_histories_and_the_transcript_the_same_report(tmp_path: Path) -> None:
    told = []
    for name in ("one", "two"):
        words = ("--fuzz", "800", "--output", f"{name}.json", "--transcript", f"{name}.jsonl")
        done = conformance("run", "--target", "reference:threads", *POSTS, *words, cwd=tmp_path)
        assert done.returncode == 0, done.stdout + done.stderr
        told.append(json.loads((tmp_path / f"{name}.json").read_text())["fuzz"].split(" in ")[0])
    assert told[0] == told[1]
    # a turn of a history may take several calls, the history itself many
    calls = int(told[0].rpartition(", ")[2].removesuffix(" calls"))
    assert 800 <= calls < 820
    judged = conformance("judge", "two.jsonl", *POSTS[:2], "--output", "again.json", cwd=tmp_path)
    assert judged.returncode == 0, judged.stderr
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "two.json").read_bytes()


@pytest.mark.parametrize("budget", ["0", "-3", "soon", "1m"])
def test_a_budget_that_is_none_is_said_so(budget: str) -> None:
    done = conformance("run", f"--fuzz={budget}")
    assert done.returncode == 2
    assert "is no budget" in done.stderr


def test_a_server_in_a_process_of_its_own_is_fuzzed_within_seconds(tmp_path: Path) -> None:
    words = ("--target", "reference:threads", "--transport", "stdio", *POSTS, "--fuzz", "3s", "--output", "report.json")
    done = conformance("run", *words, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "nothing broken" in json.loads((tmp_path / "report.json").read_text())["fuzz"]


def test_a_run_that_ends_midst_random_histories_says_why(tmp_path: Path) -> None:
    words = ("--fuzz", "60s", "--run-timeout", "4", "--output", "report.json", "--transcript", "run.jsonl")
    began = time.monotonic()
    done = conformance("run", "--target", "reference:threads", *POSTS, *words, cwd=tmp_path)
    assert done.returncode == 3, done.stdout + done.stderr
    assert "the run's time limit of 4 s passed" in done.stdout
    assert '"event":"footer"' in (tmp_path / "run.jsonl").read_text("utf-8").splitlines()[-1]
    assert json.loads((tmp_path / "report.json").read_text())["duration_ms"] > 3_000
    assert time.monotonic() - began < 40, "the histories go on no longer than the run"
