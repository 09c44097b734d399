"""MC-RPC-15, -16, MC-LIST-10 to -12 and MC-CALL-11: what is listed and shown, and the headers that repeat it."""

import pytest

from conformance.model.events import Http, Json

from .offers import COMPLETE, NEWER, VERSION, seen, story


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


@pytest.mark.parametrize(("repeated", "verdict"), [("prompts/list", "pass"), (None, "pass"), ("tools/list", "fail")])
def test_a_list_that_was_asked_for_wrongly_is_no_list_that_is_missing(repeated: str | None, verdict: str) -> None:
    """It may be the only one of its connection that was answered, as where the server sends too much for the others."""
    told = story(transport="http")
    meta: Json = {VERSION: NEWER, "io.modelcontextprotocol/clientCapabilities": {}}
    told.error("tools/list", {"_meta": meta}, -32020, http=headed(repeated), status=400)
    assert seen(told, "MC-LIST-01") == verdict


@pytest.mark.parametrize(
    ("name", "verdict"),
    [(None, "fail"), ("other", "fail"), ("get", "none"), ("=?base64?Z2V0?=", "none"), ("=?base64?eA==?=", "fail")],
)
def test_a_name_that_the_header_does_not_repeat(name: str | None, verdict: str) -> None:
    told = story(transport="http")
    for given in ("get", name):
        told.call("get", {}, {"x": 1}, http=headed("tools/call", given), status=200)
    assert seen(told, "MC-RPC-15") == verdict


@pytest.mark.parametrize(
    ("header", "code", "verdict"),
    [
        ("2025-11-25", None, "fail"),
        ("2025-11-25", -32020, "pass"),
        ("2025-11-25", -32022, "pass"),
        (None, None, "none"),
        (NEWER, None, "none"),
    ],
)
def test_a_version_that_the_header_does_not_repeat(header: str | None, code: int | None, verdict: str) -> None:
    told, meta = story(transport="http"), {"_meta": {VERSION: NEWER}}
    told.result("tools/list", meta, COMPLETE, http=headed("tools/list"), status=200)
    headers = {"mcp-method": "tools/list", **({} if header is None else {"mcp-protocol-version": header})}
    there = Http(method="POST", headers=headers)
    if code is None:
        told.result("tools/list", meta, COMPLETE, http=there, status=200)
    else:
        told.error("tools/list", meta, code, http=there, status=400)
    assert seen(told, "MC-RPC-15") == verdict


@pytest.mark.parametrize(
    ("asked", "given", "code", "verdict"),
    [
        ("2025-03-26", None, None, "fail"),
        ("2025-03-26", "2025-11-25", None, "fail"),
        ("2025-03-26", None, -32020, "pass"),
        ("2025-03-26", "2025-03-26", None, "none"),
        ("1999-01-01", None, None, "none"),
        (None, None, None, "none"),
    ],
)
def test_a_version_that_no_header_names(asked: str | None, given: str | None, code: int | None, verdict: str) -> None:
    """A server that serves clients of revisions without that header may take the request for theirs."""
    told, meta = story(transport="http"), {"_meta": {VERSION: NEWER}}
    told.result("tools/list", meta, COMPLETE, http=headed("tools/list"), status=200)
    if asked is not None and given is None:
        told.error("initialize", {"protocolVersion": asked}, -32022, http=headed(None), status=400)
    elif asked is not None:
        told.result("initialize", {"protocolVersion": asked}, {"protocolVersion": given}, status=200)
    there = Http(method="POST", headers={"mcp-method": "tools/list"})
    if code is None:
        told.result("tools/list", meta, {}, http=there, status=200)
        assert told.judged("MC-RPC-03").verdict == "pass", "it may be read as a request of an older revision"
    else:
        told.error("tools/list", meta, code, http=there, status=400)
    assert seen(told, "MC-RPC-15") == verdict


