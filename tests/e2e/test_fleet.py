"""conformance fleet, and judge with many files: a bad one costs only itself, and nothing is done twice."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet

from conformance.cli.main import main
from conformance.fleet import plan

SERVERS = Path(__file__).parent / "servers"
REFERENCE = 'target = "reference:mcp"'


def _fleet(folder: Path, *targets: str, head: str = "") -> Path:
    path = folder / "fleet.toml"
    path.write_text("\n".join([head, *(f"[[target]]\n{target}" for target in targets)]), "utf-8")
    return path


def _rows(folder: Path, name: str = "results.jsonl") -> dict[str, dict[str, Any]]:
    lines = (folder / "fleet" / name).read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    assert len({row["name"] for row in rows}) == len(rows), "one row a target"
    return {row["name"]: row for row in rows}


def test_a_bad_target_costs_only_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sleepy = f'name = "sleepy <b>"\nserver_command = "{sys.executable} -c \'import time; time.sleep(60)\'"'
    path = _fleet(
        tmp_path,
        f'name = "good"\n{REFERENCE}',
        'name = "broken"\ntarget = "reference:mcp+MC-CALL-01"',
        'name = "dead"\nserver_command = "false"',
        sleepy,
        head='timeout_s = 60\nonly = ["MC-*"]',
    )
    assert main(["fleet", str(path), "--parquet"]) == 1
    rows = _rows(tmp_path)
    assert {name: row["state"] for name, row in rows.items()} == {
        "good": "conforms",
        "broken": "broken",
        "dead": "error",
        "sleepy-b": "error",
    }
    assert "MC-CALL-01" in rows["broken"]["failed"]
    assert "ended before it answered" in rows["dead"]["error"]
    assert not rows["dead"]["report"]
    table = parquet.read_table(tmp_path / "fleet" / "results.parquet").to_pylist()
    assert {row["name"]: row["state"] for row in table} == {name: row["state"] for name, row in rows.items()}
    page = (tmp_path / "fleet" / "index.html").read_text("utf-8")
    assert 'href="reports/broken.html"' in page
    assert (tmp_path / "fleet" / "reports" / "broken.html").exists()
    assert "MC-CALL-01" in page
    told = capsys.readouterr().out
    assert "4 targets:" in told
    assert "changed" not in told, "there is no time before to compare with"


def test_what_changed_is_told_the_next_time(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    head = 'only = ["MC-CALL-01"]'
    main(["fleet", str(_fleet(tmp_path, f'name = "one"\n{REFERENCE}', head=head))])
    capsys.readouterr()
    path = _fleet(tmp_path, 'name = "one"\ntarget = "reference:mcp+MC-CALL-01"', head=head)
    assert main(["fleet", str(path)]) == 1
    assert "changed: one was" in (told := capsys.readouterr().out)
    assert "newly broken: MC-CALL-01 (worse)" in told
    assert _rows(tmp_path, "previous.jsonl")["one"]["failed"] == []


def test_a_fleet_that_was_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    targets = [f'name = "t{number}"\n{REFERENCE}' for number in range(6)]
    path = _fleet(tmp_path, *targets, head='jobs = 1\nonly = ["MC-CALL-01"]')
    begun = tmp_path / "fleet" / "results.part.jsonl"
    words = [sys.executable, "-m", "conformance.cli.main", "fleet", str(path)]
    script = "import sys; from conformance.cli.main import main; sys.exit(main(sys.argv[1:]))"
    process = subprocess.Popen([words[0], "-c", script, *words[3:]], stdout=subprocess.DEVNULL, start_new_session=True)
    try:
        for _ in range(1200):
            if begun.exists() and len(begun.read_text("utf-8").splitlines()) >= 2:
                break
            time.sleep(0.05)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    done = {json.loads(line)["name"]: json.loads(line) for line in begun.read_text("utf-8").split("\n")[:-1]}
    assert len(done) >= 2
    assert len(done) < len(targets), "it was killed on its way"
    main(["fleet", str(path)])
    rows = _rows(tmp_path)
    assert set(rows) == {f"t{number}" for number in range(6)}
    for name, row in done.items():
        assert rows[name] == row, "what was done is not done again"
    assert not begun.exists()


def test_many_transcripts_are_judged(tmp_path: Path) -> None:
    files = []
    for number, deviation in enumerate(("", "+MC-CALL-01")):
        file = tmp_path / f"run-{number}.jsonl"
        main(["run", "--target", f"reference:mcp{deviation}", "--only", "MC-CALL-01", "--transcript", str(file)])
        files.append(str(file))
    none = tmp_path / "none.jsonl"
    none.write_text("no transcript\n")
    into = tmp_path / "judged"
    code = main(["judge", *files, str(none), "--only", "MC-CALL-01", "--into", str(into)])
    assert code == 1
    rows = [json.loads(line) for line in (into / "results.jsonl").read_text("utf-8").splitlines()]
    assert sorted(row["state"] for row in rows) == ["broken", "conforms", "error"]
    assert len(list((into / "reports").glob("*.json"))) == 2


def test_what_a_target_is_called_holds_no_secret_of_its_command(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text(
        "python notes.py --token tok-51f0-93ab --level high\nhttps://me:tok-77aa-12cd@x.example/mcp?key=tok-90ab-34ef\n",
        "utf-8",
    )
    fleet = _fleet(tmp_path, 'list = "list.txt"')
    names = [task.name for task in plan.tasks(plan.read(fleet), tmp_path)]
    assert not [name for name in names if "tok-" in name]
    assert names[0].startswith("python-notes.py")
    assert names[1] == "x.example-mcp"


def test_what_a_target_says_cannot_steer_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    says = "import sys; sys.stderr.write(chr(27) + '[2J::error::gone'); sys.exit(3)"
    (tmp_path / "says.py").write_text(says, "utf-8")
    path = _fleet(tmp_path, f'name = "rude"\nserver_command = "{sys.executable} {tmp_path / "says.py"}"')
    assert main(["fleet", str(path)]) == 2
    told = capsys.readouterr().out
    assert "rude: error" in told
    assert chr(27) not in told
    assert chr(27) not in (tmp_path / "fleet" / "index.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "target"),
        ("[[target]]\nname = 'x'", "one of config, list"),
        ("[[target]]\nconfig = 'nowhere/*.toml'", "no file is named"),
        ("[[target]]\nlist = 'nowhere.txt'", "cannot be read"),
        ("[[target]]\nserver_url = 'http://x/mcp'\ncontract = 'none'", "none"),
        ("[[target]]\nserver_url = 'http://x/mcp'\nfoo = 1", "not a known key"),
        ("engine = 'slurm'\n[[target]]\nserver_url = 'http://x/mcp'", "no engine is named"),
        ("[[", "no TOML"),
    ],
)
def test_what_is_wrong_with_the_file_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, words: str
) -> None:
    path = tmp_path / "fleet.toml"
    path.write_text(text, "utf-8")
    assert main(["fleet", str(path)]) == 2
    assert words in capsys.readouterr().err
    assert not (tmp_path / "fleet").exists(), "nothing is begun"
