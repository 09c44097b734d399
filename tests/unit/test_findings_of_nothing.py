"""What a finding says where an answer has nothing: that it is missing, where null would be a value."""

import pytest

from conformance.contract.schema import why
from conformance.judge.judgements import MISSING, breach
from conformance.model.events import Json
from conformance.model.verdict import UNSAID, Finding
from conformance.report.story import sides
from tests.laws.histories import Story

NEWER = "2026-07-28"
TYPED = "the result of tools/list has no resultType"


def shown(requirement: str, told: Story) -> Finding:
    return told.judged(requirement).findings[0]


def story() -> Story:
    told = Story("mcp")
    told.connect(revision=NEWER)
    return told


def test_what_is_not_there_is_missing_and_null_is_null() -> None:
    told = story()
    told.result("tools/list", None, {"tools": []})
    finding = shown("MC-RPC-03", told)
    assert (finding.saw, finding.expected, finding.got) == (TYPED, "complete", MISSING)
    told = story()
    told.result("tools/list", None, {"tools": [], "resultType": None})
    assert shown("MC-RPC-03", told).got is None


@pytest.mark.parametrize(
    ("tool", "saw", "got"),
    [
        ({"name": "a", "inputSchema": {}}, "the root type of a's inputSchema is missing", MISSING),
        ({"name": "a", "inputSchema": {"type": None}}, "the root type of a's inputSchema is null", None),
        ({"name": "a"}, "the inputSchema of a is missing", MISSING),
        ({"name": "a", "inputSchema": None}, "the inputSchema of a is null", None),
    ],
)
def test_a_member_of_a_tool(tool: Json, saw: str, got: Json) -> None:
    told = story()
    told.list([tool])
    finding = shown("MC-LIST-04", told)
    assert (finding.saw, finding.got) == (saw, got)


def test_an_answer_without_its_id() -> None:
    told = story()
    told.request("tools/list", None, {"jsonrpc": "2.0", "result": {"tools": []}})
    assert "the answer's id is missing" in shown("MC-RPC-01", told).saw


def test_the_sentence_says_it_as_well() -> None:
    told = Story("threads")
    told.connect()
    told.accepted("get_thread", {}, {"thread_id": "a"})
    call = told.history().exchanges[-1]
    absent = breach("version is None", call, pointer="/data/version", got=None)
    assert (absent.saw, absent.got) == ("version is missing", MISSING)
    for pointer in ("", "/params/data/version"):
        null = breach("version is None", call, pointer=pointer, got=None)
        assert (null.saw, null.got) == ("version is null", None)


def test_what_no_law_tells_is_not_shown_as_null() -> None:
    assert sides(Finding(requirement="A-01", saw="x", expected=1)) == [("expected", 1)]
    assert sides(Finding(requirement="A-01", saw="x", expected=1, got=None)) == [("expected", 1), ("got", None)]
    assert sides(Finding(requirement="A-01", saw="x", got=None)) == []
    assert breach("x").got is UNSAID


@pytest.mark.parametrize(
    ("value", "shown"), [(None, "null"), (True, "true"), (False, "false"), (1, "1"), ("None", "'None'")]
)
def test_a_value_that_breaks_a_schema_is_written_as_json_writes_it(value: Json, shown: str) -> None:
    kind = "integer" if isinstance(value, str | bool) or value is None else "string"
    assert why({"properties": {"a": {"type": kind}}}, {"a": value}) == f"$.a: {shown} is not of type '{kind}'"
