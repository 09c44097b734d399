"""MC-RES: resources that are listed, read and not there."""

import pytest

from conformance.model.events import Json
from tests.laws.histories import Story

from .offers import BOTH, COMPLETE, NEWER, OLDER, listed, seen, story

ONE, TWO = {"uri": "a:1", "name": "1"}, {"uri": "a:2", "name": "2"}


@pytest.mark.parametrize(
    ("pages", "cursors", "verdict"),
    [
        ([[ONE, TWO]], (), "pass"),
        ([[ONE], [TWO]], ("2",), "pass"),
        ([[]], (), "pass"),
        ([[ONE, ONE]], (), "fail"),
        ([[ONE], [ONE]], ("2",), "fail"),
        ([[ONE], [TWO]], ("2", "2"), "fail"),
        ([[{"name": "1"}]], (), "fail"),
        ([[{"uri": "a:1"}]], (), "fail"),
        ([[{"uri": "a:1", "name": None}]], (), "fail"),
        ([["a:1"]], (), "fail"),
    ],
)
def test_resources_are_listed(pages: list[list[Json]], cursors: tuple[str, ...], verdict: str) -> None:
    told = story(capabilities=BOTH)
    listed(told, "resources/list", "resources", *pages, cursors=cursors)
    assert seen(told, "MC-RES-01") == verdict


@pytest.mark.parametrize(
    ("method", "code", "verdict"),
    [
        ("resources/list", -32601, "fail"),
        ("resources/templates/list", -32601, "none"),
        ("resources/list", -32603, "fail"),
    ],
)
def test_resources_that_are_declared_and_not_listed(method: str, code: int, verdict: str) -> None:
    told = story(capabilities=BOTH)
    told.error(method, {}, code)
    assert seen(told, "MC-RES-01") == verdict


def test_resources_are_listed_and_there_is_no_method_to_read_them() -> None:
    told = reads()
    told.error("resources/read", {"uri": "a:1"}, -32601)
    assert seen(told, "MC-RES-02") == "fail"


def test_what_is_not_declared_need_not_be_there() -> None:
    told = story()
    told.error("resources/list", {}, -32601)
    told.error("prompts/list", {}, -32601)
    for requirement in ("MC-RES-01", "MC-RES-02", "MC-RES-03", "MC-PROMPT-01", "MC-PROMPT-02", "MC-PROMPT-03"):
        assert told.judged(requirement).verdict == "not_applicable", requirement


def reads(revision: str = NEWER) -> Story:
    told = story(revision, capabilities=BOTH)
    listed(told, "resources/list", "resources", [ONE])
    return told


@pytest.mark.parametrize(
    ("contents", "verdict"),
    [
        ([{"uri": "a:1", "text": "x"}], "pass"),
        ([{"uri": "a:1", "blob": "aGk="}], "pass"),
        ([], "none"),
        ([{"text": "x"}], "fail"),
        ([{"uri": "a:1"}], "fail"),
        ([{"uri": "a:1", "blob": "no base64!"}], "fail"),
        (None, "fail"),
    ],
)
def test_a_listed_resource_is_read(contents: Json, verdict: str) -> None:
    told = reads()
    told.result("resources/read", {"uri": "a:1"}, {"contents": contents, **COMPLETE})
    assert seen(told, "MC-RES-02") == verdict


@pytest.mark.parametrize(("code", "verdict"), [(-32602, "fail"), (-32002, "fail"), (-32603, "none")])
def test_a_listed_resource_is_refused(code: int, verdict: str) -> None:
    """What is behind a resource may be away: an error that says nothing of it tells nothing."""
    told = reads()
    told.error("resources/read", {"uri": "a:1"}, code)
    assert seen(told, "MC-RES-02") == verdict


@pytest.mark.parametrize(
    ("message", "times", "sibling", "later", "verdict"),
    [
        ("boom", 2, "a:2", True, "fail"),
        # once is chance; others of its scheme may all be away; it may be gone; the cause lies elsewhere
        ("boom", 1, "a:2", True, "pass"),
        ("boom", 2, "b:2", True, "pass"),
        ("boom", 2, "a:2", False, "pass"),
        ("connection refused", 2, "a:2", True, "pass"),
        ("EACCES: permission denied", 2, "a:2", True, "pass"),
    ],
)
def test_a_listed_resource_that_is_broken(message: str, times: int, sibling: str, later: bool, verdict: str) -> None:
    told = story(capabilities=BOTH)
    both = [ONE, {"uri": sibling, "name": "two"}]
    listed(told, "resources/list", "resources", both)
    told.result("resources/read", {"uri": sibling}, {"contents": [{"uri": sibling, "text": "x"}], **COMPLETE})
    for _ in range(times):
        told.error("resources/read", {"uri": "a:1"}, -32603, message)
    if later:
        listed(told, "resources/list", "resources", both)
    assert seen(told, "MC-RES-02") == verdict


