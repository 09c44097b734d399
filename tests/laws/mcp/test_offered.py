"""MC-RPC-15, -16, MC-LIST-10 to -12, MC-CALL-11, -14, MC-RES and MC-PROMPT: what is listed, shown and asked for."""

from typing import Any

import pytest

from conformance.model.events import Http, Json
from tests.laws.histories import Story

NEWER, OLDER = "2026-07-28", "2025-11-25"
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
BOTH: dict[str, Json] = {"tools": {}, "resources": {}, "prompts": {}}
COMPLETE: dict[str, Json] = {"resultType": "complete"}


def story(revision: str = NEWER, transport: str = "in-process", **more: Any) -> Story:
    told = Story("mcp")
    told.connect(revision=revision, transport=transport, **more)
    return told


def seen(told: Story, requirement: str) -> str:
    """The verdict; `none` where nothing was judged."""
    outcome = told.judged(requirement)
    return str(outcome.verdict) if outcome.subjects else "none"


def headed(method: str | None, name: str | None = None, revision: str = NEWER) -> Http:
    given = {"mcp-protocol-version": revision, "mcp-method": method, "mcp-name": name}
    return Http(method="POST", headers={key: value for key, value in given.items() if value is not None})


@pytest.mark.parametrize(
    ("method", "code", "status", "verdict"),
    [
        (None, -32020, 400, "pass"),
        ("prompts/list", -32020, 400, "pass"),
        ("prompts/list", -32020, 200, "fail"),
        (None, -32600, 400, "fail"),
        (None, None, 200, "fail"),
        (None, -32020, 403, "none"),
        (None, -32020, 503, "none"),
    ],
)
def test_a_method_that_the_header_does_not_repeat(
    method: str | None, code: int | None, status: int, verdict: str
) -> None:
    told = story(transport="http")
    told.result("tools/list", None, COMPLETE, http=headed("tools/list"), status=200)
    if code is None:
        told.result("tools/list", None, COMPLETE, http=headed(method), status=status)
    else:
        told.error("tools/list", None, code, http=headed(method), status=status)
    assert seen(told, "MC-RPC-15") == verdict


@pytest.mark.parametrize(
    ("name", "verdict"),
    [(None, "fail"), ("other", "fail"), ("get", "none"), ("=?base64?Z2V0?=", "none"), ("=?base64?eA==?=", "fail")],
)
def test_a_name_that_the_header_does_not_repeat(name: str | None, verdict: str) -> None:
    told = story(transport="http")
    for given in ("get", name):
        told.call("get", {}, {"x": 1}, http=headed("tools/call", given), status=200)
    assert seen(told, "MC-RPC-15") == verdict


def test_headers_are_judged_beside_a_request_that_is_served() -> None:
    told = story(transport="http")
    told.error("tools/list", None, -32020, http=headed("tools/list"), status=400)
    told.error("tools/list", None, -32020, http=headed(None), status=400)
    assert seen(told, "MC-RPC-15") == "none"


@pytest.mark.parametrize(
    ("form", "verdict"),
    [
        ("application/json", "pass"),
        ("application/json; charset=utf-8", "pass"),
        ("text/event-stream", "pass"),
        ("text/plain", "fail"),
        ("", "fail"),
    ],
)
def test_the_form_of_an_answer(form: str, verdict: str) -> None:
    told = story(transport="http")
    told.result("tools/list", None, COMPLETE, status=200, headers={"content-type": form} if form else {})
    assert seen(told, "MC-RPC-16") == verdict


def cursor(code: int | None, *, paged: bool = False, control: bool = True) -> str:
    told = story()
    if control:
        told.result("tools/list", {}, {"tools": [], **COMPLETE, **({"nextCursor": "2"} if paged else {})})
    if code is None:
        told.result("tools/list", {"cursor": "never"}, {"tools": [], **COMPLETE})
    else:
        told.error("tools/list", {"cursor": "never"}, code)
    return seen(told, "MC-LIST-10")


def test_a_cursor_that_was_never_given() -> None:
    assert cursor(-32602) == "pass"
    assert cursor(-32603) == "warn"
    assert cursor(None, paged=True) == "warn"
    assert cursor(None) == "none"
    assert cursor(-32602, control=False) == "none"


