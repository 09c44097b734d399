"""What is typed on top of what a file says: which calls, which environment, which part of the judgement."""

from pathlib import Path

import pytest

from conformance.certify import certify, rejudge
from conformance.cli import options, run
from conformance.cli.arguments import parsed
from conformance.drive.errors import UsageError
from conformance.drive.statement import Statement
from tests.recordings import Recorded

FILE = """
contract = "mcp"
[[endpoint]]
transport = "stdio"
command = "serve"
cwd = "/srv"
[endpoint.env]
LEVEL = "1"
PLACE = "here"
[calls]
harmless = ["look"]
skip = ["wipe"]
"""


def stated(*words: str, file: str = "", tmp_path: Path | None = None) -> Statement:
    config: list[str] = []
    if file and tmp_path is not None:
        (tmp_path / "c.toml").write_text(file)
        config = ["--config", str(tmp_path / "c.toml")]
    return options.statement_of(parsed(run, [*config, *words], "")).statement


@pytest.mark.parametrize("word", ["all", "read-only", "none"])
def test_harmless_by_word(word: str) -> None:
    assert stated("--server-command", "serve", "--harmless", word).calls.harmless == word


def test_harmless_by_names() -> None:
    given = stated("--server-command", "serve", "--harmless", "look, find", "--skip", "find", "--skip", "a,b")
    assert (given.calls.harmless, given.calls.skip) == (["look", "find"], ["find", "a", "b"])


def test_what_is_typed_comes_on_top_of_the_file(tmp_path: Path) -> None:
    words = ("--harmless", "all", "--skip", "find", "--env", "LEVEL=2", "--env", "NEW=a=b", "--cwd", "/elsewhere")
    given = stated(*words, file=FILE, tmp_path=tmp_path)
    assert given.calls.harmless == "all", "in the place of the file's"
    assert given.calls.skip == ["wipe", "find"], "beside the file's"
    assert given.endpoint[0].env == {"LEVEL": "2", "PLACE": "here", "NEW": "a=b"}, "by name"
    assert given.endpoint[0].cwd == "/elsewhere"


def test_the_file_alone(tmp_path: Path) -> None:
    given = stated(file=FILE, tmp_path=tmp_path)
    assert (given.calls.harmless, given.calls.skip, given.endpoint[0].cwd) == (["look"], ["wipe"], "/srv")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--server-url", "http://127.0.0.1:9/mcp", "--env", "A=1"], "no server is started by this run"),
        (["--server-url", "http://127.0.0.1:9/mcp", "--cwd", "/srv"], "no server is started by this run"),
        (["--server-command", "serve", "--env", "A"], "write it as NAME=VALUE"),
        (["--server-command", "serve", "--env", "=1"], "write it as NAME=VALUE"),
    ],
)
def test_what_makes_no_sense_is_refused(words: list[str], said: str) -> None:
    with pytest.raises(UsageError) as raised:
        stated(*words)
    assert said in str(raised.value)


def test_a_run_of_a_contract_without_mcp(tmp_path: Path, recorded: Recorded) -> None:
    words = options.selection(parsed(run, ["--without", "mcp"], ""), seed=1, transcript=tmp_path / "t.jsonl")
    whole = rejudge(recorded("threads"), options.Options())
    alone = certify(stated("--target", "reference:threads"), words)
    assert {r.id for r in alone.requirements} == {r.id for r in whole.requirements}
    assert {r.id for r in alone.foundation} == {"MC-LIST-01", "MC-RPC-01", "MC-RPC-07"}, "what the contract stands on"
    assert len(whole.foundation) > len(alone.foundation)
    assert alone.conformant
    assert alone.calls < whole.calls
    assert not [name for name in {call.stimulus for call in alone.evidence} if name.startswith("mcp.")]
    assert rejudge(tmp_path / "t.jsonl", words) == alone


def test_mcp_is_not_left_out_of_a_run_about_mcp() -> None:
    with pytest.raises(UsageError, match="the run is about mcp itself"):
        stated("--target", "reference:mcp", "--without", "mcp")


def test_all_and_what_it_leaves_out() -> None:
    given = stated("--server-command", "serve", "--harmless", "all,kill_process")
    assert given.calls.harmless == ["all", "kill_process"]
