"""MC-CALL-01 to -17: how calls are answered."""

from typing import Any

import pytest

from conformance.model.events import Http, Json
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


def unknown(requirement: str, *, beside: Json = None, **answer: Json) -> str:
    told = story()
    if beside is not None:
        told.result("tools/call", {"name": "say", "arguments": {}}, beside)
    told.request("tools/call", {"name": "nothing", "arguments": {}}, {"jsonrpc": "2.0", "id": ..., **answer})
    return told.judged(requirement).verdict


NO: dict[str, Json] = {"error": {"code": -32602, "message": "no"}}
FAILING: dict[str, Json] = {"isError": True, "content": []}


def test_an_unknown_tool() -> None:
    done = {"content": []}
    assert unknown("MC-CALL-03", beside=done, **NO) == "pass"
    assert unknown("MC-CALL-03", beside=FAILING, **NO) == "pass"
    assert unknown("MC-CALL-03", beside=done, result=FAILING) == "warn"
    assert unknown("MC-CALL-03", beside=done, result=done) == "not_observed"
    assert unknown("MC-CALL-17", beside=done, **NO) == "pass"
    assert unknown("MC-CALL-17", beside=done, result=FAILING) == "pass"
    assert unknown("MC-CALL-17", result=done) == "fail"


def test_where_nothing_else_is_served_an_unknown_tool_shows_nothing() -> None:
    assert unknown("MC-CALL-03", **NO) == "not_observed"
    assert unknown("MC-CALL-17", **NO) == "not_observed"
    assert unknown("MC-CALL-17", beside=FAILING, **NO) == "not_observed"


def test_what_another_profile_lists_is_not_unknown_here() -> None:
    for profile, verdict in ((None, "fail"), ("api", "not_observed")):
        told = story()
        told.instance("i1", **({"profile": profile} if profile is not None else {}))
        told.call("nothing", {}, {}, instance="i1")
        told.call("read", GOOD, {"at": 5}, instance="i1")
        assert told.judged("MC-CALL-17").verdict == verdict
        assert told.judged("MC-CALL-01").verdict == verdict


def test_where_the_list_is_not_whole_no_tool_is_unknown() -> None:
    told = Story("mcp")
    told.list(TOOLS, ended="endless")
    told.call("say", {}, {})
    told.call("nothing", {}, {})
    told.error("tools/call", {"name": "nothing"}, -32602)
    assert told.judged("MC-CALL-03").verdict == "not_observed"
    assert told.judged("MC-CALL-17").verdict == "not_observed"


BAD = [{"limit": 201}, {}, {"limit": "much"}, {"limit": 5, "x": 1}, {"limit": None}, {"limit": True}, {"limit": "5000"}]


@pytest.mark.parametrize("arguments", BAD)
def test_bad_arguments(arguments: Json) -> None:
    told = story()
    told.call("read", arguments, {"at": "noon"})
    assert told.judged("MC-CALL-04").verdict == "fail"
    told = story()
    told.call("read", {"limit": 5}, {"at": "noon"})
    told.call("read", arguments, {"error": "no"}, failed=True)
    told.error("tools/call", {"name": "read", "arguments": arguments}, -32602)
    outcome = told.judged("MC-CALL-04")
    assert (outcome.verdict, outcome.subjects) == ("pass", 2)


def refused_beside(*likes: tuple[Json, bool], arguments: Json = None, **how: Any) -> Story:
    """Bad arguments refused, after these calls: arguments, and whether they were accepted."""
    told = story()
    told.credential("another")
    for given, accepted in likes:
        told.call("read", given, {"at": "noon"} if accepted else {"error": "no"}, failed=not accepted, **how)
    told.call("read", arguments or {"limit": 201}, {"error": "no"}, failed=True)
    return told


@pytest.mark.parametrize("requirement", ["MC-CALL-04", "MC-CALL-05"])
def test_that_bad_arguments_are_refused_shows_only_beside_good_ones(requirement: str) -> None:
    assert refused_beside((GOOD, True)).judged(requirement).verdict == "pass"
    assert refused_beside().judged(requirement).verdict == "not_observed"
    assert refused_beside((GOOD, False)).judged(requirement).verdict == "not_observed"
    # refused by now: something else is wrong with the call
    assert refused_beside((GOOD, True), (GOOD, False)).judged(requirement).verdict == "not_observed"
    assert refused_beside((GOOD, True), by="another").judged(requirement).verdict == "not_observed"
    assert refused_beside((GOOD, True), conditions={"clock": 5}).judged(requirement).verdict == "not_observed"


