"""MC-CALL-01 to -10: how calls are answered."""

from typing import Any

import pytest

from conformance.model.events import Json
from tests.laws.histories import Story

INPUT = {
    "type": "object",
    "properties": {"limit": {"type": "integer", "maximum": 200}},
    "required": ["limit"],
    "additionalProperties": False,
}
OUTPUT = {"type": "object", "properties": {"at": {"type": "string"}}, "required": ["at"]}
TOOLS = [
    {"name": "read", "inputSchema": INPUT, "outputSchema": OUTPUT},
    {"name": "say", "inputSchema": {"type": "object"}},
]
GOOD = {"limit": 200}


def story(revision: str = "2026-07-28", **how: Any) -> Story:
    told = Story("mcp")
    told.connect(revision=revision, **how)
    told.list(TOOLS)
    return told


def answered(result: Json, arguments: Json = GOOD, tool: str = "read") -> Story:
    told = story()
    told.result("tools/call", {"name": tool, "arguments": arguments}, result)
    return told


@pytest.mark.parametrize(
    ("result", "verdict"),
    [
        ({"structuredContent": {"at": "noon"}}, "pass"),
        ({"structuredContent": {"at": "noon", "more": 1}}, "pass"),
        ({"structuredContent": {"at": 5}}, "fail"),
        ({"structuredContent": None}, "fail"),
        ({"content": []}, "fail"),
        ({"isError": True, "content": []}, "not_observed"),
        ({"resultType": "input_required", "inputRequests": {}}, "not_observed"),
    ],
)
def test_structured_content(result: Json, verdict: str) -> None:
    assert answered(result).judged("MC-CALL-01").verdict == verdict


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ('{"at": "noon"}', "pass"),
        ('{ "at" : "noon" }', "pass"),
        ("read succeeded.", "warn"),
        ('{"at": "night"}', "warn"),
        (5, "warn"),
        (None, "warn"),
    ],
)
def test_structured_content_as_text(text: Json, verdict: str) -> None:
    content = [{"type": "image"}, {"type": "text", "text": text}]
    assert answered({"structuredContent": {"at": "noon"}, "content": content}).judged("MC-CALL-02").verdict == verdict


def test_a_bare_text_is_not_the_json_of_a_string() -> None:
    for text, verdict in (("noon", "warn"), ('"noon"', "pass")):
        content = [{"type": "text", "text": text}]
        assert answered({"structuredContent": "noon", "content": content}).judged("MC-CALL-02").verdict == verdict


def unknown(**answer: Json) -> str:
    told = story()
    told.request("tools/call", {"name": "nothing", "arguments": {}}, {"jsonrpc": "2.0", "id": ..., **answer})
    return told.judged("MC-CALL-03").verdict


def test_an_unknown_tool() -> None:
    assert unknown(error={"code": -32602, "message": "no"}) == "pass"
    assert unknown(result={"isError": True, "content": []}) == "warn"
    assert unknown(result={"content": []}) == "warn"


def test_where_the_list_is_not_whole_no_tool_is_unknown() -> None:
    told = Story("mcp")
    told.list(TOOLS, ended="endless")
    told.call("nothing", {}, {})
    assert told.judged("MC-CALL-03").verdict == "not_observed"


@pytest.mark.parametrize(
    "arguments", [{"limit": 201}, {}, {"limit": "5"}, {"limit": 5, "x": 1}, {"limit": None}, {"limit": True}]
)
def test_bad_arguments(arguments: Json) -> None:
    told = story()
    told.call("read", arguments, {"at": "noon"})
    assert told.judged("MC-CALL-04").verdict == "fail"
    told = story()
    told.call("read", arguments, {"error": "no"}, failed=True)
    told.error("tools/call", {"name": "read", "arguments": arguments}, -32602)
    outcome = told.judged("MC-CALL-04")
    assert (outcome.verdict, outcome.subjects) == ("pass", 2)


def test_good_arguments_are_no_subject_of_bad_ones() -> None:
    told = story()
    for arguments in (GOOD, {"limit": 5.0}, {"limit": -1}):
        told.call("read", arguments, {"at": "noon"})
    assert told.judged("MC-CALL-04").verdict == "not_observed"


def test_a_format_is_a_remark() -> None:
    told = Story("mcp")
    told.list(
        [
            {
                "name": "say",
                "inputSchema": {"type": "object", "properties": {"at": {"type": "string", "format": "date-time"}}},
            }
        ]
    )
    told.call("say", {"at": "noon"}, {})
    assert told.judged("MC-CALL-04").verdict == "not_observed"


@pytest.mark.parametrize(
    ("revision", "verdict"), [("2026-07-28", "warn"), ("2025-11-25", "warn"), ("2025-06-18", "pass")]
)
def test_a_protocol_error_for_bad_arguments(revision: str, verdict: str) -> None:
    told = story(revision)
    told.error("tools/call", {"name": "read", "arguments": {}}, -32602)
    assert told.judged("MC-CALL-05").verdict == verdict


def test_is_error_for_bad_arguments() -> None:
    told = story()
    told.call("read", {}, {"error": "no"}, failed=True)
    assert told.judged("MC-CALL-05").verdict == "pass"


