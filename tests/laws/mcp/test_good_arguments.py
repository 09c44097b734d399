"""MC-CALL-06: arguments that satisfy a schema are not called bad."""

import pytest

from conformance.model.events import Json
from tests.laws.histories import Story
from tests.laws.mcp.reader import GOOD, answered, story


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
        "data validation failed against the provided schema",
        "Input schema validation failed",
        "arguments do not match the tool's schema",
        "/limit must be integer",
        "Limit must be a number",
        "the value of 'limit' must be a number; it is no integer",
        "the first value must be a string",
        "arguments[0] must be a string",
        "the row limit must be a number",
        "must be a string",
    ],
)
def test_good_arguments_called_bad(text: str) -> None:
    assert (
        answered({"isError": True, "content": [{"type": "text", "text": text}]}).judged("MC-CALL-06").verdict == "warn"
    )


@pytest.mark.parametrize(
    "text",
    [
        "Output validation error: 'temperature' is a required property",
        'Error: Invalid structured content for tool read: [{"code": "invalid_type", "path": ["id"]}]',
        "MCP error -32602: Output validation error: Invalid structured content for tool read: invalid_type",
        "Error executing tool read: 1 validation error for ReadOutput\nid\n  Input should be a valid integer",
        'validating tool output: validating root: required: missing properties: ["id"]',
        "Invalid response: expected string, received null",
        "The result does not match its schema: 5 is not of type 'string'",
        "Output schema validation failed",
        "Command failed: kubectl delete -f it.yaml\nerror: json: cannot unmarshal string into Go value of type map",
        "jq exited with code 5: 5 is not of type 'string'",
        "convert failed with exit status 1: must be a string",
        "kubectl diff failed (exit 2): json: cannot unmarshal string into Go value of type map",
        "Issued At claim (iat) must be an integer",
        'Invalid latitude "NaN". Latitude must be a number between -90 and 90.',
    ],
)
def test_a_failure_that_complains_of_what_the_tool_gave_is_none_of_its_arguments(text: str) -> None:
    outcome = answered({"isError": True, "content": [{"type": "text", "text": text}]}).judged("MC-CALL-06")
    assert outcome.verdict == "not_observed"


@pytest.mark.parametrize(
    "text", ["Invalid output: must be a string", "output is not of type 'string'", "Invalid result: must be a string"]
)
def test_a_parameter_may_be_named_output(text: str) -> None:
    told = Story("mcp")
    told.connect(revision="2025-11-25")
    told.list([{"name": "write", "inputSchema": {"type": "object", "properties": {"output": {"type": "string"}}}}])
    told.call("write", {"output": "a"}, {"error": text}, failed=True)
    assert told.judged("MC-CALL-06").verdict == ("warn" if "output" in text else "not_observed")


@pytest.mark.parametrize(
    ("about", "given", "verdict"),
    [
        ({"type": "object"}, {}, "not_observed"),
        ({"type": "object", "additionalProperties": True}, {"a": 1}, "not_observed"),
        ({"anyOf": [{"type": "object"}, {"type": "null"}]}, {"a": 1}, "not_observed"),
        ({"type": "array", "items": {"type": "object"}}, [{"a": 1}], "not_observed"),
        ({"type": "object", "properties": {"b": {"type": "string"}}}, {"a": 1}, "warn"),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, {"a": 1}, "warn"),
        ({"type": "string"}, "a", "warn"),
    ],
)
def test_what_is_in_an_object_may_be_judged_by_another_schema(about: Json, given: Json, verdict: str) -> None:
    told = Story("mcp")
    told.connect(revision="2025-11-25")
    told.list([{"name": "run", "inputSchema": {"type": "object", "properties": {"tool": {}, "input": about}}}])
    told.call("run", {"tool": "add", "input": given}, {"error": "'b' is a required property"}, failed=True)
    assert told.judged("MC-CALL-06").verdict == verdict


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
        "Schema validation error: Cannot query field 'x'",
        "the document does not match the schema",
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


def test_a_text_that_a_refusal_or_a_description_names_is_not_any_text() -> None:
    said = {"type": "text", "text": "Validation error: unknown colour: x. Supported: red, blue"}
    for described, refused, verdict in (
        ("", False, "warn"),
        ("", True, "pass"),
        ("One of red and blue", False, "pass"),
    ):
        told = Story("mcp")
        takes = {"colour": {"type": "string", "description": described}}
        told.list([{"name": "draw", "inputSchema": {"type": "object", "properties": takes}}])
        if refused:
            no = {"code": -32603, "message": said["text"]}
            told.request("tools/call", {"name": "draw", "arguments": {}}, {"jsonrpc": "2.0", "id": ..., "error": no})
        told.call("draw", {"colour": "red"}, {})
        told.result("tools/call", {"name": "draw", "arguments": {"colour": "x"}}, {"isError": True, "content": [said]})
        assert told.judged("MC-CALL-06").verdict == verdict


def test_a_refusal_that_says_again_what_was_sent_tells_nothing() -> None:
    told = Story("mcp")
    told.list([{"name": "draw", "inputSchema": {"type": "object", "properties": {"colour": {"type": "string"}}}}])
    told.error("tools/call", {"name": "draw", "arguments": {"colour": "red", "size": 1}}, -32603, "cannot draw in red")
    told.call("draw", {"colour": "red"}, {})
    told.result("tools/call", {"name": "draw", "arguments": {"colour": "x"}}, NO_TEXT)
    assert told.judged("MC-CALL-06").verdict == "warn"


def test_what_is_said_to_a_bad_token_may_be_of_the_token() -> None:
    told = story()
    told.credential("odd", defect="type:exp")
    told.call("read", GOOD, {"error": "limit must be a number"}, failed=True, by="odd")
    assert told.judged("MC-CALL-06").verdict == "not_observed"
    told.call("read", GOOD, {"error": "limit must be a number"}, failed=True)
    assert told.judged("MC-CALL-06").verdict == "warn"
