"""The commands as a user types them: output, files, exit codes, and errors that say what to do."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

HERE = Path(__file__).parent
HOSTILE = f"{sys.executable} {HERE / 'hostile' / 'stdio_server.py'}"


def conformance(*words: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "conformance.cli.main", *words]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False, timeout=120)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The report and the transcript of one run."""
    place = tmp_path_factory.mktemp("run")
    done = conformance("run", "--transcript", "run.jsonl", "--output", "live.json", cwd=place)
    assert done.returncode == 0, done.stdout + done.stderr
    return place / "live.json", place / "run.jsonl"


def test_the_reference_conforms_and_every_requirement_counts_once(recorded: tuple[Path, Path]) -> None:
    report = json.loads(recorded[0].read_text())
    assert report["conformant"]
    assert sum(report["totals"].values()) == len(report["requirements"])
    assert {"target", "contract", "edition", "profiles"} <= report.keys()
    assert all({"id", "level", "verdict", "subjects", "findings"} <= r.keys() for r in report["requirements"])
    assert all(r["subjects"] > 0 for r in report["requirements"] if r["verdict"] == "pass")


def test_a_transcript_gives_the_same_report(recorded: tuple[Path, Path], tmp_path: Path) -> None:
    """Byte for byte: also the run's own times, for they are in the transcript."""
    live, transcript = recorded
    done = conformance("judge", str(transcript), "--format", "json", "--output", str(tmp_path / "again.json"))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "again.json").read_bytes() == live.read_bytes()


def test_no_token_is_in_a_transcript(recorded: tuple[Path, Path]) -> None:
    assert "eyJ" not in recorded[1].read_text()


def test_a_breach_is_shown_with_its_clause_and_a_command_that_reproduces_it(tmp_path: Path) -> None:
    done = conformance("run", "--target", "reference:threads+TH-IDEM-02", "--seed", "1", cwd=tmp_path)
    assert done.returncode == 1
    assert "TH-IDEM-02" in done.stdout
    assert "--only TH-IDEM-02" in done.stdout
    again = conformance("run", "--target", "reference:threads+TH-IDEM-02", "--only", "TH-IDEM-02", cwd=tmp_path)
    assert again.returncode == 1


@pytest.mark.parametrize(
    ("target", "verdict", "code"), [("reference:threads+TH-IDEM-02", "xfail", 0), ("reference:threads", "xpass", 1)]
)
def test_a_known_failure_is_expected_and_a_stale_one_fails(
    tmp_path: Path, target: str, verdict: str, code: int
) -> None:
    key = HERE.parents[1] / "fixtures" / "keys" / "reference-test-key.json"
    (tmp_path / "conformance.toml").write_text(
        f'contract = "threads"\n[[endpoint]]\ntransport = "in-process"\ntarget = "{target}"\n'
        f'[auth]\nsigning_key = "{key}"\nissuer = "https://issuer.example"\naudience = "threads.reference"\n'
        '[conditions]\nmeans = "meta"\n[[known_failure]]\nid = "TH-IDEM-02"\nreason = "ticket 7"\n'
    )
    done = conformance("run", "--only", "TH-IDEM-02", "--format", "json", cwd=tmp_path)
    assert done.returncode == code, done.stderr
    assert json.loads(done.stdout)["totals"][verdict] == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["run", "--server-url", "http://127.0.0.1:1/mcp"], "no server answers at http://127.0.0.1:1/mcp"),
        (["run", "--server-url", "127.0.0.1:1"], "is no URL"),
        (["run", "--server-command", "/no/such/program"], "cannot be started"),
        (["run", "--contract", "thread"], "no contract is found by 'thread'"),
        (["run", "--config", "nowhere.toml"], "nowhere.toml cannot be read"),
        (["run", "--target", "nobody:threads"], "no target is named 'nobody'"),
        (["run", "--target", "reference:threads+TH-IDEM-77"], "TH-IDEM-77"),
        (["run", "--only", "TH-IDEM-77"], "nearest: TH-IDEM-0"),
        (["run", "--output", "report.docx"], "no suffix that names a format"),
        (["run", "--header", "nonsense", "--server-url", "http://127.0.0.1:1/mcp"], "has no name or no colon"),
        (["explain", "TH-IDEM-77"], "nearest: TH-IDEM-0"),
        (["explain", "TH-REV-09", "--contract", "tasks"], "nearest: TK-REV-0"),
        (["judge", "nowhere.jsonl"], "nowhere.jsonl cannot be read"),
    ],
)
def test_bad_input_is_a_clear_error(words: list[str], said: str, tmp_path: Path) -> None:
    done = conformance(*words, cwd=tmp_path)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_a_damaged_transcript_is_named_with_its_line(recorded: tuple[Path, Path], tmp_path: Path) -> None:
    lines = recorded[1].read_bytes().splitlines(keepends=True)
    (tmp_path / "bad.jsonl").write_bytes(b"".join([*lines[:5], b"{oops\n", *lines[5:]]))
    done = conformance("judge", str(tmp_path / "bad.jsonl"))
    assert done.returncode == 2
    assert "line 6" in done.stderr


