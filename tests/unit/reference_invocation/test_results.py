"""The Result and its errors: statuses, codes, causes, redaction, records, spans."""

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from reference_server.invocation.failure import downstream
from reference_server.invocation.results import DEEPEST_CAUSE, cut
from reference_server.invocation.schemas import RECORD, RESULT
from reference_server.invocation.taxonomy import CLASS_OF

from .desk import START, Desk, bearer

PERSON = "local::kit.person"
RELAY = "local::kit.relay"
SECRET = "hunter2"


def walk(desk: Desk) -> list[Any]:
    """Results of every code."""
    seen = [
        desk.invoke("kit.echo", {}),
        desk.invoke("local::kit.echo", {"text": "a"}, versionRange="9"),
        desk.invoke("local::kit.echo", {}),
        desk.invoke("local::kit.none", {}),
        desk.invoke("local::kit.guarded", {"key": "k", "value": "v"}, idempotencyKey="i"),
        desk.invoke("local::kit.guarded", {"key": "k", "value": "v"}, bearer(), idempotencyKey="i"),
        desk.invoke("local::kit.wait", {"ms": 400}),
        desk.invoke("local::kit.costly", {"units": 100}),
        desk.invoke("local::kit.costly", {"units": 1}),
        desk.invoke("local::kit.job_status", {"operationId": "o"}),
        desk.invoke("local::kit.fault", {"secret": SECRET}),
        desk.invoke("local::kit.unserialisable", {"text": "a"}),
        desk.invoke("local::kit.bad_output", {"text": "a"}),
        desk.invoke(RELAY, {"tool": "local::kit.fragile", "input": {"fail": True}}),
        desk.invoke("local::kit.put", {"key": "k", "value": "v"}, idempotencyKey="i"),
        desk.invoke("local::kit.put", {"key": "k", "value": "w"}, idempotencyKey="i"),
        desk.invoke(PERSON, {"name": "n", "password": SECRET}),
    ]
    seen += [desk.invoke("local::kit.limited", {"text": "a"}) for _ in range(4)]
    seen += [desk.invoke("local::kit.fragile", {"fail": True}) for _ in range(4)]
    seen += desk.together(*[("local::kit.narrow", {"ms": 1})] * 2)
    return seen


def test_every_code_can_be_met_and_every_result_has_its_form(desk: Desk) -> None:
    results = walk(desk)
    validator = Draft202012Validator(RESULT)
    assert [error.message for result in results for error in validator.iter_errors(result)] == []
    met = {result["error"]["code"] for result in results if "error" in result}
    assert met == set(CLASS_OF)
    for result in results:
        if "error" in result:
            assert result["error"]["class"] == CLASS_OF[result["error"]["code"]]
            assert (result["status"] == "Retryable") is result["error"]["isRetryable"]
            assert result["status"] == "Error" or result["error"]["details"]["retryAfterMs"] > 0
    assert SECRET not in json.dumps(results)


def test_every_record_has_its_form_and_no_secret(desk: Desk) -> None:
    walk(desk)
    validator = Draft202012Validator(RECORD)
    for kind in ("execution", "event", "span", "audit"):
        records = desk.records(kind)
        assert [error.message for record in records for error in validator.iter_errors(record)] == []
        assert [record["sequence"] for record in records] == list(range(1, len(records) + 1))
        assert SECRET not in json.dumps(records)


def test_where_resolution_failed_nothing_is_claimed(desk: Desk) -> None:
    result = desk.invoke("mcp::other::tool", {})
    assert [result["resolvedVersion"], result["attempts"]] == ["unresolved", 1]
    assert result["policySnapshot"]["timeoutMs"] == 5000


def test_an_output_is_redacted_and_says_so(desk: Desk) -> None:
    result = desk.invoke(PERSON, {"name": "n", "password": SECRET}, metadata={"note": {"api_key": SECRET}})
    assert result["output"] == {"name": "n", "tokens": [{}, {}]}
    assert result["policySnapshot"]["redactions"] == [
        "/input/password",
        "/metadata/note/api_key",
        "/output/ssn",
        "/output/tokens/0/value",
        "/output/tokens/1/value",
    ]


def test_a_refused_invocation_lists_its_redactions_too(desk: Desk) -> None:
    result = desk.invoke(PERSON, {"name": 7, "password": SECRET})
    assert result["policySnapshot"]["redactions"] == ["/input/password"]


