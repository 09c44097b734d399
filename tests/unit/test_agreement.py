"""A statement says only what its contract knows; what else it says is named with its line."""

from pathlib import Path

import pytest

from conformance.certify import contract_of
from conformance.contract.terms import Term
from conformance.contracts.invocation.bench import ROLE
from conformance.contracts.threads.payloads import ROLES
from conformance.drive.agreement import agree
from conformance.drive.errors import UsageError
from conformance.drive.loading import checked, load

GOOD = """\
contract = "threads"

[[endpoint]]
transport = "http"
url = "http://127.0.0.1:1/mcp"
"""


def said(tmp_path: Path, more: str) -> str:
    path = tmp_path / "conformance.toml"
    path.write_text(GOOD + more)
    statement = load(path)
    with pytest.raises(UsageError) as caught:
        agree(statement, contract_of(statement.contract), "conformance.toml", path.read_text())
    return str(caught.value)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ("[settings]\nquota_per_minut = 5\n", "line 7: settings.quota_per_minut: is not known to the"),
        ("[settings]\nquota_per_minute = 0\n", "line 7: settings.quota_per_minute: integer from 1 is expected"),
        ("[conditions.start.tide]\nargs = []\n", "conditions.start.tide: is not known to the contract"),
        ('[conditions.command.quota_per_minute]\non = "x"\n', "conditions.command.quota_per_minute: is not known"),
        ('[choices]\ntrigger_options = { shove = "x" }\n', "line 7: choices.trigger_options: object is expected"),
        ('[[known_failure]]\nid = "TH-IDEM-1"\nreason = "x"\n', "line 7: known_failure.0.id: no requirement is named"),
        ('[auth.roles]\noperator = "lead"\n', "line 7: auth.roles.operator: is not known to the contract; did you"),
        ('[auth.claim_names]\nagent = "sub"\n', "line 7: auth.claim_names.agent: is not known to the contract"),
        ('[[auth.tokens]]\nrole = "lead"\ntoken = "x"\n', "auth.tokens.0.role: lead is not known to the contract"),
        ('[unsupported.tools]\nget_threads = "x"\n', "unsupported.tools.get_threads: is not known to the"),
        ('[unsupported.parameters]\n"read_messages.limits" = "x"\n', "write it as TOOL.PARAMETER"),
    ],
)  # fmt: skip
def test_what_the_contract_does_not_know_is_named(tmp_path: Path, more: str, words: str) -> None:
    message = said(tmp_path, more)
    assert words in message
    assert "`conformance conditions --contract threads` lists what it may say" in message


def test_a_statement_that_fits_is_taken() -> None:
    data = {
        "contract": "threads",
        "endpoint": [{"transport": "http", "url": "http://127.0.0.1:1/mcp"}],
        "settings": {"quota_per_minute": 5},
        "auth": {"roles": {"worker": "participant"}, "claim_names": {"agent_id": "sub", "aud": "audience"}},
        "choices": {"trigger_options": {"force": "override"}},
        "unsupported": {"parameters": {"read_messages.limit": "there are no pages"}, "options": {"force": "never"}},
        "known_failure": [{"id": "MC-CALL-04", "reason": "of the protocol"}],
        "conditions": {"start": {"quota_per_minute": {"args": ["--quota", "{value}"]}}},
    }
    agree(checked(data, "it"), contract_of("threads"), "it")


@pytest.mark.parametrize(
    ("schema", "shape"),
    [
        ({"type": "integer", "minimum": 1}, "integer from 1"),
        ({"enum": [True, False, "failing"]}, "true | false | failing"),
        ({"type": "array", "items": {"type": "string"}}, "list of strings"),
        ({"anyOf": [{"type": "object"}, {"const": "failing"}]}, "object | failing"),
    ],
)
def test_a_type_is_told_in_a_few_words(schema: dict[str, object], shape: str) -> None:
    assert Term("x", "setting", schema, "about").shape == shape


def test_the_roles_that_laws_know_are_the_contracts() -> None:
    assert contract_of("threads").callers.roles == ROLES
    assert contract_of("invocation").callers.roles == (ROLE,)
