"""MC-RPC-11 to -14, -17 to -21 and MC-CALL-13, -16: what is sent beside the calls, and how connections begin."""

from typing import Any

import pytest

from conformance.judge.serving import all_served
from conformance.model.events import Http, Json, Message, Opened
from conformance.model.history import History
from tests.laws.histories import Story

VERSION = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
OLDER = "2025-11-25"
NEWER = "2026-07-28"
TOOLS: dict[str, Json] = {"tools": [], "resultType": "complete"}
SESSION = "mcp-session-id"


def story(revision: str | None = NEWER, transport: str = "in-process", **more: Any) -> Story:
    told = Story("mcp")
    told.connect(revision=revision, transport=transport, **more)
    return told


def beside(
    told: Story, number: int, payload: Json = None, *answers: Message, raw: str | None = None, **http: Any
) -> None:
    """Something that is sent beside the calls, and what comes back to it."""
    side = Http(**http) if http else None
    more: dict[str, Any] = {"raw": raw, "size": len(raw), "fault": "sent as bytes"} if raw is not None else {}
    told.events.append(
        Message(connection="c1", direction="out", aside=number, payload=payload, http=side, t=told.now(), **more)
    )
    for answer in answers:
        told.events.append(answer)


def came(told: Story, payload: Json = None, *, aside: int | None = None, status: int | None = None) -> Message:
    http = Http(status=status) if status is not None else None
    return Message(connection="c1", direction="in", aside=aside, payload=payload, http=http, t=told.now())


def refusal(code: int, number: Json = None) -> Json:
    return {"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": "no"}}


NOTIFICATION = {"jsonrpc": "2.0", "method": "notifications/conformance", "params": {}}


@pytest.mark.parametrize(
    ("result", "verdict"),
    [({}, "pass"), ({"_meta": {}}, "pass"), ({"resultType": "complete"}, "pass"), ({"pong": True}, "fail")],
)
def test_a_ping_gets_an_empty_result(result: Json, verdict: str) -> None:
    told = story(OLDER)
    told.result("ping", None, result)
    assert told.judged("MC-RPC-11").verdict == verdict


def test_a_ping_that_is_refused() -> None:
    told = story(OLDER)
    told.error("ping", None, -32601)
    assert told.judged("MC-RPC-11").verdict == "fail"


def test_a_revision_without_handshake_has_no_ping() -> None:
    told = story(NEWER)
    told.error("ping", None, -32601)
    assert told.judged("MC-RPC-11").verdict == "not_applicable"


def test_a_door_that_refuses_the_ping_says_nothing_of_it() -> None:
    told = story(OLDER, "http")
    told.request("ping", None, status=403, raw="no")
    assert told.judged("MC-RPC-11").subjects == 0


@pytest.mark.parametrize(
    ("revision", "method", "verdict"),
    [
        (OLDER, "ping", "pass"),
        (OLDER, "roots/list", "fail"),
        (OLDER, "sampling/createMessage", "fail"),
        (NEWER, "ping", "fail"),
    ],
)
def test_requests_of_the_server(revision: str, method: str, verdict: str) -> None:
    told = story(revision)
    told.result("tools/list", None, TOOLS)
    told.stray(payload={"jsonrpc": "2.0", "id": "s1", "method": method})
    assert told.judged("MC-RPC-12").verdict == verdict


@pytest.mark.parametrize(
    ("meta", "code", "verdict"),
    [
        ({VERSION: NEWER}, -32602, "pass"),
        ({VERSION: NEWER}, -32603, "fail"),
        ({VERSION: NEWER}, None, "fail"),
        ({}, -32601, "blocked"),
        ({VERSION: NEWER, CAPABILITIES: {}}, None, "blocked"),
    ],
)
def test_metadata_that_is_missing(meta: Json, code: int | None, verdict: str) -> None:
    """Without the version, and without HTTP, a request may be one of an older revision."""
    told = story()
    told.result("tools/list", {"_meta": {VERSION: NEWER, CAPABILITIES: {}}}, TOOLS)
    if code is None:
        told.result("tools/list", {"_meta": meta}, TOOLS)
    else:
        told.error("tools/list", {"_meta": meta}, code)
    outcome = told.judged("MC-RPC-13")
    assert outcome.verdict == verdict if verdict != "blocked" else outcome.subjects == 0


