"""MC-RPC-14, MC-CALL-13, -16: notifications, progress, log messages, cancellation."""

import pytest
from msgspec import structs

from conformance.judge.serving import all_served
from conformance.model.events import Json
from conformance.model.exchange import NO_RESPONSE
from conformance.model.history import History
from tests.laws.histories import Story
from tests.laws.mcp.sides import NEWER, OLDER, TOOLS, beside, came, refusal, story

NOTIFICATION = {"jsonrpc": "2.0", "method": "notifications/conformance", "params": {}}


@pytest.mark.parametrize(
    ("status", "body", "verdict"),
    [
        (202, None, "pass"),
        (202, {"ok": True}, "fail"),
        (200, None, "fail"),
        (204, None, "fail"),
        (400, refusal(-32600), "pass"),
        (400, {"jsonrpc": "2.0", "error": {"code": -32600, "message": "no"}}, "pass"),
        (400, None, "not_observed"),
        (500, refusal(-32603), "not_observed"),
        (400, refusal(-32601, 0), "fail"),
        (404, refusal(-32601, ""), "fail"),
        (400, {"jsonrpc": "2.0", "id": None, "result": {}}, "fail"),
        (401, {"error": "invalid_token"}, "not_observed"),
        (429, {"id": "of a gateway", "error": "slow down"}, "not_observed"),
        (503, None, "not_observed"),
    ],
)
def test_notifications_over_http(status: int, body: Json, verdict: str) -> None:
    told = story(transport="http")
    told.result("tools/list", None, TOOLS, status=200)
    beside(told, 1, NOTIFICATION, came(told, body, aside=1, status=status), method="POST")
    outcome = told.judged("MC-RPC-14")
    assert outcome.verdict == verdict if verdict != "not_observed" else outcome.subjects == 0


def test_a_refused_notification_tells_nothing_where_there_are_some_that_a_server_has_to_take() -> None:
    told = story(OLDER, transport="http")
    told.result("tools/list", None, TOOLS, status=200)
    beside(told, 1, NOTIFICATION, came(told, refusal(-32600), aside=1, status=400), method="POST")
    assert told.judged("MC-RPC-14").subjects == 0


@pytest.mark.parametrize(
    ("served_after_s", "others", "breaches"),
    [(0.1, (), 1), (2.5, (), 0), (None, (), 0), (0.1, (202,), 0), (0.1, (400,), 0)],
)
def test_a_notification_over_http_that_gets_no_response(
    served_after_s: float | None, others: tuple[int, ...], breaches: int
) -> None:
    """It is none where others of its name get one, nor where the server answers nothing else at once."""
    told = story(transport="http")
    told.result("tools/list", None, TOOLS, status=200)
    silence = structs.replace(came(told, aside=1), raw="", size=0, fault=f"{NO_RESPONSE} within 5 s")
    beside(told, 1, NOTIFICATION, silence, method="POST")
    if served_after_s is not None:
        told.result("tools/list", None, TOOLS, status=200)
        told.t += round(served_after_s * 1e6)
        told.events[-1] = structs.replace(told.events[-1], t=told.t)
    for number, status in enumerate(others, 2):
        beside(told, number, NOTIFICATION, came(told, aside=number, status=status), method="POST")
    assert told.judged("MC-RPC-14").breaches == breaches
    assert told.judged("MC-RPC-01").breaches == 0


