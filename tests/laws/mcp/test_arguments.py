"""MC-CALL-04 to -06: arguments that break the inputSchema, and good ones that are called bad."""

from typing import Any

import pytest

from conformance.model.events import Http, Json
from tests.laws.histories import Story
from tests.laws.mcp.reader import GOOD, answered, story

BAD = [{"limit": 201}, {}, {"limit": "much"}, {"limit": 5, "x": 1}, {"limit": None}, {"limit": 1.5}, {"limit": "5000"}]


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


@pytest.mark.parametrize(
    ("schema", "value", "bad", "good"),
    [
        ({"type": "string", "nullable": True}, None, 0, 0),
        ({"type": "string", "nullable": False}, None, 1, 0),
        ({"type": "string", "nullable": True}, [], 1, 0),
        ({"type": "array", "items": {"type": "string", "nullable": True}}, [None], 0, 0),
        ({"type": "integer", "format": "int64"}, -(1 << 63) - 1, 0, 0),
        ({"type": "integer", "format": "int64"}, -(1 << 63), 0, 1),
        ({"type": "integer", "format": "uint8"}, 256, 0, 0),
        ({"type": "integer", "format": "uint8"}, 255, 0, 1),
        ({"type": "integer", "format": "uint"}, -1, 0, 0),
        ({"type": "integer", "format": "of_its_own"}, 1 << 80, 0, 1),
        ({"type": ["integer", "string"], "format": "int32"}, "much", 0, 1),
    ],
)
def test_a_remark_of_one_reading_that_is_a_rule_of_another(schema: Json, value: Json, bad: int, good: int) -> None:
    """Schemas made for OpenAPI say `nullable` and the width of integers: whoever goes by that breaks nothing."""
    tool: Json = {"name": "read", "inputSchema": {"type": "object", "properties": {"it": schema}}}
    told = Story("mcp")
    told.list([tool])
    told.call("read", {"it": value}, {})
    assert told.judged("MC-CALL-04").breaches == bad
    told = Story("mcp")
    told.list([tool])
    told.error("tools/call", {"name": "read", "arguments": {"it": value}}, -32602, "Invalid params")
    assert told.judged("MC-CALL-06").breaches == good


@pytest.mark.parametrize("name", ["it", "default", "example", "nullable"])
def test_a_property_may_have_the_name_of_a_keyword(name: str) -> None:
    """Null may be taken where the property is nullable; a list is a breach."""
    properties: Json = {"nullable": True, name: {"type": "string", "nullable": True}}
    told = Story("mcp")
    told.list([{"name": "read", "inputSchema": {"type": "object", "properties": properties}}])
    told.call("read", {name: None}, {})
    assert told.judged("MC-CALL-04").breaches == 0
    told.call("read", {name: []}, {})
    assert told.judged("MC-CALL-04").breaches == 1


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


def test_a_limit_refuses_no_arguments() -> None:
    told = story()
    told.call("read", GOOD, {"at": "noon"})
    told.error("tools/call", {"name": "read", "arguments": {}}, -32000, "Rate limit exceeded, retry later")
    assert told.judged("MC-CALL-04").verdict == "not_observed"
    assert told.judged("MC-CALL-05").verdict == "not_observed"


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
        ({"type": "integer"}, True),
        ({"type": "number"}, False),
        ({"type": "boolean"}, 1),
        ({"type": "boolean"}, "0"),
        ({"type": "array", "items": {"type": "boolean"}}, [1, 0]),
        # beside a number that is one: it is the one value at fault that is read otherwise
        (
            {"type": "object", "properties": {"on": {"type": "boolean"}, "max": {"type": "number"}}},
            {"on": "1", "max": 1},
        ),
        (
            {"type": "array", "items": {"properties": {"on": {"type": "boolean"}, "max": {"type": "integer"}}}},
            [{"on": 1, "max": 1}],
        ),
    ],
)
def test_what_spells_out_the_value_that_is_wanted_is_a_warning(schema: Json, value: Json) -> None:
    told = Story("mcp")
    told.list([{"name": "say", "inputSchema": {"type": "object", "properties": {"n": schema}}}])
    told.call("say", {"n": value}, {})
    assert told.judged("MC-CALL-04").verdict == "not_observed"
    assert told.judged("MC-CALL-05").verdict == "warn"


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "integer"}, 1.5),
        ({"type": "integer", "minimum": 2}, True),
        ({"type": "boolean"}, 2),
        ({"type": "boolean"}, "yes"),
        ({"anyOf": [{"type": "integer", "minimum": 3}, {"type": "null"}]}, 2),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "much"),
    ],
)
def test_what_means_something_else_is_a_breach(schema: Json, value: Json) -> None:
    told = Story("mcp")
    told.list([{"name": "say", "inputSchema": {"type": "object", "properties": {"n": schema}}}])
    told.call("say", {"n": value}, {})
    assert told.judged("MC-CALL-04").verdict == "fail"


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
        "validation error: days is required",
        "missing required parameter: days",
        'required argument "days" not found',
        "limit must be a float",
        "limit must be less than 200",
        'validating "arguments": validating root: required: missing properties: ["days"]',
        "failed to deserialize parameters: missing field `days`",
        "invalid type: integer `200`, expected a string",
        "$.limit: integer found, string expected",
        "$.days: is missing but it is required",
        "json: cannot unmarshal number into Go struct field in.limit of type string",
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


