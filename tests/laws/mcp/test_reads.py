"""MC-RPC-10: the same read on another connection."""

import pytest

from conformance.model.events import Json
from tests.laws.histories import Story

READ = {"name": "get", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": True}}


def story() -> Story:
    told = Story("mcp")
    told.connect(revision="2026-07-28", transport="http")
    return told


def reads(*answers: Json, connections: tuple[str, ...] = ("c1", "c2", "c1"), lost: str = "") -> str:
    told = story()
    told.connect("c2", transport="http")
    told.list([READ])
    if lost:
        told.lost("wait", {"seconds": 60}, lost)
    for connection, answer in zip(connections, answers, strict=True):
        told.call("get", {"id": 1}, answer, failed=answer is None, on=connection)
    return told.judged("MC-RPC-10").verdict


def test_a_read_is_the_same_on_another_connection() -> None:
    assert reads({"a": 1}, {"a": 1}, {"a": 1}) == "pass"
    assert (
        reads(
            {"a": 1, "at": "2026-11-21T12:00:00Z"},
            {"a": 1, "at": "2026-11-21T12:00:01Z"},
            {"a": 1, "at": "2026-11-21T12:00:02Z"},
        )
        == "pass"
    )


def test_a_read_is_another_there() -> None:
    assert reads({"a": 1}, {"a": 2}, {"a": 1}) == "fail"
    assert reads({"a": 1}, None, {"a": 1}) == "fail"


@pytest.mark.parametrize(
    ("hint", "declared", "resources", "templates", "verdict"),
    [
        (False, (), None, None, "not_applicable"),
        (True, (), None, None, "not_observed"),
        (False, ("resources",), [], None, "not_applicable"),
        (False, ("resources",), [], [], "not_applicable"),
        (False, ("resources",), None, None, "not_observed"),
        (False, ("resources",), None, [], "not_observed"),
        (False, ("resources",), {}, None, "not_observed"),
        (False, ("resources",), [{"uri": "a:1", "name": "a"}], None, "not_observed"),
        (False, ("resources",), [], [{"uriTemplate": "a:{b}", "name": "a"}], "not_observed"),
        (False, ("resources", "prompts"), [], None, "not_observed"),
    ],
)
def test_where_nothing_says_that_it_is_a_read_nothing_is_said_of_reads(
    hint: bool, declared: tuple[str, ...], resources: Json, templates: Json, verdict: str
) -> None:
    told = Story("mcp")
    told.connect(revision="2026-07-28", transport="http", capabilities={"tools": {}, **{each: {} for each in declared}})
    told.list([{**READ, "annotations": {"readOnlyHint": hint}}])
    if resources is not None:
        told.result("resources/list", {}, {"resources": resources})
    if templates is not None:
        told.result("resources/templates/list", {}, {"resourceTemplates": templates})
    told.call("get", {"id": 1}, {"a": 1})
    assert told.judged("MC-RPC-10").verdict == verdict


def test_the_answer_to_another_request_tells_nothing_of_this_one() -> None:
    told = story()
    told.connect("c2", transport="http")
    told.list([READ])
    told.call("get", {"id": 1}, {"a": 1})
    stray = {"jsonrpc": "2.0", "id": 999, "result": {"content": [], "structuredContent": {"a": 2}}}
    told.request("tools/call", {"name": "get", "arguments": {"id": 1}}, stray, on="c2")
    told.call("get", {"id": 1}, {"a": 1})
    assert told.judged("MC-RPC-10").verdict == "not_observed"
    assert told.judged("MC-RPC-01").verdict == "fail"


def test_a_limit_there_tells_nothing() -> None:
    told = story()
    told.connect("c2", transport="http")
    told.list([READ])
    told.call("get", {"id": 1}, {"a": 1})
    told.error("tools/call", {"name": "get", "arguments": {"id": 1}}, -32603, "rate limit exceeded", on="c2")
    told.call("get", {"id": 1}, {"a": 1})
    assert told.judged("MC-RPC-10").verdict == "not_observed"


def test_a_call_that_was_never_answered_hides_no_other() -> None:
    assert reads({"a": 1}, {"a": 1}, {"a": 1}, lost="timeout") == "pass"
    assert reads({"a": 1}, {"a": 2}, {"a": 1}, lost="timeout") == "fail"
    assert reads({"a": 1}, {"a": 2}, {"a": 2}, lost="timeout") == "not_observed"


@pytest.mark.parametrize(
    ("method", "params", "key"),
    [("resources/read", {"uri": "a:1"}, "contents"), ("prompts/get", {"name": "a"}, "messages")],
)
def test_resources_and_prompts_are_reads_too(method: str, params: dict[str, Json], key: str) -> None:
    def told(*given: Json) -> str:
        story_ = story()
        story_.connect("c2", transport="http")
        for connection, text in zip(("c1", "c2", "c1"), given, strict=True):
            if text is None:
                story_.error(method, params, -32602, on=connection)
            else:
                meta = {"_meta": {"served_by": connection}}
                story_.result(method, params, {"resultType": "complete", key: [text], **meta}, on=connection)
        return story_.judged("MC-RPC-10").verdict

    assert told("x", "x", "x") == "pass"
    assert told("x", "y", "x") == "fail"
    assert told("x", None, "x") == "fail"
    assert told("x", "y", "z") == "not_observed"
    assert told(None, "x", None) == "not_observed"


def test_a_read_that_changes_by_itself_or_on_one_connection_shows_nothing() -> None:
    assert reads({"a": 1}, {"a": 2}, {"a": 3}) == "not_observed"
    assert reads({"a": 1}, {"a": 2}, {"a": 1}, connections=("c1", "c1", "c1")) == "not_observed"
    often = ("c1", "c2", "c1", "c2", "c1")
    assert reads({"a": 1}, {"a": 2}, {"a": 1}, {"a": 2}, {"a": 1}, connections=often) == "fail"
    assert reads({"a": 1}, {"a": 2}, {"a": 1}, {"a": 3}, {"a": 1}, connections=often) == "not_observed"
    assert reads({"a": 1}, {"a": 2}, {"a": 1}, {"a": 2}, {"a": 4}, connections=often) == "not_observed"
