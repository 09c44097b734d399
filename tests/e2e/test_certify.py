"""certify, verify, diff and --baseline as a user meets them: what they print, what they leave, how they end."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.unit.bundle.conftest import written

SOME = ["--only", "TH-IDEM-*,TH-MSG-*", "--seed", "1"]
GOOD, BROKEN = "reference:threads", "reference:threads+TH-IDEM-01"


def conformance(*words: str | Path, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "conformance.cli.main", *map(str, words)]
    return subprocess.run(
        command,
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={"COLUMNS": "120", **environment},
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With a signed bundle of a run that fails, its keys, and a report of one that does not."""
    where = tmp_path_factory.mktemp("certified")
    written(where, "key")
    written(where, "other")
    done = conformance("certify", "--target", BROKEN, *SOME, "--key", "key.pem", "--output", "bad", cwd=where)
    assert done.returncode == 1, done.stderr
    assert "A selection of threads does not hold" in done.stdout
    assert "bundle   bad, signed by the ed25519 key " in done.stdout
    assert "verify   conformance verify bad --key" in done.stdout
    done = conformance("run", "--target", GOOD, *SOME, "--output", "good.json", cwd=where)
    assert done.returncode == 0, done.stderr
    return where


def test_a_bundle_is_verified_and_said_to_rest_on_the_signers_word(folder: Path) -> None:
    done = conformance("verify", "bad", "--key", "key.pub.pem", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Verified: bad\n")
    assert "A selection of threads does not hold" in done.stdout
    assert "rests on the word of whoever holds that key" in done.stdout
    assert "does not show that a server in use today is the same one" in done.stdout
    alone = conformance("verify", "bad", cwd=folder)
    assert alone.returncode == 0
    assert alone.stdout.startswith("Consistent, not verified: bad\n")
    assert "rests on nobody's word" in alone.stdout


def test_a_bundle_that_must_conform(folder: Path) -> None:
    done = conformance("verify", "bad", "--key", "key.pub.pem", "--must-conform", cwd=folder)
    assert done.returncode == 1
    assert "does not say that the server conforms" in done.stdout


def test_a_tampered_bundle_and_a_wrong_key_are_refused(folder: Path, tmp_path: Path) -> None:
    copied = tmp_path / "bad"
    shutil.copytree(folder / "bad", copied)
    report = copied / "report.json"
    report.write_text(report.read_text().replace('"fail"', '"pass"', 1))
    done = conformance("verify", copied, "--key", folder / "key.pub.pem", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stdout.startswith("Refused: report.json was changed: its SHA-256 is ")
    done = conformance("verify", "bad", "--key", "other.pub.pem", cwd=folder)
    assert done.returncode == 1
    assert done.stdout.startswith("Refused: the bundle is signed by the key ")
    assert "Traceback" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["verify", "nowhere"], "there is no folder nowhere"),
        (["verify", "good.json"], "good.json is no folder"),
        (["verify", "bad", "--key", "nowhere.pem"], "nowhere.pem cannot be read"),
        (["certify", "--target", GOOD, "--output", "new"], "a bundle is signed, and no key is given"),
        (["certify", "--target", GOOD, "--key", "key.pem"], "no folder is named for the bundle"),
        (["certify", "--target", GOOD, "--key", "key.pem", "--output", "bad"], "bad is not empty"),
        (["certify", "--key", "key.pem", "--unsigned", "--output", "new"], "contradict each other"),
        (["certify", "--unsigned", "--transcript", "t", "--output", "new"], "the bundle holds the transcript"),
        (["certify", "--unsigned", "--artifact", "x", "--output", "new"], "x is no name with a digest"),
        (["certify", "--unsigned", "--server-command", "false", "--output", "new"], "new"),
        (["diff", "good.json", "nowhere.json"], "nowhere.json cannot be read"),
        (["diff", "good.json", "key.pem"], "key.pem is no report of this suite"),
        (["diff", "good.json", "bad", "--output", "x.html"], "name it .md or .json"),
        (["run", "--target", "reference:tasks", "--baseline", "good.json"], "is a report on threads"),
        (["run", "--baseline", "nowhere.json"], "nowhere.json cannot be read"),
    ],
)
def test_a_bad_invocation_says_what_to_do_and_leaves_nothing(folder: Path, words: list[str], why: str) -> None:
    before = {path.name for path in folder.iterdir()}
    done = conformance(*words, cwd=folder)
    assert done.returncode == 2, done.stdout
    assert why in done.stderr or why == "new"
    assert "Traceback" not in done.stderr
    assert {path.name for path in folder.iterdir()} == before


def test_an_unsigned_bundle_and_a_report_beside_it(tmp_path: Path) -> None:
    words = ["certify", "--target", GOOD, *SOME, "--unsigned", "--output", "cert/", "--output", "out/report.html"]
    image = f"image=sha256:{'ab' * 32}"
    done = conformance(*words, "--artifact", image, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out/report.html").exists()
    assert {path.name for path in (tmp_path / "cert").iterdir()} == {
        "attestation.json",
        "report.json",
        "statement.json",
        "transcript.jsonl",
    }
    command = json.loads((tmp_path / "cert/report.json").read_text())["command"]
    assert command == "conformance run --target reference:threads --seed 1"
    verified = conformance("verify", "cert", cwd=tmp_path)
    assert verified.returncode == 0, verified.stdout
    assert "signature  none: nobody signed the bundle" in verified.stdout
    assert "made from  image sha256:abab" in verified.stdout


def test_a_diff_of_a_report_and_a_bundle(folder: Path, tmp_path: Path) -> None:
    done = conformance("diff", folder / "good.json", folder / "bad", "--output", tmp_path / "d.md", cwd=tmp_path)
    assert done.returncode == 1, done.stderr
    assert "✗ TH-IDEM-01 MUST  pass → fail: it held before" in done.stdout
    assert done.stdout.rstrip().endswith("Got worse: 2 requirements.")
    assert (tmp_path / "d.md").read_text().startswith("## ❌ Got worse: 2 requirements.")
    back = conformance("diff", folder / "bad", folder / "good.json", cwd=tmp_path)
    assert back.returncode == 0
    assert "got better: 2" in back.stdout


def test_beside_a_baseline_only_what_got_worse_fails(folder: Path, tmp_path: Path) -> None:
    known = conformance("run", "--target", BROKEN, *SOME, "--baseline", folder / "bad", cwd=tmp_path)
    assert known.returncode == 0, known.stdout
    flat = " ".join(known.stdout.split())
    assert "A selection of threads does not hold: 2 requirements broken." in flat
    assert re.search(r"nothing got worse \(\d requirements broken or blocked, as before\)", flat)
    worse = conformance("run", "--target", BROKEN, *SOME, "--baseline", folder / "good.json", cwd=tmp_path)
    assert worse.returncode == 1
    assert "got worse since the baseline: 2" in worse.stdout
    judged = conformance("judge", folder / "bad/transcript.jsonl", "--baseline", folder / "good.json", cwd=tmp_path)
    assert judged.returncode == 1


def test_pytest_fails_only_for_what_got_worse(folder: Path, tmp_path: Path) -> None:
    for baseline, outcomes in (("bad", {"failed": "0"}), ("good.json", {"failed": "3"})):
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "TH-IDEM or TH-MSG or claim"]
        command += ["--conformance", f"--target {BROKEN} --seed 1 --baseline {folder / baseline}"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120)
        assert (done.returncode == 0) is (outcomes["failed"] == "0"), done.stdout
        assert done.stdout.count("FAILED conformance") == int(outcomes["failed"]), done.stdout
