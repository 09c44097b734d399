"""MC-CALL-04 and -05: arguments that break the inputSchema; and beside them what is said of good ones."""

from typing import Any

import pytest

from conformance.model.events import Http, Json
from tests.laws.histories import Story
from tests.laws.mcp.reader import GOOD, story

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


@pytest.mark.parametrize("requirement", ["MC-CALL-04", "MC-CALL-05"])
@pytest.mark.parametrize(
    ("schema", "verdict"),
    [
        ({"type": "object"}, "not_applicable"),
        ({"type": "object", "properties": {}, "required": [], "title": "Now", "$schema": "x"}, "not_applicable"),
        ({"type": "object", "additionalProperties": {}}, "not_applicable"),
        ({"type": "object", "properties": {}, "additionalProperties": False}, "not_observed"),
        ({"type": "object", "properties": {"limit": {}}}, "not_observed"),
        ({"type": "object", "minProperties": 1}, "not_observed"),
        ({"$ref": "#/$defs/now", "$defs": {"now": {"type": "object"}}}, "not_observed"),
        (True, "not_observed"),
    ],
)
def test_where_no_schema_asks_for_anything_none_can_be_broken(requirement: str, schema: Json, verdict: str) -> None:
    told = Story("mcp")
    told.connect(revision="2026-07-28")
    told.list([{"name": "now", "inputSchema": {"type": "object"}}, {"name": "then", "inputSchema": schema}])
    told.call("now", {}, {"at": "noon"})
    assert told.judged(requirement).verdict == verdict


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


@pytest.mark.parametrize(
    ("good", "bad", "verdict"),
    [
        ("connection refused", "'much' is not of type 'integer'", "pass"),
        ("connection refused", "connection refused", "not_observed"),
        ("connection refused", "no", "not_observed"),
        ("'host' is a required property", "'much' is not of type 'integer'", "not_observed"),
    ],
)
def test_where_nothing_succeeds_bad_arguments_are_refused_in_other_words(good: str, bad: str, verdict: str) -> None:
    told = story()
    told.call("read", GOOD, {"error": good}, failed=True)
    told.call("read", {"limit": "much"}, {"error": bad}, failed=True)
    assert told.judged("MC-CALL-04").verdict == verdict
    assert told.judged("MC-CALL-05").verdict == verdict


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


def test_an_internal_error_that_says_what_is_wrong_with_the_arguments_refuses_them() -> None:
    told = story()
    told.call("read", GOOD, {"at": "noon"})
    told.error("tools/call", {"name": "read", "arguments": {}}, -32603, "missing field `id` at line 1 column 2")
    assert told.judged("MC-CALL-04").verdict == "pass"
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
    ("meta", "breaches"),
    [({"io.modelcontextprotocol/protocolVersion": "2026-07-28"}, 0), ({}, 1)],
)
def test_a_request_without_its_metadata_says_nothing_of_arguments(meta: dict[str, Json], breaches: int) -> None:
    told = story()
    told.error("tools/call", {"name": "read", "arguments": GOOD, "_meta": meta}, -32602, "Invalid params")
    assert told.judged("MC-CALL-06").breaches == breaches
