"""What is shown beside a finding: the specification's sentence with its address, what would be right, whose it is."""

import re

import pytest

from conformance.contract.catalogue import load
from conformance.contract.clauses import _behaviours, _clauses, said, sdk
from conformance.judge.judge import judge
from conformance.model.events import Footer
from conformance.report.build import build
from conformance.report.story import advice
from conformance.report.text import finding_text
from conformance.report.writers import write
from tests.laws.histories import Story

MCP = load("mcp")


@pytest.mark.parametrize("identifier", MCP.requirements)
def test_every_requirement_of_mcp_says_what_would_be_right(identifier: str) -> None:
    found = said("mcp", identifier, MCP.edition)
    assert found is not None
    assert found.right
    assert re.fullmatch(r"(https://modelcontextprotocol\.io/specification/\d{4}-\d\d-\d\d/\S+)?", found.url)
    assert found.url or not found.says


def test_entries_are_of_revisions_that_there_are() -> None:
    clauses = [clause for each in _clauses("mcp").values() for clause in each]
    assert {clause.since for clause in clauses} <= set(MCP.editions)
    assert len({(clause.id, clause.since) for clause in clauses}) == len(clauses)


def test_the_page_is_of_the_revision_that_was_spoken() -> None:
    names = {revision: said("mcp", "MC-RPC-07", revision) for revision in ("2024-11-05", "2025-11-25", "2026-07-28")}
    urls = {revision: found.url.rpartition("specification/")[2] for revision, found in names.items() if found}
    assert urls == {
        "2024-11-05": "2024-11-05/basic/transports#stdio",
        "2025-11-25": "2025-11-25/basic/transports#stdio",
        "2026-07-28": "2026-07-28/basic/transports/stdio",
    }


def test_what_an_older_revision_does_not_say_is_cited_from_the_first_that_does() -> None:
    found = said("mcp", "MC-CALL-02", "2024-11-05")
    assert found is not None
    assert "/2025-06-18/" in found.url


def test_contracts_without_such_data_have_none() -> None:
    assert said("threads", "TH-IDEM-01", None) is None
    assert sdk("threads", "TH-IDEM-01", {}) == ""


@pytest.mark.parametrize(
    ("identifier", "answer", "name"),
    [
        ("MC-CALL-03", {"content": [{"type": "text", "text": "MCP error -32602: Tool x not found"}]}, "TypeScript"),
        ("MC-CALL-03", {"content": [{"type": "text", "text": "Unknown tool: x"}]}, "Python"),
        ("MC-RPC-06", {"code": -32602, "message": "Invalid request parameters", "data": ""}, "Python"),
        ("MC-CALL-02", {"structuredContent": {"result": "3"}, "content": []}, "Python"),
        ("MC-CALL-16", {"code": 0, "message": "Request cancelled"}, "Python"),
        ("MC-CALL-16", {"code": -32800, "message": "Request cancelled"}, "2.x over HTTP"),
        ("MC-CALL-16", {"code": -32800, "message": "cancelled"}, ""),
        ("MC-RES-03", {"code": 0, "message": "Unknown resource: x"}, "Python"),
        ("MC-PROMPT-03", {"code": 0, "message": "Unknown prompt: x"}, "Python"),
        ("MC-CALL-03", {"content": [{"type": "text", "text": "there is no such thing"}]}, ""),
        ("MC-CALL-17", {"content": [{"type": "text", "text": "Unknown tool: x"}]}, ""),
    ],
)
def test_whose_behaviour_it_is(identifier: str, answer: object, name: str) -> None:
    found = sdk("mcp", identifier, answer)
    assert (name in found) if name else (found == "")


def test_each_behaviour_is_of_a_requirement() -> None:
    assert {row.id for row in _behaviours("mcp")} <= set(MCP.requirements)


def test_a_report_tells_it_in_every_format(capsys: pytest.CaptureFixture[str]) -> None:
    told = Story("mcp")
    told.connect("c2", revision="2025-11-25")
    told.list([{"name": "read", "inputSchema": {"type": "object"}}], on="c2")
    told.call("read", {}, {"at": "noon"}, on="c2")
    text = "MCP error -32602: Tool none not found"
    answer = {"isError": True, "content": [{"type": "text", "text": text}]}
    told.result("tools/call", {"name": "none", "arguments": {}}, answer, on="c2")
    assert told.judged("MC-CALL-03").verdict == "warn"
    ended = Footer(complete=True, events=len(told.events) + 1, calls=told.calls, t=told.now())
    report = build(judge([*told.events, ended], MCP), MCP)
    result = next(result for result in report.requirements if result.id == "MC-CALL-03")
    assert [label for label, _ in advice(result)] == ["why", "right", "spec", "SDK"]
    assert "2025-11-25/server/tools#error-handling" in finding_text(report, result)
    for form in ("terminal", "markdown", "html", "json", "junit"):
        write(report, form, None)
        shown = capsys.readouterr().out
        assert "TypeScript SDK" in shown, form