@pytest.mark.parametrize(("params", "words"), [({}, "leaves out `arguments`"), ({"arguments": {}}, "that satisfy its")])
def test_a_call_that_leaves_its_arguments_out_is_named_as_such(params: dict[str, Json], words: str) -> None:
    told = story()
    told.error("tools/call", {"name": "say", **params}, -32602, "Invalid params")
    assert words in told.judged("MC-CALL-06").findings[0].saw


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
        "limit must be less than 150 here",
        "the thread required is not open",
        "validation error: no such thread",
        "Invalid arguments: no such thread",
        "the end must be greater than the start",
    ],
)
def test_good_arguments_refused_for_another_reason(text: str) -> None:
    told = answered({"isError": True, "content": [{"type": "text", "text": text}]})
    assert told.judged("MC-CALL-06").verdict == "not_observed"
    told.call("read", GOOD, {"at": "noon"})
    assert told.judged("MC-CALL-06").verdict == "pass"


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


SOME: dict[str, Json] = {
    "level": {"type": "integer", "maximum": 5},
    "title": {"type": "string", "minLength": 3},
    "kind": {"enum": ["task", "bug"]},
    "owner": {"type": "string"},
}


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("$/level: too large", "warn"),
        ("level is too high (at most 5)", "warn"),
        ("title too short", "warn"),
        ("kind: not one of ['task', 'bug']", "warn"),
        ("kind must be one of task, bug", "warn"),
        # of a bound that the schema does not have, of nothing that is named, or of a rule beside the schema
        ("level: too small", "not_observed"),
        ("level is too high: this board has 3", "not_observed"),
        ("title too long", "not_observed"),
        ("too large", "not_observed"),
        ("owner must be one of the members", "not_observed"),
        ("not one of yours", "not_observed"),
    ],
)
def test_a_refusal_in_few_words_names_the_parameter(text: str, verdict: str) -> None:
    told = Story("mcp")
    told.list([{"name": "draw", "inputSchema": {"type": "object", "properties": SOME}}])
    arguments = {"level": 3, "title": "a title", "kind": "bug", "owner": "ann"}
    answer = {"isError": True, "content": [{"type": "text", "text": text}]}
    told.result("tools/call", {"name": "draw", "arguments": arguments}, answer)
    assert told.judged("MC-CALL-06").verdict == verdict


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ({"id": ..., "result": {"content": [], "resultType": "complete"}}, "fail"),
        ({"id": ..., "result": {"inputRequests": {}, "resultType": "input_required"}}, "not_observed"),
        ({"id": 99, "result": {"content": [], "resultType": "complete"}}, "not_observed"),
    ],
)
def test_only_its_own_answer_says_that_a_call_succeeded(answer: dict[str, Json], verdict: str) -> None:
    told = story(transport="http")
    told.call("read", GOOD, {"at": "noon"})
    told.request("tools/call", {"name": "read", "arguments": {"limit": 201}}, {"jsonrpc": "2.0", **answer}, status=200)
    assert told.judged("MC-CALL-04").verdict == verdict
    assert told.judged("MC-CALL-05").verdict == "not_observed"


@pytest.mark.parametrize(("value", "verdict"), [("", "not_observed"), ("Rome", "warn")])
def test_what_is_empty_may_be_called_missing(value: str, verdict: str) -> None:
    told = Story("mcp")
    told.list([{"name": "now", "inputSchema": {"type": "object", "properties": {"zone": {"type": "string"}}}}])
    text = "Error executing tool now: Missing required argument: zone"
    answer = {"isError": True, "content": [{"type": "text", "text": text}]}
    told.result("tools/call", {"name": "now", "arguments": {"zone": value}}, answer)
    assert told.judged("MC-CALL-06").verdict == verdict


def test_no_arguments_at_all_are_good_where_none_is_required() -> None:
    told = Story("mcp")
    told.list([{"name": "now", "inputSchema": {"type": "object", "properties": {}}}])
    told.error("tools/call", {"name": "now"}, -32602, "arguments is required")
    assert told.judged("MC-CALL-06").verdict == "warn"


FREE = [{"name": "note", "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}}}]
NO_TEXT: Json = {"isError": True, "content": [{"type": "text", "text": "Invalid params: this text cannot be stored"}]}


@pytest.mark.parametrize(
    ("before", "accepted", "verdict"),
    [
        ({}, [{"text": "any"}], "warn"),
        # the text that was accepted had been told: it may name what there is
        ({"id": "any"}, [{"text": "any"}], "pass"),
        # it was accepted before: it may be taken
        ({}, [{"text": "any \U0001f4da"}, {"text": "any"}], "pass"),
        ({}, [], "not_observed"),
    ],
)
def test_a_text_that_is_called_invalid_beside_another_one(before: Json, accepted: list[Json], verdict: str) -> None:
    told = Story("mcp")
    told.list(FREE)
    if before:
        told.result("tools/call", {"name": "note", "arguments": {}}, {"content": [], "structuredContent": before})
    for arguments in accepted:
        told.call("note", arguments, {})
    told.result("tools/call", {"name": "note", "arguments": {"text": "any \U0001f4da"}}, NO_TEXT)
    assert told.judged("MC-CALL-06").verdict == verdict


@pytest.mark.parametrize(
    ("meta", "breaches"),
    [({"io.modelcontextprotocol/protocolVersion": "2026-07-28"}, 0), ({}, 1)],
)
def test_a_request_without_its_metadata_says_nothing_of_arguments(meta: dict[str, Json], breaches: int) -> None:
    told = story()
    told.error("tools/call", {"name": "read", "arguments": GOOD, "_meta": meta}, -32602, "Invalid params")
    assert told.judged("MC-CALL-06").breaches == breaches
