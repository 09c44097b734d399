"""Names, versions, input, keys, headers and credentials: what comes before the policies."""

import pytest

from .desk import Desk, bearer

ECHO = "local::kit.echo"
PUT = "local::kit.put"
GUARDED = "local::kit.guarded"
PAIR = {"key": "k", "value": "v"}


@pytest.mark.parametrize(
    ("wanted", "version"),
    [
        (None, "2.0.0"),
        ("*", "2.0.0"),
        ("1.0.0", "1.0.0"),
        ("^1.0.0", "1.2.5"),
        ("1.*", "1.2.5"),
        ("1.2.*", "1.2.5"),
        ("1.2", "1.2.5"),
        ("~1.2.0", "1.2.5"),
        (">=1.0.0 <1.2.5", "1.2.0"),
        ("3.0.0-beta.1", "3.0.0-beta.1"),
    ],
)
def test_a_range_means_the_highest_version_in_it(desk: Desk, wanted: str | None, version: str) -> None:
    asked = {} if wanted is None else {"versionRange": wanted}
    result = desk.invoke(ECHO, {"text": "a"}, **asked)
    assert [result["resolvedVersion"], result["output"]["version"]] == [version, version]


@pytest.mark.parametrize("wanted", ["^9.0.0", "1.1.0", "3.*", "latest", "1.0.0.0"])
def test_a_range_that_contains_no_version_is_refused(desk: Desk, wanted: str) -> None:
    result = desk.invoke(ECHO, {"text": "a"}, versionRange=wanted)
    assert result["error"]["code"] == "UnsupportedVersion"
    assert result["resolvedVersion"] == "unresolved"
    assert desk.executions(ECHO) == 0


@pytest.mark.parametrize("name", ["kit.echo", "local::kit", "mcp::kit", "local::", "remote::kit.echo", "", 7])
def test_a_name_that_is_not_qualified_is_refused(desk: Desk, name: object) -> None:
    answer = desk.run(desk.call("invoke", {"toolName": name, "input": {}}))
    assert answer.envelope["error"]["code"] == "SchemaInvalid"
    assert answer.envelope["origin"] == "local"


def test_an_unknown_tool_has_its_own_code_and_the_origin_of_its_name(desk: Desk) -> None:
    result = desk.invoke("mcp::other::thing", {})
    assert [result["error"]["code"], result["origin"]] == ["ToolNotFound", "mcp::other"]


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"input": {}}, "toolName"),
        ({"toolName": ECHO}, "input"),
        ({"toolName": ECHO, "input": {}}, "text"),
        ({"toolName": PUT, "input": PAIR}, "idempotencyKey"),
        ({"toolName": PUT, "input": PAIR, "idempotencyKey": ""}, "idempotencyKey"),
    ],
)
def test_a_missing_field_is_named(desk: Desk, arguments: dict[str, object], field: str) -> None:
    error = desk.run(desk.call("invoke", arguments)).envelope["error"]
    assert [error["code"], error["details"]] == ["MissingField", {"missingField": field}]


@pytest.mark.parametrize(
    "fields",
    [
        {"headers": {"X-Api-Key": "s3cr3t"}},
        {"headers": {"Authorization": "s3cr3t"}},
        {"headers": {"locale": 7}},
        {"headers": []},
        {"deadline": "tomorrow"},
        {"deadline": "2026-13-01T00:00:00Z"},
        {"deadline": "2026-01-01"},
        {"correlationId": 7},
        {"metadata": "m"},
        {"unknown": "s3cr3t"},
        {"versionRange": 1},
    ],
)
def test_a_malformed_field_is_refused_and_not_quoted(desk: Desk, fields: dict[str, object]) -> None:
    result = desk.invoke(ECHO, {"text": "a"}, **fields)
    assert result["error"]["code"] == "SchemaInvalid"
    assert "s3cr3t" not in str(result)


@pytest.mark.parametrize("name", ["pageToken", "next_token", "tokens", "locale", "tenant"])
def test_a_header_that_only_looks_like_a_secret_passes(desk: Desk, name: str) -> None:
    assert desk.ok(ECHO, {"text": "a"}, headers={name: "x"})


def test_an_input_that_breaks_its_schema_is_told_without_its_value(desk: Desk) -> None:
    result = desk.invoke("local::kit.sum", {"a": "s3cr3t", "b": 1})
    assert result["error"] == {
        "class": "ContractError",
        "code": "SchemaInvalid",
        "message": "the input breaks its schema: type at /a",
        "isRetryable": False,
        "origin": "local",
    }


def test_scopes_are_asked_for_and_a_bad_token_is_refused_anywhere(desk: Desk) -> None:
    key = {"idempotencyKey": "k"}
    assert desk.code(GUARDED, PAIR, **key) == "Unauthenticated"
    assert desk.code(GUARDED, PAIR, "Bearer nonsense", **key) == "Unauthenticated"
    assert desk.code(GUARDED, PAIR, bearer("kit.write", exp=1), **key) == "Unauthenticated"
    assert desk.code(GUARDED, PAIR, bearer("kit.read"), **key) == "Forbidden"
    assert desk.ok(GUARDED, PAIR, bearer("kit.write"), **key)
    assert desk.code(ECHO, {"text": "a"}, "Bearer nonsense") == "Unauthenticated"
    assert desk.ok(ECHO, {"text": "a"}, bearer())


def test_who_may_not_uses_nothing_up(desk: Desk) -> None:
    for number in range(5):
        assert desk.code(GUARDED, PAIR, bearer(), idempotencyKey=f"k{number}") == "Forbidden"
    for number in range(2):
        assert desk.ok(GUARDED, PAIR, bearer("kit.write"), idempotencyKey=f"k{number}")
    assert desk.code(GUARDED, PAIR, bearer("kit.write"), idempotencyKey="k9") == "RateLimited"


@pytest.mark.parametrize(
    ("tool", "given", "fields", "code"),
    [
        ("local::kit.none", {"text": 7}, {}, "ToolNotFound"),
        (ECHO, {"text": 7}, {"versionRange": "^9.0.0"}, "UnsupportedVersion"),
        (GUARDED, {"key": 7, "value": "v"}, {"idempotencyKey": "k"}, "SchemaInvalid"),
        (GUARDED, PAIR, {"idempotencyKey": "k", "deadline": "2001-01-01T00:00:00Z"}, "Unauthenticated"),
        ("local::kit.fragile", {"fail": True}, {"deadline": "2001-01-01T00:00:00Z"}, "Timeout"),
    ],
)
def test_of_two_faults_the_earlier_stage_is_told(
    desk: Desk, tool: str, given: dict[str, object], fields: dict[str, str], code: str
) -> None:
    assert desk.code(tool, given, **fields) == code
    assert desk.executions(tool) == 0