@pytest.mark.parametrize(("code", "verdict"), [(-32602, "pass"), (-32020, "pass"), (-32603, "fail")])
def test_over_http_a_header_names_the_revision(code: int, verdict: str) -> None:
    told = story(transport="http")
    told.result("tools/list", {"_meta": {VERSION: NEWER, CAPABILITIES: {}}}, TOOLS, status=200)
    asked = Http(method="POST", headers={"mcp-protocol-version": NEWER})
    told.error("tools/list", {"_meta": {CAPABILITIES: {}}}, code, http=asked, status=400)
    assert told.judged("MC-RPC-13").verdict == verdict


def test_metadata_is_judged_beside_a_request_that_has_it() -> None:
    told = story()
    told.error("tools/list", {"_meta": {VERSION: NEWER, CAPABILITIES: {}}}, -32602)
    told.error("tools/list", {"_meta": {VERSION: NEWER}}, -32602)
    assert told.judged("MC-RPC-13").subjects == 0


@pytest.mark.parametrize(
    ("status", "body", "verdict"),
    [
        (202, None, "pass"),
        (202, {"ok": True}, "fail"),
        (200, None, "fail"),
        (204, None, "fail"),
        (400, refusal(-32600), "not_observed"),
        (503, None, "not_observed"),
    ],
)
def test_notifications_over_http(status: int, body: Json, verdict: str) -> None:
    told = story(transport="http")
    told.result("tools/list", None, TOOLS, status=200)
    beside(told, 1, NOTIFICATION, came(told, body, aside=1, status=status), method="POST")
    outcome = told.judged("MC-RPC-14")
    assert outcome.verdict == verdict if verdict != "not_observed" else outcome.subjects == 0


def test_a_notification_is_answered_over_stdio() -> None:
    told = story(transport="stdio")
    beside(told, 1, NOTIFICATION)
    told.stray(payload=refusal(-32601))
    told.result("tools/list", None, TOOLS)
    assert told.judged("MC-RPC-14").verdict == "fail"
    assert told.judged("MC-RPC-01").verdict == "pass"


def test_a_notification_is_not_answered_over_stdio() -> None:
    told = story(transport="stdio")
    beside(told, 1, NOTIFICATION)
    told.result("tools/list", None, TOOLS)
    assert told.judged("MC-RPC-14").verdict == "pass"


def test_an_answer_without_an_id_long_after_a_notification_is_not_its_own() -> None:
    told = story(transport="stdio")
    beside(told, 1, NOTIFICATION)
    told.result("tools/list", None, TOOLS)
    told.stray(payload=refusal(-32601))
    assert told.judged("MC-RPC-14").verdict == "pass"
    assert told.judged("MC-RPC-01").verdict == "fail"


@pytest.mark.parametrize(
    ("status", "served", "verdict"), [(404, False, "pass"), (400, False, "fail"), (200, True, "fail")]
)
def test_a_session_that_was_ended(status: int, served: bool, verdict: str) -> None:
    told = story(OLDER, "http")
    mine = Http(method="POST", headers={SESSION: "s"})
    told.result(
        "initialize", {"protocolVersion": OLDER}, {"protocolVersion": OLDER}, status=200, headers={SESSION: "s"}
    )
    told.result("tools/list", None, TOOLS, http=mine, status=200)
    beside(told, 1, None, came(told, aside=1, status=200), method="DELETE", headers={SESSION: "s"})
    if served:
        told.result("tools/list", None, TOOLS, http=mine, status=status)
    else:
        told.error("tools/list", None, -32600, http=mine, status=status)
    assert told.judged("MC-RPC-17").verdict == verdict


