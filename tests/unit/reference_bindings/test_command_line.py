"""`python -m reference_server`: what it prints, and that a bad invocation says why and is no traceback."""

import json
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from reference_server.__main__ import main
from reference_server.contracts import MissingLibraryError, UnknownContractError, UnknownEditionError

from .conftest import Run
from .processes import outcome

SERVING = "serving over stdio and HTTP needs "


def test_tools_are_printed_as_they_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tools", "threads"]) == 0
    tools = json.loads(capsys.readouterr().out)
    assert len(tools) == 9
    assert all({"name", "description", "inputSchema", "outputSchema", "annotations"} <= tool.keys() for tool in tools)


def test_deviations_are_listed_with_their_transport(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["deviations", "mcp"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) > 30
    assert all(line.startswith("MC-") for line in lines)
    assert "MC-RPC-07 [stdio]: A banner is printed on stdout before the first message." in lines
    assert main(["deviations"]) == 0
    assert len(capsys.readouterr().out.splitlines()) > len(lines)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["threads"], "--jwks is required"),
        (["threads", "--jwks", "nowhere.json", "--issuer", "i", "--audience", "a"], "cannot be read"),
        (["threads", "--jwks", "nowhere.json"], "needs --issuer and --audience"),
        (["threads", "--test-conditions", "--deviate", "TH-VER-77"], "nearest"),
        (["threads", "--test-conditions", "--deviate", "MC-RPC-07", "--transport", "http"], "over stdio only"),
        (["threads", "--test-conditions", "--deviate", "TH-VER-06"], "over v1 only"),
        (["threads", "--test-conditions", "--deviate", "MC-RPC-01"], "in process only"),
        (["threads", "--test-conditions", "--setting", "nonsense"], "KEY=VALUE"),
        (["threads", "--test-conditions", "--page-size", "0"], "page_size"),
        (["threads", "--test-conditions", "--transport", "http", "--host", "203.0.113.1"], "assign"),
    ],
)
def test_a_bad_invocation_is_explained(capsys: pytest.CaptureFixture[str], arguments: list[str], says: str) -> None:
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert says in error
    assert "Traceback" not in error


def test_keys_that_are_no_set_are_explained(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    keys = tmp_path / "keys.json"
    for text, says in (("{", "as JSON"), ("[]", "no JWK set"), ('{"keys": [{}]}', "no usable key")):
        keys.write_text(text)
        assert main(["threads", "--jwks", str(keys), "--issuer", "i", "--audience", "a"]) == 2
        assert says in capsys.readouterr().err


def test_the_module_runs_and_exits_with_the_code(run: Run) -> None:
    code, out, err = run(outcome("deviations", "mcp"))
    assert (code, err) == (0, "")
    assert "MC-HINT-05" in out
    code, out, err = run(outcome("threads", "--transport", "pigeon"))
    assert (code, out) == (2, "")
    assert "pigeon" in err


@pytest.mark.parametrize(
    ("library", "arguments", "needs"),
    [
        ("mcp", ["invocation", "--test-conditions"], "reference_server.invocation needs mcp"),
        ("mcp", ["tools", "invocation"], "reference_server.invocation needs mcp"),
        ("mcp", ["threads", "--test-conditions"], SERVING + "mcp"),
        (
            "uvicorn",
            ["threads", "--test-conditions", "--transport", "http"],
            "serving over stdio and HTTP needs uvicorn",
        ),
    ],
)
def test_a_library_that_is_missing_is_named_with_what_installs_it(
    library: str, arguments: list[str], needs: str
) -> None:
    code = f"import sys; sys.modules[{library!r}] = None; from reference_server.__main__ import main; "
    words = [sys.executable, "-c", f"{code}sys.exit(main({arguments!r}))"]
    ended = subprocess.run(words, capture_output=True, text=True, check=False)
    told = f'reference_server: {needs}: pip install "mcp-contract-conformance[reference]"\n'
    assert [ended.returncode, ended.stderr] == [2, told]


@pytest.mark.parametrize("words", [["explain", "IR-INV-01"], ["site", "pages"]])
def test_what_can_be_broken_is_told_without_the_libraries_that_serve(words: list[str], tmp_path: Path) -> None:
    code = "import sys; sys.modules['mcp'] = sys.modules['uvicorn'] = None; from conformance.cli.main import main; "
    ended = subprocess.run(
        [sys.executable, "-c", f"{code}sys.exit(main({words!r}))"],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert [ended.returncode, ended.stderr] == [0, ""]


def test_an_error_of_another_process_says_the_same_here() -> None:
    for error in (MissingLibraryError("x", "mcp"), UnknownEditionError("x", ("a", "b")), UnknownContractError("x")):
        assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    ended = subprocess.run(
        ["/bin/sh", "-c", f"{sys.executable} -m reference_server deviations | head -1"],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert ended.stderr == ""
    assert ended.stdout.count("\n") == 1
