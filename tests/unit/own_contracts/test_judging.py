"""How a record is judged by a contract from anywhere, and who calls for it."""

import pytest

from conformance.certify import Options, contract_of, history_of
from conformance.drive.errors import UsageError
from conformance.drive.library import default_role
from conformance.drive.loading import checked
from tests.unit.own_contracts.conftest import NOTES


def test_a_record_is_judged_by_the_contract_that_is_named(folder, tmp_path):
    record = tmp_path / "run.jsonl"
    header = (
        '{"event":"header","suite":"0","contract":"notes","digest":"%s","target":"t","statement":{},'
        '"limits":{"call_timeout_ms":1,"max_answer_bytes":1},"started_at":"2026-01-01T00:00:00Z"}\n'
    )
    record.write_text(header % "0", "utf-8")
    with pytest.raises(UsageError, match="--contract"):
        history_of(record, Options())
    about = contract_of(str(folder))
    report, _, _ = history_of(record, Options(contract=about.name))
    assert "was changed since" in " ".join(report.notes)
    record.write_text(header % about.digest, "utf-8")
    assert "was changed since" not in " ".join(history_of(record, Options(contract=about.name))[0].notes)
    with pytest.raises(UsageError, match="is named"):
        history_of(record, Options(contract="threads"))


def test_a_record_of_any_server_is_judged_by_any_contract(folder, tmp_path):
    record = tmp_path / "run.jsonl"
    record.write_text(
        '{"event":"header","suite":"0","contract":"mcp","target":"t","statement":{},'
        '"limits":{"call_timeout_ms":1,"max_answer_bytes":1},"started_at":"2026-01-01T00:00:00Z"}\n',
        "utf-8",
    )
    report, _, about = history_of(record, Options(contract=contract_of(str(folder)).name))
    assert (about.name, report.contract) == ("notes", "notes")


@pytest.mark.parametrize(
    ("contract", "roles", "caller"),
    [
        ("mcp", (), "orchestrator"),
        ("mcp", ("writer", "reader"), "writer"),
        ("mcp", ("writer", "orchestrator"), "orchestrator"),
        ("threads", ("worker",), "orchestrator"),
        ("tuitbot", ("writer",), None),
        (str(NOTES), ("writer", "reader"), "writer"),
    ],
)
def test_calls_are_made_by_whom_the_statement_has_a_token_for(contract, roles, caller):
    """A contract that names no roles leaves the words to the target."""
    about = contract_of(contract)
    tokens = [{"role": role, "token": "a-token-of-some-length"} for role in roles]
    data = {"contract": about.name, "endpoint": [{"transport": "http", "url": "http://127.0.0.1:1/mcp"}]}
    assert default_role(about, checked({**data, "auth": {"tokens": tokens}}, "the test")) == caller


ROLES = 'name = "roles"\n[callers]\nroles = ["reader", "writer"]\n[[example]]\ntool = "put"\n'


@pytest.mark.parametrize(
    ("tokens", "caller"), [((), "writer"), (("reader", "writer"), "writer"), (("reader",), "reader")]
)
def test_calls_are_made_by_whom_the_contract_refuses_nothing(tmp_path, tokens, caller):
    promise = '{ law = "refused", tool = "put", cause = "role", role = "reader" }'
    (tmp_path / "contract.toml").write_text(ROLES)
    (tmp_path / "requirements.toml").write_text(f'requirement = [{{ id = "RO-PUT", promise = {promise} }}]\n')
    (tmp_path / "tools.json").write_text('[{"name": "put", "inputSchema": {"type": "object"}}]')
    about = contract_of(str(tmp_path))
    rows = [{"role": role, "token": "a-token-of-some-length"} for role in tokens]
    data = {"contract": about.name, "endpoint": [{"transport": "http", "url": "http://127.0.0.1:1/mcp"}]}
    assert default_role(about, checked({**data, "auth": {"tokens": rows}}, "the test")) == caller
