"""`python -m reference_server`: what it prints, and that a bad invocation says why and is no traceback."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from reference_server.__main__ import main

from .conftest import Run
from .processes import outcome


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


def test_a_contract_whose_library_is_missing_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules['mcp'] = None; from reference_server.__main__ import main; "
        "sys.exit(main(['invocation', '--test-conditions']))"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    told = "reference_server: reference_server.invocation needs mcp: install mcp-contract-conformance[reference]\n"
    assert [ended.returncode, ended.stderr] == [2, told]
