"""What a disk, a terminal and a signal do to a run: verdicts come all the same, and files that can be judged stay."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from conformance.drive.kin import MARK, PROC

SERVERS = Path(__file__).parent / "servers"
COMMAND = [sys.executable, "-m", "conformance.cli.main"]
MOMENTS = int(os.environ.get("SIGNAL_MOMENTS", "1"))
"""Random moments at which each signal comes, besides at once. By `make hostile` there are more."""
QUICK = ["--target", "reference:mcp", "--only", "MC-RPC-*", "--seed", "1"]
linux = pytest.mark.skipif(not Path("/dev/full").exists(), reason="/dev/full is of Linux")


def conformance(*words: str, place: Path | None = None, **env: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [*COMMAND, *words], cwd=place, env={**os.environ, **env}, capture_output=True, text=True, check=False,
        timeout=120,
    )  # fmt: skip
    assert "Traceback" not in done.stderr, done.stderr
    return done


@linux
def test_with_a_full_disk_the_verdicts_come_from_memory() -> None:
    done = conformance("run", *QUICK, "--transcript", "/dev/full")
    assert done.returncode == 2
    assert done.stderr == (
        "conformance run: the transcript could not be written (No space left on device); "
        "the verdicts come from memory\n"
    )
    assert "hold" in done.stdout
    assert "The transcript could not be written" in done.stdout


@linux
def test_a_report_that_cannot_be_written_keeps_no_other_back(tmp_path: Path) -> None:
    words = ["--output", "/dev/full/o.json", "--output", "o.md"]
    done = conformance("run", *QUICK, *words, "--format", "terminal", place=tmp_path)
    assert done.returncode == 2
    assert "/dev/full/o.json cannot be written: " in done.stderr
    assert (tmp_path / "o.md").read_text().startswith("## ")
    assert "hold" in done.stdout


@linux
def test_standard_output_that_takes_no_more_is_one_sentence() -> None:
    for form in ("terminal", "json", "html"):
        with Path("/dev/full").open("w") as full:
            done = subprocess.run(
                [*COMMAND, "run", *QUICK, "--format", form], stdout=full, stderr=subprocess.PIPE, text=True, check=False
            )
        assert done.returncode == 2
        assert done.stderr == "conformance run: the output cannot be written: No space left on device\n"


def test_a_reader_that_goes_away_is_no_error() -> None:
    run = subprocess.Popen([*COMMAND, "requirements"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert run.stdout is not None
    run.stdout.readline()
    run.stdout.close()
    assert run.stderr is not None
    assert run.stderr.read() == ""
    run.stderr.close()
    run.wait(timeout=60)


@pytest.mark.parametrize("columns", ["0", "1", "10", "39", "100000"])
def test_any_width_of_a_terminal_will_do(columns: str) -> None:
    done = conformance("run", "--target", "reference:threads+TH-IDEM-02", "--only", "TH-IDEM-*", COLUMNS=columns)
    assert done.returncode == 1
    assert "TH-IDEM-02" in done.stdout


def test_without_a_home_it_runs(tmp_path: Path) -> None:
    env = {key: value for key, value in os.environ.items() if key not in ("HOME", "USER", "LOGNAME")}
    done = subprocess.run(
        [*COMMAND, "run", *QUICK], cwd=tmp_path, env={**env, "HOME": "/nowhere"}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert "Traceback" not in done.stderr


def test_commands_of_a_ci_are_not_obeyed(tmp_path: Path) -> None:
    """`##[error]` counts anywhere in a line, `::error` at its beginning."""
    server = [sys.executable, str(SERVERS / "speaks_to_the_ci.py")]
    outputs = [word for name in ("o.json", "o.xml", "o.md", "o.html", "o.txt") for word in ("--output", name)]
    (tmp_path / "conformance.toml").write_text(
        f'contract = "mcp"\n[[endpoint]]\ntransport = "stdio"\ncommand = {json.dumps(server)}\n'
    )
    done = conformance("run", "--transcript", "run.jsonl", *outputs, place=tmp_path, COLUMNS="50")
    written = [path.read_text() for path in tmp_path.glob("o.*")]
    assert len(written) == 5
    for text in (done.stdout, done.stderr, *written):
        assert "##[" not in text
        assert not [line for line in text.splitlines() if line.strip().startswith("::error")]
    assert "u005berror" in done.stdout


def left(mark: str) -> list[str]:
    """Processes that a run of the suite started and left."""
    found = []
    for folder in PROC.glob("[0-9]*"):
        try:
            if f"{MARK}={mark}.".encode() in (folder / "environ").read_bytes():
                found.append((folder / "cmdline").read_bytes().decode())
        except OSError:
            continue
    return found


@linux
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_a_signal_at_any_moment_leaves_a_file_that_can_be_judged(number: signal.Signals, tmp_path: Path) -> None:
    seed = random.Random(int(number))
    path = tmp_path / "run.jsonl"
    words = ["run", "--server-command", f"{sys.executable} {SERVERS / 'base.py'}", "--transcript", str(path)]
    for after in [0.0, *(seed.uniform(0, 2.5) for _ in range(MOMENTS))]:
        path.unlink(missing_ok=True)
        run = subprocess.Popen([*COMMAND, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        until = time.monotonic() + 60
        while not (path.exists() and path.stat().st_size) and run.poll() is None and time.monotonic() < until:
            time.sleep(0.002)
        time.sleep(after)
        run.send_signal(number)
        _, said = run.communicate(timeout=60)
        assert "Traceback" not in said, (after, said)
        time.sleep(0.3 if number is signal.SIGKILL else 0)
        assert left(str(run.pid)) == [], after
        judged = conformance("judge", str(path))
        assert judged.returncode in (0, 1, 3), judged.stderr
        if b'"event":"footer","complete":true' not in path.read_bytes():
            assert "The run is incomplete" in " ".join(judged.stdout.split()), after


@linux
def test_killed_it_leaves_no_server_that_would_not_end_by_itself(tmp_path: Path) -> None:
    words = ["run", "--server-command", f"{sys.executable} {SERVERS / 'stays.py'} {tmp_path / 'stayed'}"]
    run = subprocess.Popen([*COMMAND, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path)
    until = time.monotonic() + 20
    while not left(str(run.pid)) and time.monotonic() < until:
        time.sleep(0.05)
    time.sleep(1.5)
    assert left(str(run.pid))
    run.kill()
    run.communicate(timeout=60)
    time.sleep(0.3)
    assert left(str(run.pid)) == []


@linux
def test_interrupted_while_servers_are_ended_none_is_left(tmp_path: Path) -> None:
    words = ["run", "--server-command", f"{sys.executable} {SERVERS / 'stays.py'}", "--run-timeout", "8"]
    run = subprocess.Popen([*COMMAND, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path)
    time.sleep(4)
    for _ in range(6):
        run.send_signal(signal.SIGTERM)
        time.sleep(0.1)
    _, said = run.communicate(timeout=60)
    assert "Traceback" not in said
    assert left(str(run.pid)) == []


def test_what_was_tampered_with_is_not_judged_by(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    live = conformance("run", *QUICK, "--transcript", str(path), "--format", "json")
    assert json.loads(live.stdout)["transcript"]["digest"] in path.read_text().splitlines()[-1]
    lines = path.read_bytes().splitlines(keepends=True)
    for tampered, said in (
        (lines[:20] + lines[21:], "line 21 of the record is missing"),
        ([*lines[:20], lines[20].replace(b'"t":', b'"t":1'), *lines[21:]], "line 21 was changed"),
    ):
        path.write_bytes(b"".join(tampered))
        done = conformance("judge", str(path))
        assert done.returncode == 2
        assert said in " ".join(done.stdout.split())
        assert "Nothing is claimed" in " ".join(done.stdout.split())
        assert said in done.stderr


def test_a_transcript_that_was_cut_is_judged_as_far_as_it_goes(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    conformance("run", *QUICK, "--transcript", str(path))
    text = path.read_bytes()
    for share in (0.1, 0.37, 0.5, 0.9, 0.999):
        path.write_bytes(text[: int(len(text) * share)])
        done = conformance("judge", str(path))
        assert done.returncode == 3, (share, done.stderr)
        assert "The run is incomplete: the transcript ends" in " ".join(done.stdout.split()), share


PEAK = "from conformance.cli.main import main; from conformance.fleet.memory import peak; main(); print(peak())"
"""Runs a command and prints the most memory that it had."""


@linux
def test_a_flood_needs_little_memory(tmp_path: Path) -> None:
    """Measured: 200 MB, of which 60 MB are the suite itself."""
    server = f"{sys.executable} {SERVERS / 'never_stops_writing.py'} notifications"
    words = ["run", "--server-command", server, "--run-timeout", "30", "--transcript", "run.jsonl"]
    done = subprocess.run(
        [sys.executable, "-c", PEAK, *words], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=180
    )
    assert int(done.stdout.split()[-1]) < 500e6, done.stderr
    assert "the server sent more than 20,000 messages" in " ".join(done.stdout.split())
