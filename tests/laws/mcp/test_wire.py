"""What a run shows of its wire: requests owed an answer, connections that cannot begin, what is read no further."""

from typing import Any

import pytest

from conformance.model.events import Footer, Http, Json, Message, Unanswered
from conformance.model.history import History
from tests.laws.histories import Story

DISCOVERED = {"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}}


def story(**how: Any) -> Story:
    told = Story("mcp")
    told.connect(**how)
    return told


def beside(told: Story, payload: Json, *, direction: str = "out", on: str = "c1", **more: Any) -> None:
    told.events.append(Message(connection=on, direction=direction, payload=payload, t=told.now(), **more))


def cancelled(told: Story, call: int) -> None:
    params = {"requestId": call, "reason": "no answer within the time limit"}
    beside(told, {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}, aside=1)


# MC-RPC-01: what is owed an answer


@pytest.mark.parametrize("transport", ["stdio", "in-process", "http"])
def test_a_call_that_we_cancelled_owes_no_answer(transport: str) -> None:
    told = story(transport=transport, revision="2025-11-25")
    call = told.lost("slow", {}, "time")
    assert told.judged("MC-RPC-01").verdict == "fail", "without the notification it was given up, and not cancelled"
    cancelled(told, call)
    assert told.judged("MC-RPC-01").subjects == 0
    assert told.judged("MC-CALL-10").verdict == "warn"


def test_without_a_handshake_a_closed_response_cancels_its_call_and_no_other_request() -> None:
    told = story(transport="http")
    told.lost("slow", {}, "time")
    assert told.judged("MC-RPC-01").subjects == 0
    told.request("tools/list", None, unanswered="time")
    assert told.judged("MC-RPC-01").verdict == "fail"


def test_a_call_that_was_lost_is_not_one_that_we_cancelled() -> None:
    told = story(transport="stdio")
    cancelled(told, told.lost("slow", {}, "lost"))
    assert told.judged("MC-RPC-01").verdict == "fail"


@pytest.mark.parametrize(("revision", "verdict"), [("2025-11-25", "pass"), ("2026-07-28", "fail")])
def test_a_connection_that_ends_at_the_probe_is_an_older_servers_or_a_breach(revision: str, verdict: str) -> None:
    told = story(transport="stdio", revision=None)
    told.request("server/discover", {}, unanswered="lost")
    told.connect("c2", transport="stdio", revision=revision)
    told.result("tools/list", None, {"tools": []}, on="c2")
    assert told.judged("MC-RPC-01").verdict == verdict
    assert told.judged("MC-LIST-01").verdict == "pass"


def test_a_probe_refused_for_its_lack_of_a_session_is_no_answer_to_judge() -> None:
    refused = {"jsonrpc": "2.0", "id": "server-error", "error": {"code": -32600, "message": "Missing session ID"}}
    told = story(transport="http", revision="2025-11-25")
    told.request("server/discover", {}, refused, http=Http(method="POST", path="/mcp"), status=400)
    told.result("initialize", {}, {"protocolVersion": "2025-11-25"}, http=Http(method="POST", path="/mcp"), status=200)
    assert (told.judged("MC-RPC-01").verdict, told.judged("MC-RPC-01").subjects) == ("pass", 1)
    told.request("tools/list", None, refused, http=Http(method="POST", path="/mcp"), status=400)
    assert told.judged("MC-RPC-01").verdict == "fail"
    saw = told.judged("MC-LIST-01").findings[0].saw
    assert 'an error under another id with HTTP 400 ("Missing session ID")' in saw


@pytest.mark.parametrize(
    ("why", "instance", "verdict"),
    [("time", "main", "pass"), ("time", "i1", "pass"), ("lost", "i1", "pass"), ("lost", "main", "fail")],
    ids=["slowly", "slowly, with settings", "not with its settings", "not, as the others do"],
)
def test_one_process_of_several_that_does_not_start(why: str, instance: str, verdict: str) -> None:
    told = story(transport="stdio")
    told.result("tools/list", None, {"tools": []})
    told.connect("c2", transport="stdio", revision=None, instance=instance)
    told.request("initialize", {}, on="c2", unanswered=why)
    assert told.judged("MC-RPC-01").verdict == verdict
    assert told.judged("MC-LIST-01").verdict == "pass"


def test_an_id_of_another_kind_that_gets_no_answer_is_named() -> None:
    told = story(transport="stdio")
    told.result("tools/list", None, {"tools": []})
    told.request("tools/list", None, unanswered="time", under="conformance-2")
    saw = told.judged("MC-RPC-01").findings[0].saw
    assert saw == "tools/list under the id 'conformance-2' got no answer within the time limit"


def test_an_answer_on_another_stream_is_told_as_such() -> None:
    told = story(transport="http", revision="2025-11-25")
    told.request("tools/list", None, unanswered="lost")
    told.stray(payload={"jsonrpc": "2.0", "id": 1, "result": {}})
    found = [finding.saw for finding in told.judged("MC-RPC-01").findings]
    assert "an answer came with the id 1, which came on another stream than its own" in found


def test_an_empty_response_is_told_with_where_the_answer_came() -> None:
    """As some servers do with HTTP 202, while the stream of a GET is open."""
    told = story(transport="http", revision="2025-11-25")
    for _ in range(2):
        told.request("tools/list", None, http=Http(method="POST", path="/mcp"), status=202, raw="")
    told.stray(payload={"jsonrpc": "2.0", "id": 1, "result": {}})
    one, other = [finding.saw for finding in told.judged("MC-RPC-01").findings if "no JSON-RPC answer" in finding.saw]
    assert one.endswith("; an answer with its id came on another stream")
    assert "another stream" not in other


def test_a_redirect_is_told_with_where_it_leads() -> None:
    told = story(transport="http")
    told.request(
        "tools/list", None, http=Http(method="POST", path="/mcp"), status=307, headers={"location": "/mcp/"}, raw=""
    )
    assert told.judged("MC-RPC-01").findings[0].saw == ("what came is no JSON-RPC answer: HTTP 307 to /mcp/, no JSON")


def test_what_is_nested_too_deep_is_no_noise_on_stdout() -> None:
    told = story(transport="stdio")
    told.stray(raw="[[[[", fault="nested too deep: more than 500 levels")
    assert told.judged("MC-RPC-07").verdict == "not_observed"
    assert told.judged("MC-RPC-01").verdict == "fail"


# MC-LIST-01: connections that begin


def test_a_run_that_is_cut_while_a_server_starts_says_nothing_of_it() -> None:
    for answers in ((), ({"jsonrpc": "2.0", "id": ..., "result": DISCOVERED},)):
        told = story(transport="stdio", revision=None)
        told.request("server/discover", {}, *answers)
        told.close()
        assert told.judged("MC-LIST-01", complete=False).verdict == "not_observed"
    told.error("server/discover", {}, -32601)
    assert told.judged("MC-LIST-01", complete=False).verdict == "not_observed", "the handshake may still have come"


def test_a_nonsensical_revision_is_told() -> None:
    told = story(revision=None)
    told.error("server/discover", {}, -32601)
    told.result("initialize", {}, {"protocolVersion": "banana"})
    outcome = told.judged("MC-LIST-01")
    assert outcome.verdict == "fail"
    assert "initialize: the revision 'banana'" in outcome.findings[0].saw


def test_a_session_that_cannot_be_begun_anew_is_a_breach() -> None:
    told = story(transport="http", revision="2025-11-25")
    told.result("tools/list", None, {"tools": []})
    there = Http(method="POST", path="/mcp")
    told.request("tools/list", None, http=there, status=404, raw="Session not found")
    told.request("initialize", {}, http=there, status=404, raw="Session not found")
    assert told.judged("MC-LIST-01").verdict == "fail"
    assert told.judged("MC-CALL-04").subjects == 0


@pytest.mark.parametrize(("status", "verdict"), [(503, "pass"), (502, "pass"), (500, "fail")])
def test_a_server_that_serves_nobody_for_a_time_is_not_turned_away_for_good(status: int, verdict: str) -> None:
    there = Http(method="POST", path="/mcp")
    told = story(transport="http", revision="2025-11-25")
    told.result("tools/list", None, {"tools": []})
    told.request("tools/list", None, http=there, status=404, raw="Session not found")
    told.request("initialize", {}, http=there, status=status, raw="draining")
    told.connect("c2", transport="http", revision=None)
    told.request("initialize", {}, http=there, status=status, raw="draining", on="c2")
    assert told.judged("MC-LIST-01").verdict == verdict


# What a server sends of its own, and what we answer


def test_requests_of_the_server_are_held_with_our_answers() -> None:
    told = story(transport="stdio", revision="2025-11-25")
    beside(told, {"jsonrpc": "2.0", "id": "p", "method": "ping"}, direction="in")
    beside(told, {"jsonrpc": "2.0", "id": "p", "result": {}}, aside=1)
    beside(told, {"jsonrpc": "2.0", "id": "q", "method": "roots/list"}, direction="in")
    history = History.of([*told.events, Footer(complete=True, events=1, calls=0, t=told.now())])
    assert [(inquiry.method, inquiry.revision) for inquiry in history.inquiries] == [
        ("ping", "2025-11-25"), ("roots/list", "2025-11-25")
    ]  # fmt: skip
    assert [inquiry.reply is not None for inquiry in history.inquiries] == [True, False]


def test_what_answers_a_notification_is_held_beside_it() -> None:
    told = story(transport="http", revision="2025-11-25")
    beside(told, {"jsonrpc": "2.0", "method": "notifications/initialized"}, aside=1, http=Http(method="POST", path="/"))
    beside(told, None, direction="in", aside=1, http=Http(status=202))
    beside(told, None, aside=2, http=Http(method="GET", path="/"))
    beside(told, None, direction="in", aside=2, http=Http(status=200))
    beside(told, {"jsonrpc": "2.0", "method": "notifications/message"}, direction="in", aside=2)
    history = History.of(told.events)
    first, second = history.asides.values()
    assert [m.http and m.http.status for m in first.answers] == [202]
    assert [m.http and m.http.status for m in second.answers] == [200, None]
    assert [m.payload["method"] for m in history.strays] == ["notifications/message"], "only the frame of the stream"


# MC-CALL-10, MC-RPC-03: time with progress, and another version than the connection's


@pytest.mark.parametrize(("pauses", "verdict"), [((4, 4, 4), "pass"), ((4, 12), "warn"), ((12,), "warn")])
def test_progress_begins_the_limit_anew(pauses: tuple[int, ...], verdict: str) -> None:
    told = story(transport="stdio")
    call = told.request("tools/call", {"name": "slow", "arguments": {}})
    for pause in pauses[:-1]:
        told.t += pause * 1_000_000
        params = {"progressToken": call, "progress": told.t}
        progress = {"jsonrpc": "2.0", "method": "notifications/progress", "params": params}
        beside(told, progress, direction="in", call=call)
    told.t += pauses[-1] * 1_000_000
    answer = {"jsonrpc": "2.0", "id": call, "result": {"resultType": "complete", "content": []}}
    beside(told, answer, direction="in", call=call)
    assert told.judged("MC-CALL-10").verdict == verdict


@pytest.mark.parametrize(("late_ms", "verdict"), [(3_000, "pass"), (1_000, "warn"), (0, "warn")])
def test_time_in_which_the_suite_itself_was_late_does_not_count(late_ms: int, verdict: str) -> None:
    told = story(transport="stdio")
    call = told.request("tools/call", {"name": "slow", "arguments": {}})
    told.t += 12 * 1_000_000
    answer = {"jsonrpc": "2.0", "id": call, "result": {"resultType": "complete", "content": []}}
    message = Message(connection="c1", direction="in", call=call, payload=answer, late_ms=late_ms, t=told.now())
    told.events.append(message)
    assert told.judged("MC-CALL-10").verdict == verdict


def test_the_answer_to_a_claim_of_another_version_is_judged_by_that_alone() -> None:
    told = story()
    meta = {"io.modelcontextprotocol/protocolVersion": "1999-01-01"}
    told.result("tools/list", {"_meta": meta}, {"tools": []})
    assert told.judged("MC-RPC-05").verdict == "fail"
    assert told.judged("MC-RPC-03").subjects == told.judged("MC-LIST-09").subjects == 0


def test_statuses_that_no_tool_gave_are_no_refusals() -> None:
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}}
    told = story(transport="http", revision="2025-11-25")
    told.list([{"name": "t", "inputSchema": schema}])
    for status in (404, 502, 307):
        told.request(
            "tools/call", {"name": "t", "arguments": {"n": "x"}},
            http=Http(method="POST", path="/mcp"), status=status, raw="gone",
        )  # fmt: skip
    assert told.judged("MC-CALL-04").subjects == 0
    assert told.judged("MC-CALL-09").subjects == 0


def test_a_late_answer_still_counts() -> None:
    told = story(transport="http", revision="2025-11-25")
    call = told.request("tools/list", None)
    told.events.append(Unanswered(call=call, connection="c1", why="time", t=told.now()))
    beside(told, {"jsonrpc": "2.0", "id": call, "result": {}}, direction="in", call=call)
    assert told.judged("MC-RPC-01").verdict == "pass"