@pytest.mark.parametrize(
    ("properties", "verdict"),
    [
        ({"a": {"type": "string", "x-mcp-header": "A"}}, "pass"),
        ({"a": {"type": ["integer", "null"], "x-mcp-header": "A"}}, "pass"),
        ({"a": {"type": "object", "properties": {"b": {"type": "boolean", "x-mcp-header": "B"}}}}, "pass"),
        ({"a": {"type": "string", "x-mcp-header": "A b"}}, "fail"),
        ({"a": {"type": "string", "x-mcp-header": ""}}, "fail"),
        ({"a": {"type": "number", "x-mcp-header": "A"}}, "fail"),
        ({"a": {"type": "array", "items": {"type": "string", "x-mcp-header": "A"}}}, "fail"),
        ({"a": {"type": "string", "x-mcp-header": "A"}, "b": {"type": "string", "x-mcp-header": "a"}}, "fail"),
        ({"a": {"type": "string", "default": {"x-mcp-header": "A b"}}}, "none"),
    ],
)
def test_arguments_that_headers_repeat(properties: Json, verdict: str) -> None:
    told = story()
    told.list([{"name": "get", "inputSchema": {"type": "object", "properties": properties}}])
    assert seen(told, "MC-LIST-11") == verdict


@pytest.mark.parametrize(
    ("tool", "verdict"),
    [
        ({"description": "Gets."}, "pass"),
        ({"description": "Gets.", "title": "Get"}, "pass"),
        ({"description": "Gets.", "title": " "}, "warn"),
        ({"description": ""}, "warn"),
        ({}, "warn"),
    ],
)
def test_a_tool_is_described(tool: dict[str, Json], verdict: str) -> None:
    told = story()
    told.list([{"name": "get", "inputSchema": {"type": "object"}, **tool}])
    assert seen(told, "MC-LIST-12") == verdict


RESOURCE = {"uri": "a:b", "text": "x"}
BLOCKS = [
    ({"type": "text", "text": ""}, "pass"),
    ({"type": "text"}, "fail"),
    ({"type": "image", "data": "aGk=", "mimeType": "image/png"}, "pass"),
    ({"type": "image", "data": "a-_=", "mimeType": "image/png"}, "fail"),
    ({"type": "audio", "data": "aGk="}, "fail"),
    ({"type": "resource", "resource": RESOURCE}, "pass"),
    ({"type": "resource", "resource": {"uri": "a:b", "blob": "aGk="}}, "pass"),
    ({"type": "resource", "resource": {"uri": "a:b"}}, "fail"),
    ({"type": "resource", "resource": {"text": "x"}}, "fail"),
    ({"type": "resource"}, "fail"),
    ({"type": "resource_link", "uri": "a:b", "name": "b"}, "pass"),
    ({"type": "resource_link", "uri": "a:b"}, "fail"),
    ({"type": "link"}, "fail"),
    ("text", "fail"),
]


@pytest.mark.parametrize(("block", "verdict"), BLOCKS)
def test_content_blocks(block: Json, verdict: str) -> None:
    told = story()
    told.result("tools/call", {"name": "get"}, {"content": [block], **COMPLETE})
    assert seen(told, "MC-CALL-11") == verdict


def test_content_that_is_no_list_and_content_that_is_empty() -> None:
    told = story()
    told.result("tools/call", {"name": "get"}, {"content": "x", **COMPLETE})
    assert seen(told, "MC-CALL-11") == "fail"
    told = story()
    told.result("tools/call", {"name": "get"}, {"content": [], **COMPLETE})
    assert seen(told, "MC-CALL-11") == "none"
    told = story()
    told.result("tools/call", {"name": "get"}, {"resultType": "input_required", "requestState": "x"})
    assert seen(told, "MC-CALL-11") == "none"


@pytest.mark.parametrize(
    ("method", "declared", "result", "verdict"),
    [
        ("tools/call", {}, {"requestState": "x"}, "pass"),
        ("tools/call", {}, {}, "fail"),
        ("tools/list", {}, {"requestState": "x"}, "fail"),
        ("prompts/get", {"roots": {}}, {"inputRequests": {"a": {"method": "roots/list"}}}, "pass"),
        ("prompts/get", {"sampling": {}}, {"inputRequests": {"a": {"method": "roots/list"}}}, "fail"),
        ("resources/read", {"roots": {}}, {"inputRequests": {"a": {"method": "ping"}}}, "fail"),
        ("resources/read", {}, {"inputRequests": []}, "fail"),
        ("resources/read", {}, {"requestState": 5}, "fail"),
    ],
)
def test_answers_that_need_input(method: str, declared: Json, result: dict[str, Json], verdict: str) -> None:
    told = story()
    told.result(method, {"_meta": {CAPABILITIES: declared}}, {"resultType": "input_required", **result})
    assert seen(told, "MC-CALL-14") == verdict


