"""MC-CALL-01, -02, -10: results, their structured content and their time."""

import pytest

from conformance.model.events import Json
from tests.laws.histories import Story
from tests.laws.mcp.reader import GOOD, answered, story


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


def test_time() -> None:
    assert answered({"structuredContent": {"at": "noon"}}).judged("MC-CALL-10").verdict == "pass"
    told = story()
    told.lost("read", GOOD, "time")
    assert told.judged("MC-CALL-10").verdict == "warn"
    told = story()
    told.lost("read", GOOD, "lost")
    told.lost("read", GOOD, "size")
    assert told.judged("MC-CALL-10").verdict == "not_observed"


@pytest.mark.parametrize(("characters", "large"), [(10, False), (70_000, True)])
def test_a_large_message_that_got_no_answer_is_told_as_one(characters: int, large: bool) -> None:
    told = story()
    told.lost("read", {"at": "n" * characters}, "time")
    assert ("to a message of 70," in told.judged("MC-CALL-10").findings[0].saw) is large


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


@pytest.mark.parametrize(
    ("schema", "called", "verdict"),
    [({}, True, "not_applicable"), ({}, False, "not_observed"), ({"outputSchema": {}}, True, "not_observed")],
)
def test_where_nothing_is_structured_there_is_nothing_to_repeat_as_text(
    schema: dict[str, Json], called: bool, verdict: str
) -> None:
    told = Story("mcp")
    told.connect()
    told.list([{"name": "say", "inputSchema": {"type": "object"}, **schema}])
    if called:
        told.result("tools/call", {"name": "say", "arguments": {}}, {"content": [{"type": "text", "text": "noon"}]})
    assert told.judged("MC-CALL-02").verdict == verdict