def test_a_transcript_that_was_cut_short_is_judged_as_incomplete(recorded: tuple[Path, Path], tmp_path: Path) -> None:
    lines = recorded[1].read_bytes().splitlines(keepends=True)
    (tmp_path / "cut.jsonl").write_bytes(b"".join(lines[:-1]))
    done = conformance("judge", str(tmp_path / "cut.jsonl"))
    assert done.returncode == 3
    assert "incomplete" in done.stdout


def test_what_is_not_seen_is_no_claim(tmp_path: Path) -> None:
    """Without a key no token can be made: nothing is observed, and nobody is told that the server conforms."""
    (tmp_path / "conformance.toml").write_text(
        'contract = "threads"\n[[endpoint]]\ntransport = "stdio"\n'
        f'command = ["{sys.executable}", "-m", "reference_server", "threads"]\n'
    )
    done = conformance("run", cwd=tmp_path)
    assert done.returncode != 0
    assert "Conforms" not in done.stdout


def test_ctrl_c_leaves_a_valid_incomplete_report_and_no_process(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "conformance.cli.main", "run", "--server-command", f"{HOSTILE} hangs"]
    words = ["--timeout", "60", "--output", "report.json", "--transcript", "run.jsonl"]
    process = subprocess.Popen([*command, *words], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    transcript = tmp_path / "run.jsonl"
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and not (transcript.exists() and b'"tools/call"' in transcript.read_bytes()):
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    assert process.returncode in (1, 3)
    report = json.loads((tmp_path / "report.json").read_text())
    assert not report["complete"]
    assert report["reason"] == "interrupted"
    assert conformance("judge", "run.jsonl", cwd=tmp_path).returncode == process.returncode
    left = subprocess.run(
        ["pgrep", "-f", f"{HERE / 'hostile' / 'stdio_server.py'} hangs"], check=False, capture_output=True
    )
    assert not left.stdout.split()


def test_requirements_are_listed_for_programs() -> None:
    rows = json.loads(conformance("requirements", "--format", "json").stdout)
    assert all({"id", "contract", "level", "source", "statement"} <= row.keys() for row in rows)
    assert len({row["id"] for row in rows}) == len(rows)


def test_explain_says_what_why_and_how() -> None:
    text = conformance("explain", "TH-IDEM-01").stdout
    for title in (
        "TH-IDEM-01  MUST",
        "Why it matters",
        "How it is judged",
        "What is tried",
        "A breach",
        "A server that breaks it",
        "See it fail",
        "Try it",
    ):
        assert title in text


def test_help_is_quick_to_import() -> None:
    """Nothing heavy is imported for --help: what a run needs comes with the run."""
    code = "import sys; from conformance.cli.main import main\ntry: main(['--help'])\nexcept SystemExit: pass\n"
    code += "heavy = {'msgspec', 'pydantic', 'rich', 'httpx2', 'jwt', 'jsonschema', 'asyncio'} & set(sys.modules)\n"
    code += "assert not heavy, heavy"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def test_a_running_server_is_certified_by_its_url(tmp_path: Path) -> None:
    """What the README says: start a server, point the suite at it, over MCP and over /v1."""
    port = free_port()
    command = [sys.executable, "-m", "reference_server", "threads", "--transport", "http", "--port", str(port)]
    server = subprocess.Popen([*command, "--test-conditions"], stderr=subprocess.PIPE)
    try:
        assert server.stderr is not None
        server.stderr.readline()
        key = HERE.parents[1] / "fixtures" / "keys" / "reference-test-key.json"
        auth = ["--signing-key", str(key), "--issuer", "https://issuer.example", "--audience", "threads.reference"]
        # over both whole: test_transports
        for path, chosen in (("mcp", []), ("v1", ["--only", "TH-THR-*,TH-MSG-*"])):
            url = f"http://127.0.0.1:{port}/{path}"
            words = [
                "run",
                "--server-url",
                url,
                "--contract",
                "threads",
                *auth,
                *chosen,
                "--test-conditions",
                "--format",
                "json",
            ]
            done = conformance(*words, cwd=tmp_path)
            assert done.returncode == 0, done.stdout[-2000:] + done.stderr
            assert json.loads(done.stdout)["totals"]["pass"] > (10 if chosen else 80)
    finally:
        server.terminate()
        server.communicate(timeout=10)


assert os.name == "posix", "the suite's own tests start processes as POSIX systems do"
