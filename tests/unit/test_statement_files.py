"""Whatever stands in a conformance.toml or in the header of a transcript: a message or a run, never a traceback."""

import contextlib
import io
import json
import os
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conformance.cli.main import main

GOOD = """
contract = "mcp"
name = "a server"
protocol = "auto"
profiles = []

[[endpoint]]
transport = "in-process"
target = "reference:mcp"
env = { LEVEL = "debug" }
headers = { X-Key = "abc-123" }

[auth]
algorithm = "EdDSA"
[auth.roles]
worker = "participant"

[conditions]
[conditions.start]
[calls]
harmless = ["a"]
[[calls.examples]]
tool = "echo"
arguments = { text = "x" }

[[known_failure]]
id = "MC-LIST-03"
reason = "known"

[limits]
call_timeout_s = 2
run_timeout_s = 5
"""
VALUES = (
    '""', '"x"', "0", "-1", "1e400", "nan", "99999999999999999999", "true", "[]", "{}", '["a", 1]', "1979-05-27",
    '"\\u0000"', '"http://[::1/"', '"env:NOWHERE"', '"file:/dev/null"', '"an \\"open quote"', '"\\u007f"', "[[[[1]]]]",
    "{ a = { b = 1 } }", '"ü"', '"none"', '"stdio"', '"http"', '"http://h:99999/"', "1.5",
)  # fmt: skip
SETTINGS = {"max_examples": 150, "deadline": None, "derandomize": True, "suppress_health_check": list(HealthCheck)}


def said(words: list[str], place: Path) -> tuple[int, str]:
    """A command's exit code and what it said; whatever it raises fails the test."""
    out, err = io.TextIOWrapper(io.BytesIO()), io.StringIO()
    before = Path.cwd()
    os.chdir(place)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main(words)
    finally:
        os.chdir(before)
    return code, err.getvalue()


def holds(code: int, text: str) -> None:
    """A run, or a message."""
    assert code in (0, 1, 2, 3)
    assert code != 2 or text.startswith("conformance "), text
    assert "suite itself failed" not in text


@settings(**SETTINGS)
@given(data=st.data())
def test_a_mutated_statement(data: st.DataObject, tmp_path_factory: pytest.TempPathFactory) -> None:
    lines = GOOD.splitlines()
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(lines) - 1))
        how = data.draw(st.sampled_from(["value", "drop", "twice", "octet", "key"]))
        line = lines[place]
        if how == "value" and "=" in line:
            lines[place] = f"{line.partition('=')[0]}= {data.draw(st.sampled_from(VALUES))}"
        elif how == "key" and "=" in line:
            lines[place] = (
                f"{data.draw(st.sampled_from(['url', 'command', 'cwd', 'x', 'role']))} ={line.partition('=')[2]}"
            )
        elif how == "drop":
            lines[place] = ""
        elif how == "twice":
            lines.insert(place, line)
        elif line:
            at = data.draw(st.integers(0, len(line) - 1))
            lines[place] = line[:at] + data.draw(st.characters(codec="utf-8")) + line[at + 1 :]
    place = tmp_path_factory.mktemp("statement")
    (place / "conformance.toml").write_text("\n".join(lines), "utf-8")
    holds(*said(["run", "--only", "MC-RPC-02", "--config", "conformance.toml", "--format", "json"], place))


JSON = (
    None, True, 0, -1, 2**63, 2**70, 1.5, 1e300, "", "x", "MC-LIST-03", [], {}, [1], ["x"], [[]], [{}], {"": 1},
    {"x": "y"},     {"tools": 1}, {"id": "x"}, [{"id": ["x"], "reason": 1}], ["MC-LIST-03"], {"tools": {"x": 1}}, "all",
    {"harmless": 5},
)  # fmt: skip
TABLES = (
    "known_failure", "known_flaky", "unobservable", "unsupported", "calls", "choices", "settings", "conditions",
    "endpoint", "auth", "limits", "documents",
)  # fmt: skip


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    place = tmp_path_factory.mktemp("run")
    code, _ = said(["run", "--target", "reference:mcp", "--only", "MC-RPC-02", "--transcript", "run.jsonl"], place)
    assert code == 0
    return (place / "run.jsonl").read_text().splitlines(keepends=True)