MARKED: Json = {
    "name": "get",
    "inputSchema": {
        "type": "object",
        "properties": {
            "text": {"type": "string", "x-mcp-header": "Text"},
            "within": {"type": "object", "properties": {"count": {"type": "integer", "x-mcp-header": "Count"}}},
            "sure": {"type": "boolean", "x-mcp-header": "Sure"},
        },
    },
}
GOOD: dict[str, str] = {"mcp-param-text": "a b", "mcp-param-count": "5", "mcp-param-sure": "true"}


@pytest.mark.parametrize(
    ("changed", "verdict"),
    [
        ({"mcp-param-text": None}, "fail"),
        ({"mcp-param-text": "a c"}, "fail"),
        ({"mcp-param-text": "=?base64?YSBi?="}, "none"),
        ({"mcp-param-count": "6"}, "fail"),
        ({"mcp-param-count": "five"}, "fail"),
        ({"mcp-param-count": "5.0"}, "none"),
        ({"mcp-param-sure": "True"}, "fail"),
        ({"mcp-param-other": "x"}, "none"),
    ],
)
def test_an_argument_that_the_header_does_not_repeat(changed: dict[str, str | None], verdict: str) -> None:
    arguments: Json = {"text": "a b", "within": {"count": 5}, "sure": True}
    told = story(transport="http")
    told.list([MARKED])
    for more in ({}, changed):
        headers = {**headed("tools/call", "get").headers, **GOOD, **more}
        there = Http(method="POST", headers={name: value for name, value in headers.items() if value is not None})
        told.call("get", arguments, {"x": 1}, http=there, status=200)
    assert seen(told, "MC-RPC-15") == verdict


@pytest.mark.parametrize(
    ("header", "text", "code", "verdict"),
    [
        ("=?base64?4oKs?=", "€", -32020, "fail"),
        ("=?base64?4oKs?=", "€", -32602, "none"),
        ("=?base64??=", "", -32020, "none"),
        ("=?base64?7aCA?=", "\ud800", -32020, "none"),
        ("plain", "plain", -32020, "fail"),
        ("plain", "plain", -32602, "none"),
        ("a  b", "a  b", -32020, "none"),
        ("plain", 5, -32020, "none"),
    ],
)
def test_headers_that_say_what_the_body_says_are_not_refused(header: str, text: Json, code: int, verdict: str) -> None:
    told = story(transport="http")
    told.list([MARKED])
    for given, value in (("a", "a"), (header, text)):
        http = Http(method="POST", headers={**headed("tools/call", "get").headers, "mcp-param-text": given})
        params: Json = {"name": "get", "arguments": {"text": value}}
        if given == "a":
            told.call("get", {"text": value}, {"x": 1}, http=http, status=200)
        else:
            told.error("tools/call", params, code, http=http, status=400)
    assert seen(told, "MC-RPC-15") == verdict


@pytest.mark.parametrize(
    ("arguments", "given", "verdict"),
    [
        ({"within": {"count": 5}, "sure": True}, {"mcp-param-count": "5", "mcp-param-sure": "true"}, "fail"),
        ({}, {}, "fail"),
        ({}, {"mcp-param-text": "a"}, "none"),
        ({"text": "€"}, {"mcp-param-text": "=?base64?4oKs?="}, "none"),
        ({"within": {"count": 2**53}}, {"mcp-param-count": str(2**53)}, "none"),
        ({"within": {"count": 5.0}}, {}, "none"),
        ({"sure": True, "within": {"count": "x"}}, {"mcp-param-sure": "true", "mcp-param-count": "x"}, "none"),
    ],
)
def test_a_tool_that_takes_no_headers_at_all(arguments: Json, given: dict[str, str], verdict: str) -> None:
    """Base64 is judged beside a call of the tool that was served, all else beside any request."""
    told = story(transport="http")
    told.list([MARKED])
    told.result("tools/list", None, COMPLETE, http=headed("tools/list"), status=200)
    http = Http(method="POST", headers={**headed("tools/call", "get").headers, **given})
    told.error("tools/call", {"name": "get", "arguments": arguments}, -32020, http=http, status=400)
    assert seen(told, "MC-RPC-15") == verdict


