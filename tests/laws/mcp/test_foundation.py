"""MC-RPC-01, MC-RPC-07, MC-LIST-01: the three that every contract rests on."""

from typing import Any

import pytest

from conformance.model.events import Http
from tests.laws.histories import Story

TOOLS = [{"name": "get_thread", "inputSchema": {"type": "object"}}]
OK = {"jsonrpc": "2.0", "id": ..., "result": {"tools": []}}


def story(**how: Any) -> Story:
    told = Story("mcp")
    told.connect(**how)
    return told


def test_one_answer_to_each_request() -> None:
    told = story()
    told.result("tools/list", None, {"tools": []})
    told.error("nonsense", None, -32601)
    outcome = told.judged("MC-RPC-01")
    assert (outcome.verdict, outcome.subjects) == ("pass", 2)


@pytest.mark.parametrize(
    "answers",
    [
        (OK, OK),
        ({"jsonrpc": "2.0", "id": "1", "result": {}},),
        ({"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": "no"}},),
        ({"jsonrpc": "2.0", "id": ..., "result": {}, "error": {"code": 1, "message": "no"}},),
        ({"jsonrpc": "2.0", "id": ...},),
        ({"jsonrpc": "2.0", "id": ..., "result": [1]},),
        ([],),
    ],
    ids=["twice", "id of another type", "no id", "both", "neither", "result no object", "no object"],
)
def test_an_answer_that_is_none(answers: tuple[Any, ...]) -> None:
    told = story()
    told.request("tools/list", None, *answers)
    assert told.judged("MC-RPC-01").verdict == "fail"


@pytest.mark.parametrize("why", ["time", "size", "lost"])
def test_no_answer(why: str) -> None:
    told = story()
    told.request("tools/list", unanswered=why)
    assert told.judged("MC-RPC-01").verdict == "fail"


def test_a_server_that_was_killed_owes_no_answer() -> None:
    told = story()
    told.request("tools/list", unanswered="killed")
    assert told.judged("MC-RPC-01").verdict != "fail"


def test_an_answer_after_the_time_limit_is_an_answer() -> None:
    told = story()
    told.request("tools/list", unanswered="time")
    told.events.append(
        type(told.events[-2])(
            connection="c1", direction="in", call=1, payload={"jsonrpc": "2.0", "id": 1, "result": {}}, t=told.now()
        )
    )
    assert told.judged("MC-RPC-01").verdict == "pass"


def test_an_answer_to_no_request() -> None:
    told = story(transport="stdio")
    told.stray(payload={"jsonrpc": "2.0", "id": 99, "result": {}})
    assert told.judged("MC-RPC-01").verdict == "fail"


@pytest.mark.parametrize("answer", [{"error": {"code": -32600, "message": "no"}}, {"result": {}}])
def test_an_answer_without_an_id_to_no_request(answer: Any) -> None:
    told = story(transport="stdio")
    told.result("tools/list", None, {"tools": []})
    told.stray(payload={"jsonrpc": "2.0", "id": None, **answer})
    assert told.judged("MC-RPC-01").verdict == "fail"


def test_an_error_without_an_id_may_be_what_a_request_got_that_could_not_be_read() -> None:
    told = story(transport="stdio")
    told.request("tools/list", unanswered="time")
    told.stray(payload={"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "no"}})
    assert told.judged("MC-RPC-01").breaches == 1


def test_a_probe_that_a_handshake_server_leaves_unanswered() -> None:
    told = story(revision="2025-11-25")
    told.request("server/discover", {}, unanswered="time")
    told.result("initialize", {}, {"protocolVersion": "2025-11-25"})
    outcome = told.judged("MC-RPC-01")
    assert (outcome.verdict, outcome.subjects) == ("pass", 1)


def test_a_probe_that_nothing_follows_is_a_request_like_any_other() -> None:
    told = story(revision=None)
    told.request("server/discover", {}, unanswered="time")
    assert told.judged("MC-RPC-01").verdict == "fail"


@pytest.mark.parametrize(("status", "verdict"), [(401, "pass"), (200, "fail"), (202, "fail")])
def test_over_http_a_refusing_status_needs_no_answer(status: int, verdict: str) -> None:
    told = story(transport="http")
    told.request("tools/list", None, http=Http(method="POST", path="/mcp"), status=status, raw="unauthorized")
    assert told.judged("MC-RPC-01").verdict == verdict


def test_over_plain_http_each_request_gets_one_answer() -> None:
    told = Story("threads")
    told.connect(transport="http", binding="http")
    told.request(
        "x", None, {"error": {"code": "NOT_FOUND"}}, http=Http(method="POST", path="/v1/mcp/get_thread"), status=404
    )
    assert told.judged("MC-RPC-01").verdict == "pass"
    assert told.judged("MC-LIST-01").verdict == "not_applicable"
    told.request("x", None, http=Http(method="POST", path="/v1/mcp/get_thread"), unanswered="lost")
    assert told.judged("MC-RPC-01").verdict == "fail"


def test_stdout_with_messages() -> None:
    told = story(transport="stdio")
    told.result("tools/list", None, {"tools": []})
    told.stray(payload={"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
    outcome = told.judged("MC-RPC-07")
    assert (outcome.verdict, outcome.subjects) == ("pass", 2)


@pytest.mark.parametrize(
    "frame",
    [
        {"raw": "ready to serve"},
        {"payload": "ready"},
        {"payload": {"level": "info"}},
        {"payload": {"id": 1, "result": {}}},
        {"payload": [{"jsonrpc": "2.0", "method": "x"}]},
    ],
    ids=["banner", "string", "log record", "no jsonrpc", "batch"],
)
def test_stdout_with_anything_else(frame: dict[str, Any]) -> None:
    told = story(transport="stdio")
    told.stray(**frame)
    assert told.judged("MC-RPC-07").verdict == "fail"


def test_a_line_that_we_cut_is_not_the_servers() -> None:
    told = story(transport="stdio")
    told.stray(raw='{"jsonrpc":', fault="longer than 8000000 bytes")
    told.stray(raw='{"jsonrpc":', fault="the stream ended within a line")
    told.close()
    assert told.judged("MC-RPC-07").verdict == "not_observed"


def test_tools_declared_and_listed() -> None:
    told = story()
    told.list(TOOLS)
    outcome = told.judged("MC-LIST-01")
    assert (outcome.verdict, outcome.subjects) == ("pass", 2)


def test_tools_not_declared() -> None:
    told = story(capabilities={"resources": {}})
    told.list(TOOLS)
    assert told.judged("MC-LIST-01").verdict == "fail"


def test_tools_declared_and_not_listed() -> None:
    told = story()
    told.error("tools/list", None, -32603)
    assert told.judged("MC-LIST-01").verdict == "fail"


def test_a_server_of_something_else_is_not_judged_but_a_contracts_own_is() -> None:
    for contract, verdict in (("mcp", "not_applicable"), ("threads", "fail")):
        told = Story(contract)
        told.connect(capabilities={"resources": {}})
        told.error("tools/list", None, -32601)
        assert told.judged("MC-LIST-01").verdict == verdict
        assert told.judged("MC-CALL-17").verdict == ("not_applicable" if contract == "mcp" else "blocked")


def test_a_refused_handshake_is_the_root() -> None:
    told = story(revision=None)
    told.error("server/discover", {}, -32601)
    told.error("initialize", {}, -32603)
    outcome = told.judged("MC-LIST-01")
    assert (outcome.verdict, outcome.findings[0].calls) == ("fail", (1, 2))
