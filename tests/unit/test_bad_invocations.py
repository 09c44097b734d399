"""What is typed and means nothing is refused before anything starts: a run without it would be about something else."""

import sys
from pathlib import Path

import pytest

from conformance.cli.main import main
from conformance.histories import fuzzing

NOWHERE = ("--server-url", "http://127.0.0.1:1/mcp")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("run", "--server-command", ""), "--server-command is given without a value"),
        (("run", "--server-command", " "), "--server-command is given without a value"),
        (("run", "--server-command="), "--server-command is given without a value"),
        (("run", "--target", ""), "--target is given without a value"),
        (("run", "--only", "", "--seed", "1"), "--only is given without a value"),
        (("judge", "run.jsonl", "--contract="), "--contract is given without a value"),
        (("run", "--timeout", "soon"), "argument --timeout: invalid float value: 'soon'"),
        (("run", "--server-comand", "x"), "--server-comand x; did you mean --server-command?"),
        (("check", "--config", "x"), "conformance check: unrecognized arguments: --config"),
        (("run", "--min-tools", "101"), "--min-tools: input should be less than or equal to 100"),
        (("run", "--timeout", "-1"), "--timeout: input should be greater than 0"),
        (("run", "--server-command", "x", "--header", "A: b"), "no server is called over HTTP by this run (--header)"),
        (("run", *NOWHERE, "--header", "A: Bearer env:T"), "env:NAME stands for the whole value of a header"),
        (("run", "--server-command", "x", "--cwd", "nowhere"), "no folder: nowhere"),
        (("run", "--server-command", "../x"), "a path from the folder where conformance is started"),
        (("run", "--output", "report.pdf"), "end the name in what it is to hold (.json, .xml, "),
        (("judge", __file__), "give a transcript: what --transcript of run or tap wrote"),
        (("run", "--stimulus", "qqq"), "threads has no stimulus qqq"),
        (("run", "--protocol", "1999-01-01"), "one of auto, 2026-07-28, "),
        (("run", "--profile", "full"), "profiles.full: is not known to the contract"),
        (("prove", "--only", "NOPE"), "no requirement of the contracts chosen is named NOPE"),
        (
            ("prove", "--contract", "mcp", "--only", "TH-IDEM-01"),
            "no requirement of the contracts chosen is named TH-IDEM",
        ),
        (("requirements", "--only", "NOPE"), "no requirement of the contracts chosen is named NOPE"),
        (("tap", *NOWHERE, "--listen", "65536", "--transcript", "t.jsonl"), "65536 is no port (--listen)"),
        (("tap", *NOWHERE, "--listen", "-1", "--transcript", "t.jsonl"), "-1 is no port (--listen)"),
    ],
)
def test_what_means_nothing_is_refused(
    words: tuple[str, ...],
    said: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    try:
        code = main(words)
    except SystemExit as ended:
        code = int(str(ended.code))
    told = capsys.readouterr()
    assert (code, told.out) == (2, "")
    assert said in told.err
    assert len(told.err.splitlines()) <= 4


def test_random_histories_without_their_library_are_refused(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fuzzing, "find_spec", lambda _: None)
    assert main(["run", "--only", "TH-IDEM-01", "--fuzz", "10"]) == 2
    assert 'pip install "mcp-contract-conformance[generate]"' in capsys.readouterr().err


def test_requirements_are_selected_over_all_contracts(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["requirements", "--only", "TH-IDEM-01,MC-RES-*"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == [
        "MC-RES-01",
        "MC-RES-02",
        "MC-RES-03",
        "TH-IDEM-01",
        "4",
    ]


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("print('usage: serve PORT')", "to stdout it wrote 'usage: serve PORT'"),
        (
            """print('{"id": 7, "level": "info"}', flush=True); import sys; sys.stdin.read()""",
            """initialize got no answer; it wrote '{"id":7,"level":"info"}'""",
        ),
        (
            "import sys; sys.stdout.write('{}\\r'); sys.stdout.flush(); sys.stdin.read()",
            "it began a line and has not ended it by \\n: '{}'",
        ),
    ],
)
def test_what_a_server_wrote_to_stdout_in_place_of_an_answer_is_told(
    program: str, said: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("server.py").write_text(program)
    Path("conformance.toml").write_text(
        f'contract = "mcp"\n[[endpoint]]\ntransport = "stdio"\ncommand = ["{sys.executable}", "server.py"]\n'
        "[limits]\nstart_timeout_s = 2\n"
    )
    assert main(["run"]) == 2
    assert said in capsys.readouterr().err


def test_a_file_that_begins_with_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    path = tmp_path / "conformance.toml"
    path.write_text('contract = "mcp"\r\n[[endpoint]]\r\ntransport = "stdio"\r\ncommand = "serve"\r\n', "utf-8-sig")
    assert main(["check", str(path)]) == 0
    fleet = tmp_path / "fleet.toml"
    fleet.write_text('[[target]]\nname = "a"\nlist = "list.txt"\n', "utf-8-sig")
    (tmp_path / "list.txt").write_text("http://127.0.0.1:1/mcp\r\n", "utf-8-sig")
    assert main(["fleet", str(fleet)]) == 2
    assert "no server answers" in (tmp_path / "fleet" / "results.jsonl").read_text()


def test_the_file_of_a_key_is_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "s3cret-9xQ7-zz.pem"
    path.write_text("no key")
    assert main(["verify", str(tmp_path), "--key", str(path)]) == 2
    assert f"{path} holds no public key (--key)" in capsys.readouterr().err


def test_one_transcript_is_judged_into_a_folder(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    run = tmp_path / "run.jsonl"
    assert main(["run", "--only", "TH-IDEM-01", "--transcript", str(run)]) == 0
    assert main(["judge", str(run), "--only", "TH-IDEM-01", "--into", str(tmp_path / "judged")]) == 0
    assert (tmp_path / "judged" / "results.jsonl").exists()
    assert "1 target: 1 conforms" in capsys.readouterr().out
    assert main(["judge", str(run), "--into", str(tmp_path / "judged"), "--format", "json"]) == 2