@pytest.mark.parametrize(
    "text",
    [
        "1 validation error for read\nlimit\n  Input should be less than 200",
        "MCP error -32602: Input validation error: Invalid arguments for tool read",
        '{"error": {"code": "VALIDATION_ERROR", "message": "limit: 200 is greater than the maximum of 100"}}',
        "'limit' is a required property",
        'Invalid arguments: [{"code": "too_big", "maximum": 100}]',
    ],
)
def test_good_arguments_called_bad(text: str) -> None:
    assert (
        answered({"isError": True, "content": [{"type": "text", "text": text}]}).judged("MC-CALL-06").verdict == "warn"
    )


def test_good_arguments_called_bad_by_the_protocol() -> None:
    told = story()
    told.error("tools/call", {"name": "read", "arguments": GOOD}, -32602)
    assert told.judged("MC-CALL-06").verdict == "warn"


@pytest.mark.parametrize(
    "text",
    [
        "no such thread",
        '{"error": {"code": "VALIDATION_ERROR", "message": "beyond the latest message"}}',
        "rate limited",
    ],
)
def test_good_arguments_refused_for_another_reason(text: str) -> None:
    assert (
        answered({"isError": True, "content": [{"type": "text", "text": text}]}).judged("MC-CALL-06").verdict == "pass"
    )


@pytest.mark.parametrize(
    ("code", "verdict"), [(-32603, "warn"), (-32000, "warn"), (0, "warn"), (-32602, "not_observed")]
)
def test_a_failing_tool(code: int, verdict: str) -> None:
    told = story()
    told.error("tools/call", {"name": "read", "arguments": GOOD}, code)
    assert told.judged("MC-CALL-07").verdict == verdict


def test_a_failing_tool_with_a_result() -> None:
    assert answered({"isError": True, "content": []}).judged("MC-CALL-07").verdict == "pass"


@pytest.mark.parametrize("verdict_and_arguments", [("pass", None), ("warn", GOOD)])
def test_only_listed_tools_can_fail(verdict_and_arguments: tuple[str, Json]) -> None:
    told = answered({"isError": True, "content": []})
    tool = "read" if verdict_and_arguments[1] else "nothing"
    told.error("tools/call", {"name": tool, "arguments": {}}, -32603)
    assert told.judged("MC-CALL-07").verdict == verdict_and_arguments[0]


def test_the_server_goes_on() -> None:
    told = story()
    told.call("read", {}, {"error": "no"}, failed=True)
    told.call("read", GOOD, {"at": "noon"})
    told.error("tools/call", {"name": "nothing"}, -32602)
    told.call("read", GOOD, {"at": "noon"})
    outcome = told.judged("MC-CALL-09")
    assert (outcome.verdict, outcome.subjects) == ("pass", 2)


def test_the_next_call_fails_that_works_otherwise() -> None:
    told = story()
    told.call("read", GOOD, {"at": "noon"})
    told.call("read", {}, {"error": "no"}, failed=True)
    told.error("tools/call", {"name": "read", "arguments": GOOD}, -32603)
    outcome = told.judged("MC-CALL-09")
    assert (outcome.verdict, outcome.findings[0].calls) == ("fail", (3, 4))


def test_the_next_call_fails_that_never_works() -> None:
    told = story()
    told.call("read", {}, {"error": "no"}, failed=True)
    told.error("tools/call", {"name": "say"}, -32603)
    assert told.judged("MC-CALL-09").verdict == "pass"


def test_the_next_call_gets_no_answer() -> None:
    told = story(transport="http")
    told.call("read", {}, {"error": "no"}, failed=True)
    told.lost("read", GOOD)
    assert told.judged("MC-CALL-09").verdict == "fail"


def test_a_call_that_ends_the_process() -> None:
    told = story(transport="stdio")
    told.lost("read", {})
    assert told.judged("MC-CALL-09").verdict == "fail"


def test_after_the_last_call_nothing_is_seen() -> None:
    told = story()
    told.call("read", GOOD, {"at": "noon"})
    told.call("read", {}, {"error": "no"}, failed=True)
    assert told.judged("MC-CALL-09").verdict == "not_observed"


def test_time() -> None:
    assert answered({"structuredContent": {"at": "noon"}}).judged("MC-CALL-10").verdict == "pass"
    told = story()
    told.lost("read", GOOD, "time")
    assert told.judged("MC-CALL-10").verdict == "warn"
    told = story()
    told.lost("read", GOOD, "lost")
    told.lost("read", GOOD, "size")
    assert told.judged("MC-CALL-10").verdict == "not_observed"


@pytest.mark.parametrize("requirement", [f"MC-CALL-{n:02}" for n in range(1, 11)])
def test_no_law_is_upset_by_strange_calls_and_answers(requirement: str) -> None:
    told = story()
    for answer in (
        {},
        {"content": {"a": 1}},
        {"content": [5, None, {"text": []}], "structuredContent": [[]], "isError": "yes"},
    ):
        told.result("tools/call", {"name": "read", "arguments": [1]}, answer)
        told.result("tools/call", {"name": "read"}, answer)
    told.request("tools/call", {"name": "read", "arguments": {}}, {"jsonrpc": "2.0", "id": ..., "error": [1]})
    told.request(
        "tools/call",
        {"name": "read", "arguments": {}},
        {"jsonrpc": "2.0", "id": ..., "error": {"code": {}, "message": 5}},
    )
    told.request("tools/call", {"name": "read", "arguments": {}}, raw="\x00")
    told.judged(requirement)