def test_a_like_differs_in_one_argument() -> None:
    told = Story("mcp")
    properties = {"id": {"type": "string"}, "limit": {"type": "integer", "maximum": 200}}
    told.list([{"name": "read", "inputSchema": {"type": "object", "properties": properties}}])
    told.call("read", {"id": "a", "limit": 5}, {})
    told.call("read", {"id": "b", "limit": 500}, {}, failed=True)
    assert told.judged("MC-CALL-04").verdict == "not_observed"
    told.call("read", {"id": "a", "limit": 500}, {}, failed=True)
    assert told.judged("MC-CALL-04").subjects == 1


@pytest.mark.parametrize("status", [404, 405, 429, 500, 503])
def test_a_status_that_no_tool_gave_refuses_no_arguments(status: int) -> None:
    told = story(transport="http")
    told.call("read", GOOD, {"at": "noon"})
    http = Http(method="POST", path="/mcp")
    told.request("tools/call", {"name": "read", "arguments": {}}, http=http, status=status, raw="no")
    assert told.judged("MC-CALL-04").verdict == "not_observed"
    assert told.judged("MC-CALL-05").verdict == "not_observed"


def test_an_internal_error_refuses_no_arguments() -> None:
    told = story()
    told.call("read", GOOD, {"at": "noon"})
    told.error("tools/call", {"name": "read", "arguments": {}}, -32603)
    assert told.judged("MC-CALL-04").verdict == "not_observed"
    assert told.judged("MC-CALL-05").verdict == "warn"


def test_arguments_that_are_no_object_make_no_call() -> None:
    told = story()
    told.call("read", GOOD, {"at": "noon"})
    told.error("tools/call", {"name": "read", "arguments": ["no", "object"]}, -32602)
    told.error("tools/call", {"name": "read", "arguments": None}, -32602)
    assert told.judged("MC-CALL-04").verdict == "not_observed"
    assert told.judged("MC-CALL-05").verdict == "not_observed"
    told.call("read", ["no", "object"], {"at": "noon"})
    assert told.judged("MC-CALL-04").verdict == "fail"


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "integer"}, "5"),
        ({"type": "number"}, "1.5"),
        ({"type": "boolean"}, "true"),
        ({"type": "string"}, 5),
        ({"type": "string"}, False),
        ({"type": "array", "items": {"type": "integer"}}, ["5", "6"]),
    ],
)
def test_what_spells_out_the_value_that_is_wanted_is_a_warning(schema: Json, value: Json) -> None:
    told = Story("mcp")
    told.list([{"name": "say", "inputSchema": {"type": "object", "properties": {"n": schema}}}])
    told.call("say", {"n": value}, {})
    assert told.judged("MC-CALL-04").verdict == "not_observed"
    assert told.judged("MC-CALL-05").verdict == "warn"


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
    told.call("read", GOOD, {"at": "noon"})
    told.error("tools/call", {"name": "read", "arguments": {}}, -32602)
    assert told.judged("MC-CALL-05").verdict == verdict


@pytest.mark.parametrize(
    "text",
    [
        "1 validation error for read\nlimit\n  Input should be less than 200",
        "MCP error -32602: Input validation error: Invalid arguments for tool read",
        '{"error": {"code": "VALIDATION_ERROR", "message": "limit: 200 is greater than the maximum of 200"}}',
        "limit is greater than the maximum",
        "limit: 200 is greater than the maximum of 100",
        "'limit' is a required property",
        'Invalid arguments: [{"code": "too_big", "maximum": 100}]',
    ],
)
def test_good_arguments_called_bad(text: str) -> None:
    assert (
        answered({"isError": True, "content": [{"type": "text", "text": text}]}).judged("MC-CALL-06").verdict == "warn"
    )


@pytest.mark.parametrize("message", ["", "Invalid params", "MCP error -32602: Invalid arguments", 5])
def test_good_arguments_called_bad_by_the_protocol(message: Json) -> None:
    told = story()
    told.error("tools/call", {"name": "read", "arguments": GOOD}, -32602, message)
    assert told.judged("MC-CALL-06").verdict == "warn"


@pytest.mark.parametrize("message", ["Unknown vault: example", "Unknown tool: read", "Invalid cursor"])
def test_the_protocol_may_refuse_good_arguments_for_another_reason(message: str) -> None:
    told = story()
    told.error("tools/call", {"name": "read", "arguments": GOOD}, -32602, message)
    assert told.judged("MC-CALL-06").verdict == "not_observed"