@pytest.mark.parametrize("name", ["access_token", "X-API-Key", "Password", "client-secret", "authorization"])
def test_fields_named_like_secrets_are_masked_in_records_at_any_depth(desk: Desk, name: str) -> None:
    extra = {"list": [{name: {"deep": SECRET}}], "tokens": ["kept"], "nextToken": "kept"}
    assert desk.ok("local::kit.echo", {"text": "a", "extra": extra})["extra"] == extra
    records = json.dumps([desk.records(kind) for kind in ("event", "audit", "span")])
    assert SECRET not in records
    assert '"tokens": ["kept"], "nextToken": "kept"' in records


def test_metadata_and_headers_reach_the_audit(desk: Desk) -> None:
    desk.invoke("local::kit.echo", {"text": "a"}, metadata={"ticket": "T-1"}, headers={"locale": "de"})
    [entry] = desk.records("audit")
    assert [entry["metadata"], entry["headers"], entry["status"]] == [{"ticket": "T-1"}, {"locale": "de"}, "Ok"]


def test_records_need_their_scope(desk: Desk) -> None:
    for token, code in ((None, "Unauthenticated"), ("Bearer x", "Unauthenticated"), (bearer(), "Forbidden")):
        answer = desk.run(desk.call("read_records", {"kind": "audit"}, token))
        assert [answer.failed, answer.envelope["error"]["code"]] == [True, code]
    bad = desk.run(desk.call("read_records", {"kind": "all"}, bearer("records")))
    assert bad.envelope["error"]["code"] == "SchemaInvalid"
    assert desk.records("audit") == []


def test_records_are_found_by_correlation_and_tool(desk: Desk) -> None:
    for correlation in ("a", "b"):
        desk.ok("local::kit.sum", {"a": 1, "b": 1}, correlationId=correlation)
        desk.ok("local::kit.echo", {"text": "a"}, correlationId=correlation)
    found = desk.records("audit", correlationId="b", tool="local::kit.echo")
    assert [(each["correlationId"], each["tool"]) for each in found] == [("b", "local::kit.echo")]


def test_a_missing_correlation_is_generated(desk: Desk) -> None:
    made = [desk.invoke("local::kit.echo", {"text": "a"}, correlationId="")["correlationId"] for _ in range(3)]
    assert len(set(made)) == 3
    assert all(made)


def test_a_relayed_invocation_has_its_cause(desk: Desk) -> None:
    given = {"tool": "local::kit.put", "input": {"key": "k", "value": "v"}}
    deadline = desk.clock.instant(START + 60)
    fields = {"correlationId": "c", "causationId": "before", "headers": {"tenant": "t"}, "deadline": deadline}
    result = desk.invoke(RELAY, given, **fields)
    assert result["output"]["result"]["output"] == {"key": "k", "value": "v", "writes": 1}
    inner, outer = desk.records("audit", correlationId="c")
    assert [inner["tool"], inner["causationId"], inner["headers"]] == [
        "local::kit.put",
        outer["invocationId"],
        {"tenant": "t"},
    ]
    assert outer["causationId"] == "before"
    below, above = desk.records("span", correlationId="c")
    assert below["parentSpanId"] == above["spanId"]
    assert below["links"] == ["c", outer["invocationId"]]
    assert "parentSpanId" not in above


def test_a_relayed_failure_is_the_cause(desk: Desk) -> None:
    inner = {"tool": "local::kit.fragile", "input": {"fail": True}}
    result = desk.invoke(RELAY, {"tool": RELAY, "input": inner})
    error = result["error"]
    assert [error["code"], error["isRetryable"]] == ["DownstreamFailed", False]
    assert [error["causedBy"]["code"], error["causedBy"]["causedBy"]["code"]] == ["DownstreamFailed"] * 2
    assert "causedBy" not in error["causedBy"]["causedBy"]


def test_a_relay_that_fails_afterwards_has_invoked(desk: Desk) -> None:
    given = {"tool": "local::kit.append", "input": {"list": "l", "item": "i"}, "fail": True}
    assert desk.code(RELAY, given) == "DownstreamFailed"
    assert desk.ok("local::kit.read_list", {"list": "l"}) == {"items": ["i"]}


def test_causes_are_cut_where_they_get_deep() -> None:
    error: dict[str, Any] = {"code": "0"}
    for number in range(1, 12):
        error = {"code": str(number), "causedBy": error}
    depth, below = 0, cut(error, DEEPEST_CAUSE)
    while below:
        depth, below = depth + 1, below.get("causedBy", {})
    assert depth == DEEPEST_CAUSE
    assert downstream("m", None).details == {}


def test_the_setting_has_to_be_known() -> None:
    with pytest.raises(ValueError, match="unknown settings: speed"):
        Desk({"speed": 1})
    with pytest.raises(TypeError, match="cache_in_logs is a boolean"):
        Desk({"cache_in_logs": "yes"})
