"""The frozen vectors of a contract: two generators' arguments, kept so that a library's update changes none of them."""

import json
from pathlib import Path

import pytest

from conformance.contract.catalogue import load
from conformance.contract.dialect import satisfies
from conformance.drive.vectors.frozen import frozen
from reference_server.contracts import CONTRACTS
from reference_server.host import Host
from reference_server.threads.refusal import Refusal
from reference_server.threads.validation import Arguments
from reference_server.tokens import Trust

SCHEMAS = Path(__file__).parents[2] / "schemas"


def test_the_published_tools_are_those_that_the_reference_serves() -> None:
    for contract in CONTRACTS:
        path = SCHEMAS / contract / "tools.json"
        if not path.exists():
            continue
        served = Host(contract, trust=Trust.for_tests()).instance({}).application.tools
        published = {tool["name"]: tool["inputSchema"] for tool in json.loads(path.read_text())}
        assert {tool.name: tool.input_schema for tool in served}.items() <= published.items()


@pytest.mark.parametrize("tool", frozen("threads"))
def test_vectors_are_what_they_say(tool: str) -> None:
    """By two validators, and by the reference: it refuses those that break a keyword and takes the others."""
    schema, arguments = load("threads").tools[tool].inputSchema, Arguments()
    for vector in frozen("threads")[tool]:
        assert satisfies(schema, vector.value) is vector.valid, vector
        if vector.valid:
            assert arguments.check(tool, vector.value) == vector.value
        else:
            with pytest.raises(Refusal):
                arguments.check(tool, vector.value)


def test_both_generators_are_there() -> None:
    origins = {vector.origin for found in frozen("threads").values() for vector in found}
    assert origins == {"own", "schemathesis"}