def test_a_call_that_is_under_way_may_keep_a_server_from_a_response() -> None:
    told = story(transport="http")
    told.result("tools/list", None, TOOLS, status=200)
    told.request("tools/call", {"name": "slow"}, unanswered="time")
    silence = structs.replace(came(told, aside=1), raw="", size=0, fault=f"{NO_RESPONSE} within 5 s")
    beside(told, 1, NOTIFICATION, silence, method="POST")
    told.result("tools/list", None, TOOLS, status=200)
    assert told.judged("MC-RPC-14").breaches == 0


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
        ([progress(7, 10**400), progress(7, 10**400)], "fail"),
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
    ("result", "verdict"),
    [
        ({"content": [], "resultType": "complete"}, "fail"),
        ({"task": {"taskId": "t-1", "status": "working"}}, "pass"),
        ({"resultType": "task", "taskId": "t-1", "status": "working"}, "pass"),
    ],
)
def test_progress_after_the_answer_is_that_of_a_task_that_was_begun(result: Json, verdict: str) -> None:
    told = story(transport="stdio")
    answer = {"jsonrpc": "2.0", "id": ..., "result": result}
    told.request("tools/call", {"name": "a", "_meta": {"progressToken": 7}}, progress(7, 1), answer)
    told.stray(payload=progress(7, 2))
    assert told.judged("MC-CALL-13").verdict == verdict


@pytest.mark.parametrize(("transport", "verdict"), [("stdio", "fail"), ("http", "pass")])
def test_progress_after_the_answer(transport: str, verdict: str) -> None:
    """Over HTTP what comes on another stream may have been sent before."""
    told = story(transport=transport)
    answer = {"jsonrpc": "2.0", "id": ..., "result": {"content": [], "resultType": "complete"}}
    token = {"name": "a", "_meta": {"progressToken": 7}}
    told.request("tools/call", token, progress(7, 1), answer, status=200 if transport == "http" else None)
    told.stray(payload=progress(7, 2))
    assert told.judged("MC-CALL-13").verdict == verdict


LEVEL = "io.modelcontextprotocol/logLevel"
LOGS: dict[str, Json] = {"tools": {}, "logging": {}}