def test_a_session_that_the_server_does_not_let_be_ended() -> None:
    told = story(OLDER, "http")
    mine = Http(method="POST", headers={SESSION: "s"})
    told.result(
        "initialize", {"protocolVersion": OLDER}, {"protocolVersion": OLDER}, status=200, headers={SESSION: "s"}
    )
    told.result("tools/list", None, TOOLS, http=mine, status=200)
    beside(told, 1, None, came(told, aside=1, status=405), method="DELETE", headers={SESSION: "s"})
    told.result("tools/list", None, TOOLS, http=mine, status=200)
    assert told.judged("MC-RPC-17").subjects == 0


@pytest.mark.parametrize(("status", "verdict"), [(400, "pass"), (404, "pass"), (200, "fail")])
def test_a_session_that_was_never_given(status: int, verdict: str) -> None:
    told = story(OLDER, "http")
    told.result(
        "initialize", {"protocolVersion": OLDER}, {"protocolVersion": OLDER}, status=200, headers={SESSION: "s"}
    )
    told.result("tools/list", None, TOOLS, http=Http(method="POST", headers={SESSION: "s"}), status=200)
    theirs = Http(method="POST", headers={SESSION: "t"})
    if status == 200:
        told.result("tools/list", None, TOOLS, http=theirs, status=200)
    else:
        told.error("tools/list", None, -32600, http=theirs, status=status)
    assert told.judged("MC-RPC-17").verdict == verdict


def test_a_server_without_sessions() -> None:
    told = story(OLDER, "http")
    told.result("initialize", {"protocolVersion": OLDER}, {"protocolVersion": OLDER}, status=200)
    told.result("tools/list", None, TOOLS, http=Http(method="POST", headers={SESSION: "t"}), status=200)
    assert told.judged("MC-RPC-17").subjects == 0


@pytest.mark.parametrize(
    ("status", "both", "verdict"),
    [(405, False, "pass"), (400, False, "warn"), (200, False, "warn"), (400, True, "pass"), (200, True, "warn")],
)
def test_get_at_the_endpoint(status: int, both: bool, verdict: str) -> None:
    """A server of both eras cannot always tell by the path alone which one is meant."""
    told = story(transport="http")
    if both:
        told.connect("c2", revision=OLDER, transport="http")
    beside(told, 1, None, came(told, aside=1, status=status), method="GET", path="/mcp")
    assert told.judged("MC-RPC-18").verdict == verdict


def test_a_session_is_given_out_without_a_handshake() -> None:
    told = story(transport="http")
    told.result("tools/list", None, TOOLS, status=200, headers={SESSION: "s"})
    assert told.judged("MC-RPC-18").verdict == "warn"


WHOLE = {"supportedVersions": [NEWER], "capabilities": {}, "ttlMs": 0, "cacheScope": "public"}


@pytest.mark.parametrize(
    ("changed", "verdict"),
    [
        ({}, "pass"),
        ({"_meta": {"io.modelcontextprotocol/serverInfo": {"name": "a", "version": "1"}}}, "pass"),
        ({"_meta": {"io.modelcontextprotocol/serverInfo": {"name": "a"}}}, "fail"),
        ({"supportedVersions": NEWER}, "fail"),
        ({"supportedVersions": [OLDER]}, "fail"),
        ({"capabilities": []}, "fail"),
        ({"ttlMs": "0"}, "fail"),
        ({"cacheScope": None}, "fail"),
    ],
)
def test_discovery(changed: dict[str, Json], verdict: str) -> None:
    told = story()
    told.result("server/discover", {}, {**WHOLE, **changed})
    assert told.judged("MC-RPC-19").verdict == verdict


@pytest.mark.parametrize(
    ("code", "verdict"), [(-32700, "pass"), (-32600, "pass"), (-32603, "warn"), (-32602, "warn"), (None, "pass")]
)
def test_a_frame_that_is_no_request(code: int | None, verdict: str) -> None:
    told = story(transport="stdio")
    told.result("tools/list", None, TOOLS)
    beside(told, 1, raw='{"jsonrpc"')
    if code is not None:
        told.stray(payload=refusal(code))
    told.result("tools/list", None, TOOLS)
    assert told.judged("MC-RPC-20").verdict == verdict
    assert told.judged("MC-RPC-01").verdict == "pass"


