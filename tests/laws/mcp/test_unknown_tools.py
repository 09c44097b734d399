"""MC-CALL-03, -17: calls of tools that nobody lists."""

import pytest

from conformance.model.events import Json
from tests.laws.histories import Story
from tests.laws.mcp.reader import GOOD, TOOLS, story


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


def test_an_internal_error_refuses_the_tool_that_it_names() -> None:
    done = {"content": []}
    crash = {"error": {"code": -32603, "message": "internal error"}}
    named = {"error": {"code": -32603, "message": "Unknown tool requested: nothing"}}
    assert unknown("MC-CALL-17", beside=done, **crash) == "not_observed"
    assert unknown("MC-CALL-17", beside=done, **named) == "pass"
    assert unknown("MC-CALL-17", **named) == "not_observed"
    assert unknown("MC-CALL-03", beside=done, **named) == "pass"


def test_where_nothing_else_is_served_an_unknown_tool_shows_nothing() -> None:
    assert unknown("MC-CALL-03", **NO) == "not_observed"
    assert unknown("MC-CALL-17", **NO) == "not_observed"
    assert unknown("MC-CALL-17", beside=FAILING, **NO) == "not_observed"


def test_where_nothing_succeeds_the_refusal_says_that_there_is_no_such_tool() -> None:
    named = {"isError": True, "content": [{"type": "text", "text": "Tool nothing not found"}]}
    same = {"isError": True, "content": [{"type": "text", "text": "Tool say not found"}]}
    assert unknown("MC-CALL-17", beside=FAILING, result=named) == "pass"
    assert unknown("MC-CALL-17", beside=same, result=named) == "not_observed"
    told = story()
    told.error("tools/call", {"name": "say", "arguments": {}}, -32603, "connection refused")
    told.result("tools/call", {"name": "nothing", "arguments": {}}, named)
    assert told.judged("MC-CALL-17").verdict == "pass"
    assert unknown("MC-CALL-17", result=named) == "not_observed"


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


def named(name: str, **answer: Json) -> dict[str, str]:
    """The verdicts on a tool of nearly a listed one's name."""
    told = story()
    told.result("tools/call", {"name": "say", "arguments": {}}, {"content": []})
    told.error("tools/call", {"name": "nothing", "arguments": {}}, -32602)
    told.request("tools/call", {"name": name, "arguments": {}}, {"jsonrpc": "2.0", "id": ..., **answer})
    return {each: told.judged(each).verdict for each in ("MC-CALL-03", "MC-CALL-17")}


@pytest.mark.parametrize("name", ["SAY", "Say", "say ", "s_a-y"])
def test_another_spelling_of_a_name_should_not_be_served(name: str) -> None:
    assert named(name, result={"content": []}) == {"MC-CALL-03": "warn", "MC-CALL-17": "pass"}
    assert named(name, **NO) == {"MC-CALL-03": "pass", "MC-CALL-17": "pass"}


@pytest.mark.parametrize("name", ["says", "sa", "other/say", "say2"])
def test_a_name_that_holds_another_one_is_never_served(name: str) -> None:
    assert named(name, result={"content": []})["MC-CALL-17"] == "fail"
    assert named(name, **NO) == {"MC-CALL-03": "pass", "MC-CALL-17": "pass"}


def test_a_limit_refuses_no_name() -> None:
    told = story()
    told.result("tools/call", {"name": "say", "arguments": {}}, {"content": []})
    text = [{"type": "text", "text": "rate limited: try again in 1 s"}]
    told.result("tools/call", {"name": "nothing", "arguments": {}}, {"isError": True, "content": text})
    assert told.judged("MC-CALL-03").verdict == "not_observed"