def listed(told: Story, method: str, key: str, *pages: list[Json], cursors: tuple[str, ...] = ()) -> None:
    """A list, page by page; the cursor of each page leads to the next."""
    params: dict[str, Json] = {}
    for place, page in enumerate(pages):
        following = {"nextCursor": cursors[place]} if place < len(cursors) else {}
        told.result(method, params, {key: page, **COMPLETE, **following})
        params = {"cursor": cursors[place]} if place < len(cursors) else {}


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
        ([], "pass"),
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


PLAIN = {"name": "plain"}
ASKING = {"name": "asking", "arguments": [{"name": "a", "required": True}, {"name": "b"}]}
MESSAGES = {"messages": [{"role": "user", "content": {"type": "text", "text": "x"}}], **COMPLETE}


def prompts() -> Story:
    told = story(capabilities=BOTH)
    listed(told, "prompts/list", "prompts", [PLAIN, ASKING])
    return told


def test_prompts_are_listed() -> None:
    assert seen(prompts(), "MC-PROMPT-01") == "pass"
    told = story(capabilities=BOTH)
    listed(told, "prompts/list", "prompts", [PLAIN, PLAIN])
    assert seen(told, "MC-PROMPT-01") == "fail"


@pytest.mark.parametrize(
    ("messages", "verdict"),
    [
        (MESSAGES["messages"], "pass"),
        ([], "pass"),
        ([{"role": "system", "content": {"type": "text", "text": "x"}}], "fail"),
        ([{"role": "user", "content": "x"}], "fail"),
        ([{"role": "user", "content": {"type": "text"}}], "fail"),
        ("x", "fail"),
    ],
)
def test_a_prompt_gives_messages(messages: Json, verdict: str) -> None:
    told = prompts()
    told.result("prompts/get", {"name": "plain"}, {"messages": messages, **COMPLETE})
    assert seen(told, "MC-PROMPT-02") == verdict


def test_a_listed_prompt_is_refused() -> None:
    """Of a prompt that takes arguments nobody knows which values are good."""
    told = prompts()
    told.error("prompts/get", {"name": "plain"}, -32602)
    assert seen(told, "MC-PROMPT-02") == "fail"
    told = prompts()
    told.error("prompts/get", {"name": "asking", "arguments": {"a": "1"}}, -32602)
    assert seen(told, "MC-PROMPT-02") == "none"


@pytest.mark.parametrize(
    ("params", "code", "verdict"),
    [
        ({"name": "nobody"}, -32602, "pass"),
        ({"name": "nobody"}, 0, "warn"),
        ({"name": "nobody"}, None, "warn"),
        ({"name": "asking", "arguments": {}}, -32602, "pass"),
        ({"name": "asking", "arguments": {"b": "1"}}, -32603, "warn"),
        ({"name": "asking", "arguments": {}}, None, "warn"),
        ({"name": "asking", "arguments": {"a": "1"}}, -32603, "none"),
    ],
)
def test_a_prompt_that_is_asked_for_wrongly(params: Json, code: int | None, verdict: str) -> None:
    told = prompts()
    told.result("prompts/get", {"name": "asking", "arguments": {"a": "1"}}, MESSAGES)
    if code is None:
        told.result("prompts/get", params, MESSAGES)
    else:
        told.error("prompts/get", params, code)
    assert seen(told, "MC-PROMPT-03") == verdict


def test_a_refused_prompt_is_judged_beside_one_that_is_given() -> None:
    told = prompts()
    told.error("prompts/get", {"name": "asking", "arguments": {"a": "1"}}, -32602)
    told.error("prompts/get", {"name": "asking", "arguments": {}}, -32602)
    told.error("prompts/get", {"name": "nobody"}, -32602)
    assert seen(told, "MC-PROMPT-03") == "none"


def test_a_list_of_resources_that_is_longer_than_it_is_followed_may_end() -> None:
    cursors = tuple(map(str, range(50)))
    told = story(capabilities=BOTH)
    listed(told, "resources/list", "resources", *[[{"uri": f"a:{n}", "name": "x"}] for n in range(50)], cursors=cursors)
    assert told.judged("MC-RES-01").verdict == "not_observed"
    told = story(capabilities=BOTH)
    listed(told, "resources/list", "resources", [ONE], *[[]] * 49, cursors=cursors)
    assert "the last 49 of 50 pages have nothing new" in told.judged("MC-RES-01").findings[0].saw
