"""Help that suffices, versions, completion in a shell, a check of conformance.toml, pages from the command line."""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from conformance import __version__
from conformance.cli.completion import SHELLS
from conformance.cli.main import COMMANDS, parser_of
from tests.e2e.test_cli import conformance

FIXTURES = Path(__file__).parents[2] / "fixtures"


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_command_has_examples_that_parse_and_says_its_exit_codes(name, capsys):
    parser = parser_of([name], [name])
    with pytest.raises(SystemExit):
        parser.parse_args([name, "--help"])
    exits, _, examples = capsys.readouterr().out.partition("exit codes:")[2].partition("examples:")
    assert re.search(r"^  0  ", exits, re.MULTILINE)
    assert re.search(r"^  2  ", exits, re.MULTILINE)
    typed = re.findall(r"(conformance " + name + r".*?)(?:\)\"?)?(?:   .*| > .*)?$", examples, re.MULTILINE)
    assert typed
    for line in typed:
        parser.parse_args(shlex.split(line)[1:])


def test_the_version_names_the_contracts_and_their_editions():
    told = conformance("--version").stdout
    assert told.startswith(f"mcp-contract-conformance {__version__}\n")
    assert re.search(r"tuitbot +session-05, convergence", told)


def test_the_package_is_run_as_the_command_is():
    done = subprocess.run(
        [sys.executable, "-m", "conformance", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout == conformance("--version").stdout


@pytest.mark.parametrize("shell", SHELLS)
def test_what_completes_is_printed_for_each_shell(shell):
    done = conformance("completion", shell)
    assert done.returncode == 0, done.stderr
    assert "TH-IDEM-01" in done.stdout


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash here")
@pytest.mark.parametrize(
    ("words", "completed"),
    [
        (["conformance", "expl"], "explain"),
        (["conformance", "explain", "TH-IDEM-0"], "TH-IDEM-01"),
        (["conformance", "run", "--contract", "thr"], "threads"),
        (["conformance", "judge", "--strict", "--out"], "--output"),
    ],
)
def test_bash_completes(words, completed):
    script = 'eval "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _shtab_conformance; echo "${COMPREPLY[@]}"'
    text = conformance("completion", "bash").stdout
    done = subprocess.run(["bash", "-c", script, "_", text, *words], capture_output=True, text=True, check=True)
    assert completed in done.stdout.split()


@pytest.mark.parametrize("path", sorted((FIXTURES / "conformance").glob("*.toml")), ids=lambda path: path.name)
def test_the_examples_of_conformance_toml_are_valid(path):
    done = conformance("check", str(path))
    assert (done.returncode, done.stdout) == (0, f"{path}: valid\n"), done.stdout


def test_check_names_every_file_that_is_wrong_with_the_line(tmp_path):
    (tmp_path / "a.toml").write_text('contract = "threads"\n\n[endpoint]\n')
    (tmp_path / "b.toml").write_text('contract = "thread"\n[[endpoint]]\ntransport = "stdio"\ncommand = "x"\n')
    (tmp_path / "c.toml").write_text(
        'contract = "threads"\n[settings]\nquota = 3\n[[endpoint]]\ntransport = "in-process"\ntarget = "reference"\n'
    )
    done = conformance("check", "a.toml", "b.toml", "c.toml", "absent.toml", cwd=tmp_path)
    assert done.returncode == 1
    assert "line 3: endpoint" in done.stdout
    assert "b.toml: no contract is found by 'thread'" in done.stdout
    assert "line 3: settings.quota" in done.stdout
    assert "absent.toml cannot be read" in done.stdout


def test_check_starts_nothing(tmp_path):
    (tmp_path / "conformance.toml").write_text(
        'contract = "mcp"\n[[endpoint]]\ntransport = "stdio"\ncommand = "touch started"\n'
    )
    assert conformance("check", cwd=tmp_path).returncode == 0
    assert not (tmp_path / "started").exists()


def test_pages_are_written_from_reports(tmp_path):
    conformance(
        "run", "--target", "reference:threads+TH-IDEM-02", "--only", "TH-IDEM-02", "--output", "r.json", cwd=tmp_path
    )
    done = conformance("site", "pages", "r.json", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    (page,) = (tmp_path / "pages" / "reports").iterdir()
    assert "../contracts/threads.html#TH-IDEM-02" in page.read_text("utf-8")
    assert f"reports/{page.name}" in (tmp_path / "pages" / "index.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["site", "pages", "absent.json"], "absent.json cannot be read"),
        (["site", "pages", "other.json"], "other.json is no report of this suite"),
        (["site", "taken/pages"], "cannot be written"),
    ],
)
def test_pages_that_cannot_be_written_are_a_clear_error(words, said, tmp_path):
    (tmp_path / "other.json").write_text("{}")
    (tmp_path / "taken").write_text("a file")
    done = conformance(*words, cwd=tmp_path)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr
