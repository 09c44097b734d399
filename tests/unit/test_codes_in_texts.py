"""Codes that stand in the text of a refusal: as many a server tells them that has no envelope."""

from typing import Any

import pytest
from msgspec import structs

from conformance.certify import contract_of
from conformance.contract import promises as p
from conformance.judge.promised.envelope import catalogued
from conformance.model.envelope import EnvelopeRule
from conformance.model.exchange import Exchange
from conformance.model.history import History
from conformance.propose.contract.envelope import PROSE, message, told
from conformance.prove.proxy.answers import Codes
from conformance.prove.proxy.breakage import Samples, World
from tests.laws.histories import Story
from tests.laws.promised.desk import FOLDER

RULE = EnvelopeRule(code_pattern=PROSE[0])
CONTRACT = structs.replace(contract_of(str(FOLDER)), envelope=RULE)


def refused(*texts: str, rule: EnvelopeRule = RULE, failed: bool = True) -> list[Exchange]:
    """The calls of a history in which these were the answers' only texts."""
    story = Story("mcp")
    for text in texts:
        result = {"content": [{"type": "text", "text": text}], "isError": failed}
        story.result("tools/call", {"name": "get_note", "arguments": {"note_id": "n-1"}}, result)
    return list(History.of(story.events, rule).calls())


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("NOT_FOUND: there is no note n-1", "NOT_FOUND"),
        ("Error executing tool get_note: NOT_FOUND: there is none", "NOT_FOUND"),
        ("Error: ENOENT: no such file", "ENOENT"),
        ("Error executing tool get_note: 1 validation error for get_noteArguments", None),
        ("ID: there is none", None),
        ('{"error": "x"}', None),
        ("x" * 2_000 + ": NOT_FOUND: too far on", None),
    ],
)
def test_a_refusal_has_the_code_of_its_text(text: str, code: str | None) -> None:
    assert refused(text)[0].code == code
    assert refused(text, failed=False)[0].code is None


@pytest.mark.parametrize(
    ("text", "where", "judged"),
    [
        ("NOT_FOUND: no", "always", [True]),
        ("GONE_AWAY: no", "always", [False]),
        ("there is none", "always", [False]),
        ("there is none", "present", []),
        ("GONE_AWAY: no", "present", [False]),
        ("NOT_FOUND: no", "present", [True]),
    ],
)
def test_it_is_one_of_the_catalogue(text: str, where: Any, judged: list[bool]) -> None:
    call = refused(text)[0]
    assert [each.ok for each in catalogued(call, CONTRACT, p.Catalogued(where=where))] == judged


def test_a_proxy_exchanges_it() -> None:
    call = refused("Error: NOT_FOUND: there is no NOT_FOUND")[0]
    answer = Codes("", (), "OTHER_CODE").answered(call, World(CONTRACT, Samples({}, {})))
    assert answer is not None
    assert answer["result"]["content"][0]["text"] == "Error: OTHER_CODE: there is no NOT_FOUND"
    assert call.result is not None
    assert call.result["content"][0]["text"].startswith("Error: NOT_FOUND")


@pytest.mark.parametrize(
    ("texts", "codes", "uncoded"),
    [
        (["NOT_FOUND: a", "Error executing tool x: NOT_FOUND: b", "STALE: c"], {"NOT_FOUND": 2, "STALE": 1}, False),
        (["[NOT_FOUND] a", "[STALE] b", "no"], {"NOT_FOUND": 1, "STALE": 1}, True),
        (["Failed: not_found: a", "key_reused: b"], {"not_found": 1, "key_reused": 1}, False),
        (["NOT_FOUND: a", "it is not there"], {}, False),
        (["Error: it is not there", "no: really not"], {}, False),
    ],
)
def test_it_is_recognised(texts: list[str], codes: dict[str, int], uncoded: bool) -> None:
    found = told(refused(*texts, rule=EnvelopeRule()))
    assert {code: len(calls) for code, calls in found.codes.items()} == codes
    assert found.uncoded is uncoded
    assert not found.rule.has_envelope
    if codes:
        assert message(texts[0], found) == "a"
