"""`pytest --server-url …` as people expect it: items, -k, -x, --junitxml, -n; the finding instead of a traceback."""

import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

OPTIONS = "--target reference:threads+TH-IDEM-02 --seed 1"
SOME = "--only TH-IDEM-*"
"""Where it is no matter which requirements there are."""


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
    # a run of its own: as a part of the run that these tests may be a part of, it would share that one's report
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_XDIST")}
    return subprocess.run(
        [*command, *words], cwd=cwd, env=env, capture_output=True, text=True, check=False, timeout=120
    )


@pytest.mark.parametrize("workers", [[], ["-n", "2"]])
def test_one_item_a_requirement(tmp_path: Path, workers: list[str]) -> None:
    done = run("--junitxml", "report.xml", *workers, cwd=tmp_path, options="--target reference:mcp+MC-LIST-02")
    assert done.returncode == 1, done.stdout
    suite = ET.parse(tmp_path / "report.xml").getroot()
    cases = {case.attrib["name"]: case for case in suite.iter("testcase")}
    assert len([name for name in cases if name.startswith("MC-")]) == 66
    failure = cases["MC-LIST-02"].find("failure")
    assert failure is not None
    assert "pytest_plugin.py" not in (failure.text or "")
    assert "conformance run" in (failure.text or "")