@pytest.mark.parametrize("params", [{"arguments": {}}, {"name": 5, "arguments": {}}])
def test_a_call_that_names_no_tool_has_no_header_that_could_say_so(params: dict[str, Json]) -> None:
    told = story(transport="http")
    told.list([MARKED])
    told.result("tools/list", None, COMPLETE, http=headed("tools/list"), status=200)
    told.error("tools/call", params, -32020, http=headed("tools/call"), status=400)
    assert seen(told, "MC-RPC-15") == "none"


@pytest.mark.parametrize(("name", "verdict"), [("greet", "fail"), ("other", "none"), (None, "none")])
def test_a_prompt_whose_name_the_header_repeats(name: str | None, verdict: str) -> None:
    told = story(transport="http")
    told.result("tools/list", None, COMPLETE, http=headed("tools/list"), status=200)
    told.error("prompts/get", {"name": "greet"}, -32020, http=headed("prompts/get", name), status=400)
    assert seen(told, "MC-RPC-15") == verdict


@pytest.mark.parametrize(
    ("marks", "arguments"),
    [
        ({"text": {"type": "string", "x-mcp-header": "Text"}}, {}),
        ({"text": {"type": "string", "x-mcp-header": "Text"}}, {"text": None}),
        ({"text": {"type": "string", "x-mcp-header": "Text"}}, {"text": [1]}),
        ({"text": {"type": "string", "x-mcp-header": "No name"}}, {"text": "a"}),
    ],
)
def test_what_no_client_repeats_is_not_missed(marks: Json, arguments: Json) -> None:
    told = story(transport="http")
    told.list([{"name": "get", "inputSchema": {"type": "object", "properties": marks}}])
    for _ in range(2):
        told.call("get", arguments, {"x": 1}, http=headed("tools/call", "get"), status=200)
    assert seen(told, "MC-RPC-15") == "none"


def test_another_version_is_judged_beside_a_request_that_is_served() -> None:
    told, there = story(transport="http"), Http(method="POST", headers={"mcp-protocol-version": "2025-11-25"})
    told.error("tools/list", {"_meta": {VERSION: NEWER}}, -32020, http=there, status=400)
    assert seen(told, "MC-RPC-15") == "none"


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


def cursor(code: int | None, *, paged: bool = False, control: bool = True, of: str = "tools") -> str:
    told = story()
    if control:
        told.result(f"{of}/list", {}, {of: [], **COMPLETE, **({"nextCursor": "2"} if paged else {})})
    if code is None:
        told.result(f"{of}/list", {"cursor": "never"}, {of: [], **COMPLETE})
    else:
        told.error(f"{of}/list", {"cursor": "never"}, code)
    return seen(told, "MC-LIST-10")


def test_a_cursor_that_was_never_given() -> None:
    assert cursor(-32602) == "pass"
    assert cursor(-32603) == "warn"
    assert cursor(None, paged=True) == "warn"
    assert cursor(None) == "none"
    assert cursor(-32602, control=False) == "none"
    assert cursor(-32603, of="prompts") == "warn"
    assert cursor(None, of="resources", paged=True) == "warn"


def test_a_cursor_of_another_list_was_never_given() -> None:
    told = story()
    told.result("tools/list", {}, {"tools": [], **COMPLETE, "nextCursor": "2"})
    told.result("prompts/list", {}, {"prompts": [], **COMPLETE})
    told.result("prompts/list", {"cursor": "2"}, {"prompts": [], **COMPLETE})
    assert seen(told, "MC-LIST-10") == "none", "prompts have one page, and no cursor is looked at"


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
