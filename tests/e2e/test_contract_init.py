"""conformance contract init: a draft from a live server says what the server does, and finds what it no longer does."""

import sys
import tomllib
from pathlib import Path

import pytest

from conformance.cli.main import main
from tests.e2e.test_cli import conformance

SERVER = Path(__file__).parents[2] / "fixtures" / "notes" / "server.py"
REAL = f"{sys.executable} {SERVER}"
COMMAND = f"{sys.executable} {Path(__file__).parent / 'servers' / 'keeps_notes.py'}"
"""The same without an SDK."""


def _draft(folder: Path, *options: str, command: str = COMMAND) -> str:
    done = conformance("contract", "init", "--server-command", command, "--seed", "1", *options, cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("notes")
    assert _draft(place, "--harmless", "all", command=REAL).startswith("contract: 7 tools, note, 5 codes\n")
    return place / "contract"


def test_what_the_server_promises_is_drafted(notes: Path) -> None:
    rows = tomllib.loads((notes / "requirements.toml").read_text())["requirement"]
    promises = {(row["promise"]["law"], row["promise"].get("tool", "")): row["promise"] for row in rows}
    assert promises["replayed", "save_note"]["key"] == "@/request_key"
    assert promises["conflicting", "save_note"]["codes"] == ["KEY_REUSED"]
    assert promises["guarded", "update_note"]["codes"] == ["REVISION_MISMATCH"]
    assert promises["refused", "get_note"]["codes"] == ["NOT_FOUND"]
    assert promises["paged", "list_notes"]["next"] == "/next_cursor"
    assert promises["capped", "list_notes"]["most"] == 50
    barred = promises["barred", "update_note"]
    assert (barred["state"], barred["codes"]) == ("archived", ["ARCHIVED"])
    codes = {row["code"]: row["retryable"] for row in tomllib.loads((notes / "errors.toml").read_text())["error"]}
    assert codes.pop("REVISION_MISMATCH") is True
    assert codes == dict.fromkeys(("NOT_FOUND", "INVALID_ARGUMENT", "KEY_REUSED", "ARCHIVED"), False)
    make = tomllib.loads((notes / "contract.toml").read_text())["make"][0]
    assert [(each["name"], each["leave"]["tool"]) for each in make["states"]] == [("archived", "restore_note")]
    assert make["change"]["arguments"]["expected_revision"] == "{{revision}}"


def test_each_line_has_its_evidence(notes: Path) -> None:
    text = (notes / "requirements.toml").read_text()
    assert text.count("# Seen: ") == text.count("promise = {")


def test_nothing_is_unproved(notes: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["contract", "check", str(notes)]) == 0
    assert "all of it can be proved" in capsys.readouterr().out


@pytest.mark.parametrize(("broken", "law"), [("", ""), ("replayed", "replayed"), ("guarded", "guarded")])
def test_the_draft_judges_the_server(notes: Path, broken: str, law: str) -> None:
    command = f"{COMMAND} --break {broken}" if broken else COMMAND
    done = conformance("run", "--contract", str(notes), "--server-command", command, "--format", "markdown")
    rows = tomllib.loads((notes / "requirements.toml").read_text())["requirement"]
    if broken:
        identifier = next(row["id"] for row in rows if row["promise"]["law"] == law)
        assert done.returncode == 1
        assert identifier in done.stdout
    else:
        assert done.returncode == 0, done.stdout


def test_what_does_not_hold_is_a_comment(tmp_path: Path) -> None:
    _draft(tmp_path, "--harmless", "all", command=f"{COMMAND} --break replayed")
    text = (tmp_path / "contract" / "requirements.toml").read_text()
    rows = tomllib.loads(text)["requirement"]
    assert not any(row["promise"]["law"] == "replayed" for row in rows)
    doubtful = next(part for part in text.split("\n\n") if 'law = "replayed"' in part)
    assert "# Doubtful: " in doubtful
    assert "# promise = {" in doubtful


def test_tools_that_write_are_not_called_unasked(tmp_path: Path) -> None:
    told = _draft(tmp_path)
    assert "no kind of entity" in told
    assert "--harmless names them" in told
    assert main(["contract", "check", str(tmp_path / "contract")]) in (0, 1), "what is written can be read"


@pytest.mark.parametrize("option", [("--output",), ()])
def test_a_folder_that_holds_a_contract_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], option: tuple[str, ...]
) -> None:
    (tmp_path / "contract.toml").write_text("mine")
    assert main(["contract", "init", "--server-command", COMMAND, *option, str(tmp_path)]) == 2
    assert "is there already" in capsys.readouterr().err
    assert (tmp_path / "contract.toml").read_text() == "mine"


def test_the_folder_is_named_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = (str(tmp_path / "one"), "--output", str(tmp_path / "two"))
    assert main(["contract", "init", "--server-command", COMMAND, *words]) == 2
    assert "named twice" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