def pytest_in(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-p", "no:schemathesis", "-p", "no:cacheprovider", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=120)


def test_k_selects(tmp_path: Path) -> None:
    done = run("-k", "TH-IDEM-01", "-q", cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    assert "1 passed" in done.stdout
    assert "Nothing is claimed of the other 96." in done.stdout


@pytest.mark.parametrize("identifier", ["conformance::TH-IDEM-02", "::conformance::TH-IDEM-02"])
def test_an_items_id_can_be_given_back(tmp_path: Path, identifier: str) -> None:
    done = run(identifier, "-q", cwd=tmp_path)
    assert done.returncode == 1, done.stdout
    assert "1 failed" in done.stdout
    assert "FAILED conformance::TH-IDEM-02 - " in done.stdout


def test_an_id_that_no_item_has_is_refused(tmp_path: Path) -> None:
    done = run("conformance::TH-IDEM-77", "-q", cwd=tmp_path)
    assert done.returncode == pytest.ExitCode.USAGE_ERROR, done.stdout
    assert "threads has no requirement TH-IDEM-77\n  nearest: TH-IDEM-07" in done.stderr


def test_x_stops_at_the_first_failure(tmp_path: Path) -> None:
    done = run("-x", cwd=tmp_path, options=f"{OPTIONS} {SOME}")
    assert "stopping after 1 failures" in done.stdout


def test_a_breach_reads_as_the_finding(tmp_path: Path) -> None:
    done = run("-k", "TH-IDEM-02", cwd=tmp_path)
    assert "FAILED conformance::TH-IDEM-02 - read_messages shows a change after post" in done.stdout
    assert "Traceback" not in done.stdout
    assert "def runtest" not in done.stdout


@pytest.mark.parametrize("workers", [[], ["-n", "2"]])
def test_an_inconclusive_run_fails(tmp_path: Path, workers: list[str]) -> None:
    options = f"--target reference:threads --audience wrong {SOME}"
    done = run("--junitxml", "report.xml", *workers, cwd=tmp_path, options=options)
    assert done.returncode == 1, done.stdout
    assert "FAILED conformance::claim - Inconclusive: " in done.stdout
    suite = ET.parse(tmp_path / "report.xml").getroot()
    assert [case.attrib["name"] for case in suite.iter("testcase") if case.find("failure") is not None] == ["claim"]


@pytest.mark.parametrize("workers", [[], ["-n", "2"]])
def test_a_server_that_is_not_there_is_a_usage_error(tmp_path: Path, workers: list[str]) -> None:
    (tmp_path / "test_mine.py").write_text("def test_mine():\n    pass\n")
    done = run(*workers, cwd=tmp_path, options="--server-url http://127.0.0.1:1/mcp")
    assert done.returncode == 4, done.stdout
    assert "1 passed, " in done.stdout.replace("1 failed, ", "")
    assert "FAILED conformance::claim - no server answers" in done.stdout
    assert "INTERNALERROR" not in done.stdout + done.stderr


def test_wrong_options_are_a_usage_error(tmp_path: Path) -> None:
    done = run(cwd=tmp_path, options="--contract nothing --server-url http://127.0.0.1:1/mcp")
    assert done.returncode == 4
    assert "no contract is found by" in done.stdout + done.stderr


def test_a_should_that_is_missed_fails_nothing_even_where_warnings_are_errors(tmp_path: Path) -> None:
    options = "--target reference:threads+TH-ENV-04 --seed 1 --only TH-ENV-*"
    done = run("-W", "error", "-q", cwd=tmp_path, options=options)
    assert done.returncode == 0, done.stdout
    assert "TH-ENV-04 SHOULD is missed" in done.stdout


def test_files_of_the_report_are_written(tmp_path: Path) -> None:
    options = f"--target reference:threads --output out/r.html --transcript t.jsonl {SOME}"
    done = run("-q", cwd=tmp_path, options=options)
    assert done.returncode == 0, done.stdout
    assert (tmp_path / "out" / "r.html").read_text().startswith("<!doctype html>")
    assert (tmp_path / "t.jsonl").stat().st_size > 0


def test_workers_leave_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    done = run("-n", "2", "-q", cwd=tmp_path, options="--target reference:mcp")
    assert done.returncode == 0, done.stdout
    assert "Conforms to mcp" in done.stdout
    assert [path.name for path in temporary.iterdir() if path.name.startswith("conformance")] == []


@pytest.mark.parametrize("workers", [[], ["-n", "2"]])
def test_a_projects_own_tests_run_beside_the_requirements(tmp_path: Path, workers: list[str]) -> None:
    (tmp_path / "test_mine.py").write_text("def test_mine():\n    pass\n")
    done = run("-v", *workers, cwd=tmp_path, options=f"--target reference:threads {SOME}")
    assert done.returncode == 0, done.stdout
    assert "test_mine.py::test_mine" in done.stdout
    assert "conformance::TH-IDEM-01" in done.stdout


def test_a_project_keeps_an_option_of_its_own_name(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text("def pytest_addoption(parser):\n    parser.addoption('--server-url')\n")
    (tmp_path / "test_mine.py").write_text(
        "def test_mine(pytestconfig):\n    assert pytestconfig.getoption('--server-url') == 'mine'\n"
    )
    done = pytest_in(tmp_path, "-q", "--server-url", "mine")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 passed" in done.stdout
    both = pytest_in(tmp_path, "-q", "--server-url", "mine", f"--conformance=--target reference:threads {SOME}")
    assert both.returncode == 0, both.stdout + both.stderr
    assert "--server-url is an option of this project's own" in both.stdout


FIXTURE = """
import subprocess, sys
import pytest

@pytest.fixture(scope="session")
def conformance_server():
    return [sys.executable, "-m", "reference_server", "threads", "--transport", "stdio", "--test-conditions"]
"""
HOOK = """
import sys

def pytest_conformance_server(config):
    return [sys.executable, "-m", "reference_server", "threads", "--transport", "stdio", "--test-conditions"]
"""


@pytest.mark.parametrize("conftest", [FIXTURE, HOOK])
def test_a_project_says_which_server_is_judged(tmp_path: Path, conftest: str) -> None:
    (tmp_path / "conftest.py").write_text(conftest)
    done = run("-k", "MC-LIST", "-q", cwd=tmp_path, options="--contract mcp")
    assert done.returncode == 0, done.stdout + done.stderr
    assert " passed" in done.stdout


def test_other_tests_are_left_alone_and_cost_nothing(tmp_path: Path) -> None:
    (tmp_path / "test_mine.py").write_text(
        "import sys\n\n"
        "def test_mine():\n    assert not {'msgspec', 'httpx2', 'conformance.certify'} & set(sys.modules)\n"
    )
    done = pytest_in(tmp_path, "-q")
    assert done.returncode == 0, done.stdout


def test_a_fixture_that_starts_no_server_is_told_once(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(
        "import pytest\n\n@pytest.fixture(scope='session')\ndef conformance_server():\n    raise OSError('no port')\n"
    )
    done = pytest_in(tmp_path, "-q", "--conformance", "--seed 1")
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "FAILED conformance::claim - the fixture failed that starts" in done.stdout
    assert f"OSError: no port, at {tmp_path / 'conftest.py'}:5" in done.stdout
    assert done.stdout.count("FAILED conformance::") == 1


def test_an_option_without_a_value_is_no_run_of_the_reference(tmp_path: Path) -> None:
    done = pytest_in(tmp_path, "-q", "--conformance", "--server-command ''")
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "--server-command is given without a value" in done.stderr
