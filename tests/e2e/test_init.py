"""conformance init: what it writes, what it calls, and what it leaves alone."""

import sys
import tomllib
from pathlib import Path

import pytest

from conformance.drive.loading import load
from conformance.propose import toml
from conformance.propose.harm import look
from tests.e2e.driving import command
from tests.e2e.test_cli import conformance
from tests.unit.reach.tools import tool

SERVER = " ".join(command("wants_values"))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("init")
    done = conformance("init", "--server-command", SERVER, "--env", "API_TOKEN=tok-51f0-93ab", "--seed", "1", cwd=place)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("conformance.toml: 7 tools, 6 called, 4 accepted a call\n")
    return place / "conformance.toml"


def test_what_is_written_can_be_run(made: Path) -> None:
    statement = load(made)
    assert statement.calls.harmless == ["get_note", "read_file", "sol_of", "convert", "either", "never"]
    examples = {example.tool: example.arguments for example in statement.calls.examples}
    assert examples["read_file"] == {"path": "{{files.text}}"}
    assert examples["sol_of"] == {"observatory": "Mars/North"}
    assert "save_note" not in examples
    done = conformance("run", "--config", str(made), cwd=made.parent)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "6 of 7 tools called, 4 accepted a call" in done.stdout


def test_what_is_left_to_decide_is_said(made: Path) -> None:
    text = made.read_text()
    assert "# 1. Not called: 1 tool. Which of them may be? See [calls] harmless." in text
    assert "give one in [[calls.examples]]: get_note, never" in text
    assert '# "save_note",  # annotated readOnlyHint false' in text
    assert "# save_note: not called. These arguments are a proposal, and were not tried:" in text


def test_a_secret_is_not_written(made: Path) -> None:
    assert "tok-51f0-93ab" not in made.read_text()
    assert "# API_TOKEN is a secret" in made.read_text()


def test_a_tool_that_is_named_is_called_beside_those_that_only_read(tmp_path: Path) -> None:
    done = conformance(
        "init", "--server-command", SERVER, "--harmless", "save_note", "--output", "new/c.toml", cwd=tmp_path
    )
    assert done.stdout.startswith("new/c.toml: 7 tools, 7 called, 6 accepted a call\n")
    examples = tomllib.loads((tmp_path / "new/c.toml").read_text())["calls"]["examples"]
    assert {"tool": "get_note", "arguments": {"note_id": "{{save_note.note.id}}"}} in examples


def test_nothing_is_called_where_nothing_may_be(tmp_path: Path) -> None:
    done = conformance("init", "--server-command", SERVER, "--harmless", "none", cwd=tmp_path)
    assert done.stdout.startswith("conformance.toml: 7 tools, 0 called, 0 accepted a call\n")


def test_a_file_that_is_there_is_kept(tmp_path: Path) -> None:
    (tmp_path / "conformance.toml").write_text("mine")
    done = conformance("init", "--server-command", SERVER, cwd=tmp_path)
    assert (done.returncode, (tmp_path / "conformance.toml").read_text()) == (2, "mine")
    assert "--force" in done.stderr
    assert conformance("init", "--server-command", SERVER, "--force", cwd=tmp_path).returncode == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "no server is named"),
        (["--server-command", f"{sys.executable} -c pass"], "the server ended before it answered anything"),
        (["--server-command", SERVER, "--contract", "threads"], "init is for servers that no contract knows"),
    ],
)
def test_what_cannot_be_is_said(words: list[str], said: str, tmp_path: Path) -> None:
    done = conformance("init", *words, cwd=tmp_path)
    assert done.returncode == 2
    assert said in done.stderr
    assert not (tmp_path / "conformance.toml").exists()


def test_how_a_tool_looks() -> None:
    assert look(tool("get_note")).kind == "likely"
    assert look(tool("create_note")).kind == "changes"
    assert look(tool("frobnicate")).kind == "unclear"
    for hints, kind in (({"readOnlyHint": True}, "annotated"), ({"readOnlyHint": False}, "changes")):
        about = tool("get_note")
        about.definition["annotations"] = hints
        assert look(about).kind == kind


@pytest.mark.parametrize("value", ['a"b\\c\n\t\x7f€', {"a b": [1, 2.5, True, {"c": "d"}]}, [], {}])
def test_values_as_toml(value: object) -> None:
    assert tomllib.loads(f"x = {toml.value(value)}") == {"x": value}


def test_null_is_left_out_of_toml() -> None:
    assert tomllib.loads(f"x = {toml.value({'a': None, 'b': [None, 1]})}") == {"x": {"b": [1]}}
    assert toml.comment("a\nb\x1b[0m") == "# a b [0m"
