"""`pytest --server-url …` as people expect it: items, -k, -x, --junitxml, -n; the finding instead of a traceback."""

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

OPTIONS = "--target reference:threads+TH-IDEM-02 --seed 1"


def run(*words: str, cwd: Path, options: str = OPTIONS) -> subprocess.CompletedProcess[str]:
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "no:schemathesis",
        "-p",
        "no:cacheprovider",
        f"--conformance={options}",
    ]
    return subprocess.run([*command, *words], cwd=cwd, capture_output=True, text=True, check=False, timeout=120)


@pytest.mark.parametrize("workers", [[], ["-n", "2"]])
def test_one_item_a_requirement(tmp_path: Path, workers: list[str]) -> None:
    done = run("--junitxml", "report.xml", *workers, cwd=tmp_path)
    assert done.returncode == 1, done.stdout
    suite = ET.parse(tmp_path / "report.xml").getroot()
    cases = {case.attrib["name"]: case for case in suite.iter("testcase")}
    assert len([name for name in cases if name.startswith("TH-")]) == 92
    failure = cases["TH-IDEM-02"].find("failure")
    assert failure is not None
    assert "pytest_plugin.py" not in (failure.text or "")
    assert "conformance run" in (failure.text or "")


def test_k_selects(tmp_path: Path) -> None:
    done = run("-k", "TH-IDEM-01", "-q", cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    assert "1 passed" in done.stdout


def test_x_stops_at_the_first_failure(tmp_path: Path) -> None:
    done = run("-x", cwd=tmp_path)
    assert "stopping after 1 failures" in done.stdout


def test_a_breach_reads_as_the_finding(tmp_path: Path) -> None:
    done = run("-k", "TH-IDEM-02", cwd=tmp_path)
    assert "TH-IDEM-02" in done.stdout
    assert "Traceback" not in done.stdout
    assert "def runtest" not in done.stdout


def test_no_server_there_is_a_usage_error(tmp_path: Path) -> None:
    done = run(cwd=tmp_path, options="--server-url http://127.0.0.1:1/mcp")
    assert done.returncode == 4
    assert "no server answers" in done.stdout + done.stderr


def test_wrong_options_are_a_usage_error(tmp_path: Path) -> None:
    done = run(cwd=tmp_path, options="--contract nothing --server-url http://127.0.0.1:1/mcp")
    assert done.returncode == 4
    assert "no contract is named" in done.stdout + done.stderr


def test_other_tests_are_left_alone_and_cost_nothing(tmp_path: Path) -> None:
    (tmp_path / "test_mine.py").write_text(
        "import sys\n\n"
        "def test_mine():\n    assert not {'msgspec', 'httpx2', 'conformance.certify'} & set(sys.modules)\n"
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:schemathesis", "-p", "no:cacheprovider"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
