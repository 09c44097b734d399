"""MC-RPC-20: frames that are no request."""

import pytest

from conformance.model.events import Json
from tests.laws.mcp.sides import TOOLS, beside, came, refusal, story


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
    told.close(by="server", exit_status=1)
    judged = told.judged("MC-RPC-20")
    assert judged.verdict == "warn"
    assert judged.findings[0].saw == (
        'after a message that is no request ("no request") tools/list got no answer: '
        "the server's process ended with status 1"
    )


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


def test_a_slow_server_is_no_one_that_a_frame_has_harmed() -> None:
    told = story(transport="stdio")
    told.result("tools/list", None, TOOLS)
    told.connect("c2", transport="stdio")
    told.request("tools/list", None, on="c2", unanswered="time")
    beside(told, 1, raw='{"jsonrpc"')
    told.request("tools/list", None, unanswered="time")
    assert told.judged("MC-RPC-20").verdict == "not_observed"


def test_a_frame_that_harms_each_connection_is_no_sign_of_a_slow_server() -> None:
    told = story(transport="stdio")
    told.result("tools/list", None, TOOLS)
    told.connect("c2", transport="stdio")
    beside(told, 1, raw='{"jsonrpc"')
    told.request("tools/list", None, unanswered="time")
    told.request("tools/list", None, on="c2", unanswered="time")
    assert told.judged("MC-RPC-20").verdict == "warn"


@pytest.mark.parametrize(
    ("status", "body", "verdict"),
    [
        (400, refusal(-32700), "pass"),
        (400, None, "pass"),
        (400, refusal(-32020), "pass"),
        (500, None, "warn"),
        (503, None, "pass"),
        (202, None, "warn"),
    ],
)
def test_a_frame_that_is_no_request_over_http(status: int, body: Json, verdict: str) -> None:
    told = story(transport="http")
    beside(told, 1, {"jsonrpc": "2.0", "params": {}}, came(told, body, aside=1, status=status), method="POST")
    told.result("tools/list", None, TOOLS, status=200)
    assert told.judged("MC-RPC-20").verdict == verdict


UNVERSIONED: Json = {"id": "conformance-1", "method": "tools/list", "params": {}}


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ({"jsonrpc": "2.0", "id": "conformance-1", "result": TOOLS}, "warn"),
        (refusal(-32600, "conformance-1"), "pass"),
        (refusal(-32600), "pass"),
        (refusal(-32603, "conformance-1"), "warn"),
        (None, "pass"),
    ],
)
@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_a_request_that_does_not_say_that_it_is_json_rpc(answer: Json, verdict: str, transport: str) -> None:
    told = story(transport=transport)
    told.result("tools/list", None, TOOLS)
    if transport == "stdio":
        beside(told, 1, UNVERSIONED)
        if answer is not None:
            told.stray(payload=answer)
    else:
        status = 400 if answer is None or "error" in answer else 200
        beside(told, 1, UNVERSIONED, came(told, answer, aside=1, status=status), method="POST")
    told.result("tools/list", None, TOOLS)
    assert told.judged("MC-RPC-20").verdict == verdict
    assert told.judged("MC-RPC-01").verdict == "pass"


@pytest.mark.parametrize(
    ("message", "verdict"),
    [
        ("Parse error", "pass"),
        ('Traceback (most recent call last):\n  File "/srv/app/server.py", line 3, in loop\nValueError: no', "fail"),
        ("cannot read /srv/app/state.json", "fail"),
    ],
)
def test_what_is_told_of_a_frame_that_is_no_request(message: str, verdict: str) -> None:
    told = story(transport="stdio")
    told.result("tools/list", None, TOOLS)
    told.error("tools/none", None, -32601)
    beside(told, 1, raw='{"jsonrpc"')
    told.stray(payload={"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": message}})
    told.result("tools/list", None, TOOLS)
    assert told.judged("MC-CALL-08").verdict == verdict


@pytest.mark.parametrize(
    ("error", "broken"),
    [
        ({"code": -32700, "message": "no"}, set()),
        ({"message": "no"}, {"MC-RPC-02", "MC-RPC-20"}),
        ({"code": "-32700", "message": "no"}, {"MC-RPC-02", "MC-RPC-20"}),
        ({"code": -32700}, {"MC-RPC-02"}),
    ],
)
@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_the_error_that_such_a_frame_gets_is_whole(transport: str, error: dict[str, Json], broken: set[str]) -> None:
    told = story(transport=transport)
    told.result("tools/list", None, TOOLS)
    answer: Json = {"jsonrpc": "2.0", "id": None, "error": error}
    if transport == "http":
        beside(told, 1, "no request", came(told, answer, aside=1, status=400), method="POST")
    else:
        beside(told, 1, "no request")
        told.stray(payload=answer)
    told.result("tools/list", None, TOOLS)
    judged = {each: told.judged(each).verdict for each in ("MC-RPC-02", "MC-RPC-20")}
    assert {each for each, verdict in judged.items() if verdict in ("fail", "warn")} == broken


def test_a_body_that_is_no_json_rpc_has_no_code() -> None:
    told = story(transport="http")
    told.result("tools/list", None, TOOLS)
    beside(told, 1, "no request", came(told, {"error": {"reason": "bad request"}}, aside=1, status=400), method="POST")
    told.result("tools/list", None, TOOLS)
    assert told.judged("MC-RPC-20").verdict == "pass"
    assert told.judged("MC-RPC-02").subjects == 0


@pytest.mark.parametrize(("answer", "verdict"), [({"jsonrpc": "2.0", "id": None}, "warn"), ({"detail": "no"}, "pass")])
def test_a_message_of_json_rpc_that_holds_no_error_refuses_nothing(answer: Json, verdict: str) -> None:
    """A body that is none is the web framework's own."""
    told = story(transport="http")
    told.result("tools/list", None, TOOLS)
    beside(told, 1, "no request", came(told, answer, aside=1, status=400), method="POST")
    told.result("tools/list", None, TOOLS)
    assert told.judged("MC-RPC-20").verdict == verdict