def test_a_frame_that_is_no_request_ends_the_server() -> None:
    told = story(transport="stdio")
    told.result("tools/list", None, TOOLS)
    beside(told, 1, "no request")
    told.request("tools/list", None, unanswered="lost")
    assert told.judged("MC-RPC-20").verdict == "warn"


def test_what_is_never_answered_says_nothing_of_the_frame_before_it() -> None:
    told = story(transport="stdio")
    beside(told, 1, "no request")
    told.request("tools/list", None, unanswered="time")
    assert told.judged("MC-RPC-20").verdict == "not_observed"


def test_a_frame_that_is_no_request_takes_the_next_with_it() -> None:
    """A server that reads a stream of JSON rather than lines takes two lines for one."""
    told = story(transport="stdio")
    told.result("tools/list", None, TOOLS)
    beside(told, 1, raw='{"jsonrpc"')
    told.request("tools/list", None, unanswered="time")
    assert told.judged("MC-RPC-20").verdict == "warn"
    assert told.judged("MC-RPC-01").verdict != "fail", "the request is owed nothing that may not have been read"


def test_a_refusal_outside_of_any_session_may_have_any_id() -> None:
    told = story(OLDER, "http")
    told.result(
        "initialize", {"protocolVersion": OLDER}, {"protocolVersion": OLDER}, status=200, headers={SESSION: "s"}
    )
    # by 404 the server says that it has ended the session
    for given, status, verdict in (("t", 400, "pass"), ("s", 404, "pass"), ("s", 400, "fail")):
        asked = Http(method="POST", headers={SESSION: given})
        told.request("tools/list", None, refusal(-32600, "server-error"), http=asked, status=status)
        assert told.judged("MC-RPC-01").verdict == verdict


@pytest.mark.parametrize(
    ("status", "body", "verdict"),
    [
        (400, refusal(-32700), "pass"),
        (400, None, "pass"),
        (400, refusal(-32020), "pass"),
        (500, None, "warn"),
        (202, None, "warn"),
    ],
)
def test_a_frame_that_is_no_request_over_http(status: int, body: Json, verdict: str) -> None:
    told = story(transport="http")
    beside(told, 1, {"jsonrpc": "2.0", "params": {}}, came(told, body, aside=1, status=status), method="POST")
    told.result("tools/list", None, TOOLS, status=200)
    assert told.judged("MC-RPC-20").verdict == verdict


def unmet(told: Story, name: str) -> None:
    """A connection on which nothing is asked for at its opening."""
    told.events.append(Opened(connection=name, transport="stdio", instance="main", t=told.now()))


def early(told: Story, *, lost: bool = False, refused: bool = False) -> str:
    told.connect("c1", revision=OLDER, transport="stdio")
    unmet(told, "c2")
    if lost:
        told.request("ping", None, on="c2", unanswered="lost")
    else:
        told.result("ping", None, {}, on="c2")
        if refused:
            told.error("initialize", {"protocolVersion": OLDER}, -32600, on="c2")
        else:
            told.result("initialize", {"protocolVersion": OLDER}, {"protocolVersion": OLDER}, on="c2")
            told.result("tools/list", None, TOOLS, on="c2")
    return told.judged("MC-RPC-21").verdict


def test_requests_before_the_handshake() -> None:
    assert early(Story("mcp")) == "pass"
    assert early(Story("mcp"), lost=True) == "warn"
    lost = Story("mcp")
    early(lost, lost=True)
    assert lost.judged("MC-RPC-01").verdict != "fail", "that a server ends so early is this requirement's matter"
    assert early(Story("mcp"), refused=True) == "warn"


