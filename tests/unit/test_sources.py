"""A source names its document by title, and then the section."""

import re

import pytest

from conformance.contract.catalogue import load, names
from conformance.contract.sources import named

DOCUMENTS = {"004": "Threads protocol", "000": "Envelope contract", "004, the whole": "Threads protocol as a whole"}


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("004 3.2, 7", "Threads protocol, 3.2, 7"),
        ("004, /v1 methods", "Threads protocol, /v1 methods"),
        ("004, the whole", "Threads protocol as a whole"),
        ("000 Envelope; 004 2", "Envelope contract, Envelope; Threads protocol, 2"),
        ("MCP basic, $ref", "MCP specification, basic, $ref"),
        ("JSON-RPC 2.0; MCP basic", "JSON-RPC 2.0; MCP specification, basic"),
        ("another document", "another document"),
    ],
)
def test_a_source_is_told_in_full(source: str, told: str) -> None:
    assert named(source, DOCUMENTS) == told


@pytest.mark.parametrize("name", names())
def test_no_source_has_a_number_that_only_we_know(name: str) -> None:
    contract = load(name)
    told = [contract.document, *(row.source for row in contract.requirements.values())]
    assert not [source for source in told if re.search(r"\b00\d\b|\bseed\b", source)]