def log(level: Json = "info") -> Json:
    return {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": level, "data": "x"}}


@pytest.mark.parametrize(
    ("revision", "meta", "capabilities", "verdict"),
    [
        (NEWER, {}, LOGS, "fail"),
        (NEWER, {LEVEL: "info"}, LOGS, "pass"),
        (NEWER, {LEVEL: "debug"}, LOGS, "pass"),
        (NEWER, {LEVEL: "emergency"}, LOGS, "fail"),
        (NEWER, {LEVEL: "no level"}, LOGS, "pass"),
        (NEWER, {LEVEL: "info"}, {"tools": {}}, "fail"),
        (NEWER, {LEVEL: "info"}, {}, "pass"),
        (OLDER, {}, LOGS, "pass"),
        (OLDER, {}, {"tools": {}}, "fail"),
    ],
)
def test_log_messages(revision: str, meta: Json, capabilities: dict[str, Json], verdict: str) -> None:
    told = story(revision, capabilities=capabilities)
    answer = {"jsonrpc": "2.0", "id": ..., "result": {"content": [], "resultType": "complete"}}
    told.request("tools/call", {"name": "a", "_meta": meta}, log(), answer)
    assert told.judged("MC-CALL-13").verdict == verdict


@pytest.mark.parametrize(("level", "verdict"), [("warning", "pass"), ("warn", "fail"), ("INFO", "fail"), (3, "fail")])
def test_the_levels_of_log_messages(level: Json, verdict: str) -> None:
    told = story(OLDER, capabilities=LOGS)
    told.stray(payload=log(level))
    told.result("tools/list", None, TOOLS)
    assert told.judged("MC-CALL-13").verdict == verdict


@pytest.mark.parametrize(
    ("revision", "meta", "verdict"),
    [
        (NEWER, {}, "fail"),
        (NEWER, {LEVEL: "info"}, "pass"),
        (NEWER, {LEVEL: "error"}, "fail"),
        (OLDER, {}, "pass"),
    ],
)
def test_log_messages_that_name_no_call(revision: str, meta: Json, verdict: str) -> None:
    """On stdio nothing tells of which request they are: they may be of any that asked."""
    told = story(revision, transport="stdio", capabilities=LOGS)
    told.result("tools/call", {"name": "a", "_meta": meta}, {"content": [], "resultType": "complete"})
    told.stray(payload=log())
    assert told.judged("MC-CALL-13").verdict == verdict


@pytest.mark.parametrize(
    ("asked", "answered", "level", "verdict"),
    [
        ("emergency", True, "info", "fail"),
        ("emergency", True, "emergency", "pass"),
        ("info", True, "info", "pass"),
        ("info", True, "debug", "fail"),
        ("emergency", False, "info", "pass"),
        ("no level", True, "info", "pass"),
    ],
)
@pytest.mark.parametrize("alone", [True, False])
def test_the_level_that_was_set(asked: str, answered: bool, level: str, verdict: str, alone: bool) -> None:
    told = story(OLDER, transport="stdio", capabilities=LOGS)
    told.stray(payload=log("debug"))
    if answered:
        told.result("logging/setLevel", {"level": asked}, {})
    else:
        told.error("logging/setLevel", {"level": asked}, -32601)
    answer = {"jsonrpc": "2.0", "id": ..., "result": {"content": []}}
    told.request("tools/call", {"name": "a"}, *([] if alone else [log(level)]), answer)
    if alone:
        told.stray(payload=log(level))
    told.result("logging/setLevel", {"level": "debug"}, {})
    told.stray(payload=log("debug"))
    assert told.judged("MC-CALL-13").verdict == verdict


@pytest.mark.parametrize(("later_s", "verdict"), [(0, "pass"), (2, "fail")])
def test_over_http_a_message_may_have_been_under_way_when_the_level_was_set(later_s: int, verdict: str) -> None:
    told = story(OLDER, transport="http", capabilities=LOGS)
    told.result("logging/setLevel", {"level": "error"}, {}, status=200)
    told.t += later_s * 1_000_000
    told.stray(payload=log("info"))
    assert told.judged("MC-CALL-13").verdict == verdict


def test_a_log_message_before_a_revision_was_agreed_on_may_be_of_either_era() -> None:
    told = story(None, transport="stdio")
    told.stray(payload=log())
    told.connect("c2", transport="stdio", revision=NEWER, capabilities=LOGS)
    told.result("tools/list", None, TOOLS)
    assert told.judged("MC-CALL-13").verdict == "pass"


def cancelled(*, error: str = "", lost: bool = False, control: bool = True) -> str:
    told = story(transport="stdio")
    if control:
        told.call("get", {}, {"x": 1})
    told.together()
    if error:
        told.error("tools/call", {"name": "get", "arguments": {}}, -32603, error)
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
    assert cancelled(error="Request cancelled") == "warn"
    assert cancelled(error="rate limit exceeded") == "none", "a limit refuses what is not cancelled, too"
    assert cancelled(lost=True) == "warn"


@pytest.mark.parametrize(("notified", "verdict"), [(True, "pass"), (False, "fail")])
def test_a_stream_that_ends_without_an_answer_once_its_call_is_cancelled_is_no_breach(
    notified: bool, verdict: str
) -> None:
    told = story(transport="http", revision=OLDER)
    told.together()
    told.request("tools/call", {"name": "get", "arguments": {}}, status=200, raw="")
    if notified:
        notice = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": told.calls}}
        beside(told, 1, notice, method="POST")
    told.settle()
    told.result("tools/list", None, {"tools": []}, status=200)
    assert told.judged("MC-RPC-01").verdict == verdict


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


@pytest.mark.parametrize(
    ("contract", "row", "tool"), [("threads", "TH-ENV-01", "get_thread"), ("invocation", "IR-RES-01", "invoke")]
)
@pytest.mark.parametrize("when", ["before the answer", "after it", "never"])
def test_what_answers_a_call_that_was_cancelled_is_the_protocol(contract: str, row: str, tool: str, when: str) -> None:
    told = Story(contract)
    told.connect(transport="stdio")
    told.together()
    told.error("tools/call", {"name": tool, "arguments": {}}, -32800, "Request cancelled")
    notice = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
    if when == "before the answer":
        beside(told, 1, notice)
    told.settle()
    if when == "after it":
        beside(told, 1, notice)
    assert told.judged(row).verdict == ("not_observed" if when == "before the answer" else "fail")