def test_a_server_without_handshake_may_refuse_it() -> None:
    told = Story("mcp")
    told.connect("c1", revision=NEWER, transport="stdio")
    unmet(told, "c2")
    told.error("ping", None, -32602, on="c2")
    told.error("initialize", {"protocolVersion": OLDER}, -32601, on="c2")
    assert told.judged("MC-RPC-21").verdict == "not_applicable"


def progress(token: Json, number: Json) -> Json:
    return {
        "jsonrpc": "2.0",
        "method": "notifications/progress",
        "params": {"progressToken": token, "progress": number},
    }


@pytest.mark.parametrize(
    ("notices", "verdict"),
    [
        ([progress(7, 0), progress(7, 0.5)], "pass"),
        ([progress(7, 1), progress(7, 1)], "fail"),
        ([progress(7, "half")], "fail"),
        ([progress(8, 1)], "fail"),
        ([progress("7", 1)], "fail"),
        ([], "pass"),
    ],
)
def test_progress(notices: list[Json], verdict: str) -> None:
    told = story()
    answer = {"jsonrpc": "2.0", "id": ..., "result": {"content": [], "resultType": "complete"}}
    told.request("tools/call", {"name": "a", "_meta": {"progressToken": 7}}, *notices, answer)
    assert told.judged("MC-CALL-13").verdict == verdict


@pytest.mark.parametrize(
    ("revision", "meta", "capabilities", "verdict"),
    [
        (NEWER, {}, {"tools": {}, "logging": {}}, "fail"),
        (NEWER, {"io.modelcontextprotocol/logLevel": "info"}, {"tools": {}}, "pass"),
        (OLDER, {}, {"tools": {}, "logging": {}}, "pass"),
        (OLDER, {}, {"tools": {}}, "fail"),
    ],
)
def test_log_messages(revision: str, meta: Json, capabilities: dict[str, Json], verdict: str) -> None:
    told = story(revision, capabilities=capabilities)
    log = {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "x"}}
    answer = {"jsonrpc": "2.0", "id": ..., "result": {"content": [], "resultType": "complete"}}
    told.request("tools/call", {"name": "a", "_meta": meta}, log, answer)
    assert told.judged("MC-CALL-13").verdict == verdict


def cancelled(*, error: bool = False, lost: bool = False, control: bool = True) -> str:
    told = story(transport="stdio")
    if control:
        told.call("get", {}, {"x": 1})
    told.together()
    if error:
        told.error("tools/call", {"name": "get", "arguments": {}}, 0, "Request cancelled")
    elif lost:
        told.lost("get", {}, "lost")
    else:
        told.lost("get", {}, "cancelled")
    notice = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": told.calls}}
    beside(told, 1, notice)
    told.settle()
    told.call("get", {}, {"x": 1}) if not lost else told.lost("get", {}, "lost")
    outcome = told.judged("MC-CALL-16")
    return outcome.verdict if outcome.subjects else "none"


def test_a_call_that_is_cancelled() -> None:
    assert cancelled() == "pass"
    assert cancelled(error=True) == "warn"
    assert cancelled(lost=True) == "warn"


def test_a_cancelled_call_is_judged_beside_one_that_was_not() -> None:
    told = story(transport="stdio").together()
    told.error("tools/call", {"name": "get", "arguments": {}}, 0, "Request cancelled")
    beside(told, 1, {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}})
    told.settle()
    assert told.judged("MC-CALL-16").subjects == 0


def test_a_cancelled_call_owes_no_answer() -> None:
    told = story(transport="stdio")
    told.call("get", {}, {"x": 1})
    told.lost("get", {}, "cancelled")
    assert told.judged("MC-RPC-01").verdict == "pass"
    assert told.judged("MC-CALL-10").verdict == "pass"


def test_nothing_is_expected_of_a_good_call_that_was_cancelled() -> None:
    told = Story("threads")
    told.connect(transport="stdio")
    told.together()
    told.error("tools/call", {"name": "get_thread", "arguments": {}}, 0, "Request cancelled")
    beside(told, 1, {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}})
    told.settle()
    history = History.of(told.events)
    assert history.exchanges[0].cancelled is not None
    assert list(all_served(history.calls())) == []