def test_a_mutated_header(recorded: list[str], tmp_path: Path) -> None:
    drawn = random.Random(1)
    for _ in range(150):
        header: dict[str, Any] = json.loads(recorded[0])
        entry = {key: drawn.choice(JSON) for key in ("id", "reason", "tools", "codes") if drawn.random() < 0.7}
        value = drawn.choice([drawn.choice(JSON), [entry], [{**entry, "id": "MC-LIST-03"}], entry])
        if drawn.random() < 0.7:
            header["statement"][drawn.choice(TABLES)] = value
        else:
            header[drawn.choice([*header, "edition", "profiles", "settings", "command"])] = drawn.choice(JSON)
        (tmp_path / "run.jsonl").write_text(json.dumps(header) + "\n" + "".join(recorded[1:40]))
        code, text = said(["judge", "run.jsonl", "--format", "markdown"], tmp_path)
        holds(code, text)


@pytest.mark.parametrize(
    ("line", "instead", "expected"),
    [
        ('target = "reference:mcp"', "command = \"x 'open\"", "line 9: endpoint.0.command: the command cannot be"),
        ("env = {", 'env = { "A=B" = "x" }#', "line 10: endpoint.0.env: 'A=B' is no name of a variable"),
        ("headers = {", 'headers = { "A b" = "x" }#', "line 11: endpoint.0.headers: 'A b' is no name of a header"),
        ("headers = {", 'headers = { A = "x\\r\\nB: y" }#', "the value of A holds a line break"),
        ('target = "reference:mcp"', 'url = "http://h:99999/"', "line 9: endpoint.0.url: it is no URL: Port out"),
        ('target = "reference:mcp"', 'url = "http://[::1/"', "line 9: endpoint.0.url: it is no URL"),
        ('algorithm = "EdDSA"', 'algorithm = "none"', "line 14: auth.algorithm: it is one of EdDSA"),
        ('name = "a server"', "name = 12345678901234567890123", "line 3: name: a number of JSON that"),
        ('id = "MC-LIST-03"', 'id = "MC-NOPE-01"', "line 27: known_failure.0.id: no requirement is named"),
        ('algorithm = "EdDSA"', 'signing_key = "conformance.toml"', "key is neither a JWK nor a key in PEM"),
        ('algorithm = "EdDSA"', 'algorithm = "EdDSA"\nsigning_key = "conformance.toml"', "it is a secret, which"),
        ('harmless = ["a"]', 'harmless = ["all"]', 'line 21: calls.harmless: write harmless = "all", without'),
        ("headers = {", 'headers = { A = "env:NOT_THERE_AT_ALL" }#', "the environment has no NOT_THERE_AT_ALL"),
        ("headers = {", 'headers = { A = "file:/bin/sh" }#', "/bin/sh cannot be read"),
        ('name = "a server"', "name = " + "[" * 2_000 + "]" * 2_000, "lie too deep in one another"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_before_the_run(line: str, instead: str, expected: str, tmp_path: Path) -> None:
    (tmp_path / "conformance.toml").write_text(GOOD.replace(line, instead, 1))
    code, text = said(["run", "--transcript", "run.jsonl"], tmp_path)
    assert code == 2
    assert expected in text
    assert not (tmp_path / "run.jsonl").exists()


def test_a_contract_that_names_its_roles_wants_a_token_for_the_ordinary_one(tmp_path: Path) -> None:
    """Where neither the contract nor its protocol names roles, any token does: tests/unit/test_own_contracts.py."""
    endpoint = '[[endpoint]]\ntransport = "http"\nurl = "http://127.0.0.1:9/mcp"\n'
    token = '[[auth.tokens]]\nrole = "worker"\ntoken = "t"\n'
    (tmp_path / "conformance.toml").write_text(f'contract = "threads"\n{endpoint}{token}')
    code, text = said(["run"], tmp_path)
    assert code == 2
    assert "[[auth.tokens]] has no token for the role orchestrator" in text