@pytest.mark.parametrize(
    ("tool", "later", "verdict"),
    [
        ("drop", False, "none"),
        ("drop", True, "fail"),
        ("look", False, "fail"),
    ],
)
def test_a_resource_that_a_call_may_have_removed(tool: str, later: bool, verdict: str) -> None:
    told = reads()
    told.list(
        [
            {"name": "drop", "inputSchema": {"type": "object"}},
            {"name": "look", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": True}},
        ]
    )
    told.call(tool, {}, {})
    told.error("resources/read", {"uri": "a:1"}, -32602)
    if later:
        listed(told, "resources/list", "resources", [ONE])
    assert seen(told, "MC-RES-02") == verdict


@pytest.mark.parametrize(("between", "verdict"), [("drop", "none"), ("", "fail")])
def test_what_calls_move_while_pages_are_fetched_may_come_twice(between: str, verdict: str) -> None:
    told = story(capabilities=BOTH)
    told.result("resources/list", {}, {"resources": [ONE], "nextCursor": "1", **COMPLETE})
    if between:
        told.call(between, {}, {})
    told.result("resources/list", {"cursor": "1"}, {"resources": [ONE], **COMPLETE})
    assert (seen(told, "MC-RES-01") == "fail") is (verdict == "fail")


@pytest.mark.parametrize(
    ("revision", "code", "verdict"),
    [
        (NEWER, -32602, "pass"),
        (NEWER, 0, "warn"),
        (OLDER, -32002, "pass"),
        (OLDER, -32602, "pass"),
        (OLDER, -32603, "warn"),
        (OLDER, None, "warn"),
    ],
)
def test_an_unknown_resource(revision: str, code: int | None, verdict: str) -> None:
    told = reads(revision)
    told.result("resources/read", {"uri": "a:1"}, {"contents": [{"uri": "a:1", "text": "x"}], **COMPLETE})
    if code is None:
        told.result("resources/read", {"uri": "a:9"}, {"contents": [], **COMPLETE})
    else:
        told.error("resources/read", {"uri": "a:9"}, code)
    assert seen(told, "MC-RES-03") == verdict


def test_an_unknown_resource_of_a_server_that_lists_none_is_no_matter_of_this_run() -> None:
    told = story(NEWER, capabilities=BOTH)
    listed(told, "resources/list", "resources", [])
    listed(told, "prompts/list", "prompts", [])
    told.error("resources/read", {"uri": "a:9"}, 0)
    told.error("prompts/get", {"name": "nobody"}, 0)
    assert {str(told.judged(each).verdict) for each in ("MC-RES-03", "MC-PROMPT-03")} == {"not_applicable"}


def test_an_unknown_resource_is_judged_beside_one_that_is_read() -> None:
    told = reads()
    told.error("resources/read", {"uri": "a:1"}, -32602)
    told.error("resources/read", {"uri": "a:9"}, -32602)
    assert seen(told, "MC-RES-03") == "none"


def test_a_template_that_fits_any_uri() -> None:
    told = reads()
    listed(told, "resources/templates/list", "resourceTemplates", [{"uriTemplate": "{+uri}", "name": "any"}])
    for uri in ("a:1", "a:9"):
        told.result("resources/read", {"uri": uri}, {"contents": [{"uri": uri, "text": "x"}], **COMPLETE})
    assert seen(told, "MC-RES-03") == "none"


def test_a_list_of_resources_that_is_longer_than_it_is_followed_may_end() -> None:
    cursors = tuple(map(str, range(50)))
    told = story(capabilities=BOTH)
    listed(told, "resources/list", "resources", *[[{"uri": f"a:{n}", "name": "x"}] for n in range(50)], cursors=cursors)
    assert told.judged("MC-RES-01").verdict == "not_observed"
    told = story(capabilities=BOTH)
    listed(told, "resources/list", "resources", [ONE], *[[]] * 49, cursors=cursors)
    assert "the last 49 of 50 pages have nothing new" in told.judged("MC-RES-01").findings[0].saw


@pytest.mark.parametrize(
    ("said", "verdict"), [({}, "fail"), (True, "fail"), ("x", "fail"), (False, "none"), (None, "none")]
)
def test_a_capability_that_is_no_object_is_declared(said: Json, verdict: str) -> None:
    told = story(capabilities={"tools": {}, "resources": said})
    told.error("resources/list", {}, -32601)
    assert seen(told, "MC-RES-01") == verdict