@pytest.mark.parametrize(
    "text",
    [
        "no such thread",
        '{"error": {"code": "VALIDATION_ERROR", "message": "beyond the latest message"}}',
        "revision 3 does not match 4",
        "branch 'x' is not one of this workspace",
        "rel: longer than 128 characters",
        "the tweet is too long: 281 of 280 characters",
        "rate limited",
    ],
)
def test_good_arguments_refused_for_another_reason(text: str) -> None:
    told = answered({"isError": True, "content": [{"type": "text", "text": text}]})
    assert told.judged("MC-CALL-06").verdict == "not_observed"
    told.call("read", GOOD, {"at": "noon"})
    assert told.judged("MC-CALL-06").verdict == "pass"


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Error: no such table", "warn"),
        ("❌ Error: no such table", "warn"),
        ("Database error: no such table", "warn"),
        ("ValueError: not a number", "warn"),
        ("Error executing tool read: no", "warn"),
        ("Failed to fetch the page", "warn"),
        ("Unknown tool: nothing", "warn"),
        ('{"error": "not found"}', "warn"),
        ('{"error": {"code": 5, "message": "no"}, "status": "failed"}', "warn"),
        ("all done", "pass"),
        ("errors: 0", "pass"),
        ("3 rows, 1 error", "pass"),
        ("Error handling in Python begins with try.", "pass"),
        ('{"error": null, "rows": []}', "pass"),
        ('{"error": "", "status": "ok"}', "pass"),
        ('{"error": "the last one", "rows": [1]}', "pass"),
        ('["Error: no such table"]', "pass"),
    ],
)
def test_a_failure_in_words(text: str, verdict: str) -> None:
    blocks = [{"type": "text", "text": text}]
    assert answered({"content": blocks}).judged("MC-CALL-12").verdict == verdict
    assert answered({"content": blocks, "isError": True}).judged("MC-CALL-12").verdict == "not_observed"


def test_a_failure_in_words_within_a_wrapped_result() -> None:
    text = "Error: no such table"
    told = answered({"content": [{"type": "text", "text": text}], "structuredContent": {"result": text}})
    assert told.judged("MC-CALL-12").verdict == "warn"


def test_the_callers_own_words_are_no_failure() -> None:
    blocks = [{"type": "text", "text": "Error: that is what I said"}]
    told = answered({"content": blocks}, {"message": "Error: that is what I said"}, "say")
    assert told.judged("MC-CALL-12").verdict == "pass"


@pytest.mark.parametrize(("kind", "verdict"), [("error", "pass"), ("info", "warn")])
def test_who_asks_for_an_error_may_get_one(kind: str, verdict: str) -> None:
    blocks = [{"type": "text", "text": "Error: Operation failed"}]
    told = answered({"content": blocks}, {"kind": kind}, "show")
    assert told.judged("MC-CALL-12").verdict == verdict


def test_a_contract_with_an_envelope_says_itself_what_a_failure_is() -> None:
    told = Story("threads")
    told.connect()
    told.accepted("get_thread", {}, {"error": None, "thread_id": "th_1"})
    assert told.judged("MC-CALL-12").verdict == "not_applicable"


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


def test_what_another_call_left_behind_is_not_blamed_on_a_refused_one() -> None:
    told = story()
    told.call("read", GOOD, {"at": "noon"})
    told.call("say", {}, {"said": True})
    told.call("read", {}, {"error": "no"}, failed=True)
    told.error("tools/call", {"name": "read", "arguments": GOOD}, -32603)
    assert told.judged("MC-CALL-09").verdict == "not_observed"


def test_a_call_that_failed_before_is_not_blamed_on_a_refused_one() -> None:
    told = story()
    told.call("read", GOOD, {"at": "noon"})
    told.error("tools/call", {"name": "read", "arguments": GOOD}, -32603)
    told.call("read", {}, {"error": "no"}, failed=True)
    told.error("tools/call", {"name": "read", "arguments": GOOD}, -32603)
    found = told.judged("MC-CALL-09")
    assert all(finding.calls != (4, 5) and finding.calls[-1] != 5 for finding in found.findings)


def test_the_next_call_fails_that_never_works() -> None:
    told = story()
    told.call("read", {}, {"error": "no"}, failed=True)
    told.error("tools/call", {"name": "say"}, -32603)
    assert told.judged("MC-CALL-09").verdict == "not_observed"


def test_a_next_call_that_is_refused_shows_nothing() -> None:
    told = story()
    told.call("read", {}, {"error": "no"}, failed=True)
    told.call("read", {}, {"error": "no"}, failed=True)
    assert told.judged("MC-CALL-09").verdict == "not_observed"


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


@pytest.mark.parametrize("requirement", [f"MC-CALL-{n:02}" for n in (*range(1, 11), 12, 17)])
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


@pytest.mark.parametrize(("field", "verdict"), [("rel", "not_observed"), ("title", "warn")])
def test_a_bound_is_that_of_the_parameter_that_is_named(field: str, verdict: str) -> None:
    told = Story("mcp")
    takes = {"rel": {"type": "string"}, "title": {"type": "string", "maxLength": 128}}
    told.list([{"name": "draw", "inputSchema": {"type": "object", "properties": takes}}])
    told.result(
        "tools/call",
        {"name": "draw", "arguments": {"rel": "x" * 129, "title": "y"}},
        {"isError": True, "content": [{"type": "text", "text": f"{field}: longer than 128 characters"}]},
    )
    assert told.judged("MC-CALL-06").verdict == verdict
