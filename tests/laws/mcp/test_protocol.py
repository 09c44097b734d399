"""MC-RPC-02 to -06, -08 and -09."""

from typing import Any

import pytest

from conformance.model.events import Http, Json
from tests.laws.histories import Story

VERSION = "io.modelcontextprotocol/protocolVersion"


def story(revision: str | None = "2026-07-28", transport: str = "in-process") -> Story:
    told = Story("mcp")
    told.connect(revision=revision, transport=transport)
    return told


@pytest.mark.parametrize(
    ("code", "message", "verdict"),
    [
        (-32601, "no", "pass"),
        ("-32601", "no", "fail"),
        (True, "no", "fail"),
        (1.5, "no", "fail"),
        (1, {"text": "no"}, "fail"),
    ],
)
def test_an_error_has_a_code_and_a_message(code: Json, message: Json, verdict: str) -> None:
    told = story()
    told.error("tools/list", None, code, message)
    assert told.judged("MC-RPC-02").verdict == verdict


@pytest.mark.parametrize(
    ("result", "verdict"),
    [
        ({"resultType": "complete"}, "pass"),
        ({"resultType": "input_required"}, "pass"),
        ({}, "fail"),
        ({"resultType": "done"}, "fail"),
        ({"resultType": ["complete"]}, "fail"),
    ],
)
def test_a_result_says_its_type(result: Json, verdict: str) -> None:
    told = story()
    told.result("tools/list", None, result)
    assert told.judged("MC-RPC-03").verdict == verdict


def test_before_2026_07_28_a_result_has_no_type() -> None:
    told = story("2025-11-25")
    told.result("tools/list", None, {})
    told.error("tools/call", {"name": "x"}, -32002)
    assert told.judged("MC-RPC-03").verdict == "not_applicable"
    assert told.judged("MC-RPC-04").verdict == "not_applicable"


@pytest.mark.parametrize(
    ("code", "verdict"),
    [
        (-32602, "pass"),
        (-32022, "pass"),
        (-32000, "pass"),
        (4711, "pass"),
        (-32002, "fail"),
        (-32042, "fail"),
        (-32050, "fail"),
        (-32099, "fail"),
    ],
)
def test_reserved_codes(code: int, verdict: str) -> None:
    told = story()
    told.error("tools/call", {"name": "x"}, code)
    assert told.judged("MC-RPC-04").verdict == verdict


def test_the_answer_to_a_request_that_claims_no_version_may_be_of_an_older_one() -> None:
    """Whether it is to be answered at all is another requirement's matter: MC-RPC-13."""
    told = story(transport="http")
    http = Http(method="POST", path="/mcp", headers={"mcp-protocol-version": "2026-07-28"})
    told.request("tools/list", None, {"jsonrpc": "2.0", "id": ..., "result": {"tools": []}}, http=http, bare=True)
    assert told.judged("MC-RPC-03").verdict == told.judged("MC-LIST-09").verdict == "not_observed"
    told.request("tools/list", None, {"jsonrpc": "2.0", "id": ..., "result": {"tools": []}}, http=http)
    assert told.judged("MC-RPC-03").verdict == told.judged("MC-LIST-09").verdict == "fail"


def claimed(told: Story, *answers: Json, **more: Any) -> str:
    told.request("tools/list", {"_meta": {VERSION: "1999-01-01"}}, *answers, **more)
    return told.judged("MC-RPC-05").verdict


def refusal(data: Json) -> Json:
    return {"jsonrpc": "2.0", "id": ..., "error": {"code": -32022, "message": "no", "data": data}}


def test_an_unknown_version_is_refused_with_those_supported() -> None:
    assert claimed(story(), refusal({"supported": ["2026-07-28"], "requested": "1999-01-01"})) == "pass"


@pytest.mark.parametrize(
    "data", [None, {}, {"supported": []}, {"supported": "2026-07-28"}, {"supported": ["1999-01-01"]}]
)
def test_a_refusal_that_does_not_name_them(data: Json) -> None:
    assert claimed(story(), refusal(data)) == "fail"


@pytest.mark.parametrize(
    ("code", "status", "supported", "verdict"),
    [
        (-32022, 400, "2026-07-28", "pass"),
        (-32022, 200, "2026-07-28", "fail"),
        (-32602, 400, "2026-07-28", "fail"),
        (-32022, 400, "2025-11-25", "fail"),
    ],
)
def test_how_an_unknown_version_is_refused_over_http(code: int, status: int, supported: str, verdict: str) -> None:
    error = {"code": code, "message": "no", "data": {"supported": [supported]}}
    assert claimed(story(transport="http"), {"jsonrpc": "2.0", "id": ..., "error": error}, status=status) == verdict


def test_an_unknown_version_is_served() -> None:
    assert claimed(story(), {"jsonrpc": "2.0", "id": ..., "result": {"tools": []}}) == "fail"


@pytest.mark.parametrize(
    ("revision", "header", "status", "verdict"),
    [
        ("2025-11-25", "1999-01-01", 200, "fail"),
        ("2025-06-18", "conformance", 200, "fail"),
        ("2025-11-25", "1999-01-01", 400, "pass"),
        ("2025-11-25", "1999-01-01", 422, "fail"),
        ("2025-11-25", "1999-01-01", 401, "none"),
        ("2025-11-25", "2025-03-26", 200, "none"),
        ("2025-11-25", None, 200, "none"),
        ("2025-03-26", "1999-01-01", 200, "none"),
    ],
)
def test_a_header_of_an_unknown_version_after_a_handshake(
    revision: str, header: str | None, status: int, verdict: str
) -> None:
    """Before 2025-06-18 there was no such header."""
    told = story(revision, "http")
    there = Http(method="POST", headers={"accept": "*/*", **({"mcp-protocol-version": header} if header else {})})
    if status == 200:
        told.result("tools/list", None, {"tools": [{"name": "get"}]}, http=there, status=status)
    else:
        told.request("tools/list", None, http=there, status=status, raw="no")
    outcome = told.judged("MC-RPC-05")
    assert (outcome.verdict if outcome.subjects else "none") == verdict
    assert told.judged("MC-LIST-01").verdict != "fail", "a list that was asked for wrongly is none that is missing"


@pytest.mark.parametrize("status", [401, 403, 429])
def test_a_gate_before_the_server_says_nothing_of_versions_and_methods(status: int) -> None:
    assert claimed(story(transport="http"), status=status, raw="") == "not_observed"
    told = story(transport="http")
    told.request("conformance/no_such_method", {}, status=status, raw="")
    assert told.judged("MC-RPC-06").subjects == 0


def test_another_request_s_answer_says_nothing_of_versions_methods_and_origins() -> None:
    """It is MC-RPC-01's alone, and accuses a server of one fault once."""
    told = story(transport="http")
    stray: Json = {"jsonrpc": "2.0", "id": 912, "error": {"code": -32602, "message": "Unknown tool"}}
    told.list([], http=Http(method="POST", path="/mcp"), status=200)
    foreign = Http(method="POST", path="/mcp", headers={"origin": "https://attacker.example"})
    told.request("tools/list", None, stray, http=foreign, status=400)
    told.request("tools/list", {"_meta": {VERSION: "1999-01-01"}}, stray, status=400)
    told.request("conformance/no_such_method", {}, stray, status=400)
    for requirement in ("MC-RPC-05", "MC-RPC-06", "MC-RPC-09"):
        assert told.judged(requirement).subjects == 0, requirement
    assert told.judged("MC-RPC-01").verdict == "fail"


@pytest.mark.parametrize("kept", [False, True])
def test_a_server_may_forget_a_session_and_be_away_for_a_time(kept: bool) -> None:
    told = Story("mcp")
    told.connect(transport="http", revision="2025-11-25")
    session = {"mcp-session-id": "one"}
    http = Http(method="POST", path="/mcp", headers=session)
    tools: Json = {"jsonrpc": "2.0", "id": ..., "result": {"tools": []}}
    told.request("tools/list", None, tools, http=http, status=200, headers=session)
    gone: Json = {"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": "Session not found"}}
    told.request("conformance/no_such_method", {}, gone, http=http, status=404)
    told.request("conformance/no_such_method", {}, http=http, status=503, raw="draining")
    foreign = Http(method="POST", path="/mcp", headers={**session, "origin": "https://attacker.example"})
    told.request("tools/list", None, gone, http=foreign, status=404)
    if kept:  # then it was not forgotten
        told.request("tools/list", None, tools, http=http, status=200)
    for requirement in ("MC-RPC-06", "MC-RPC-09"):
        assert told.judged(requirement).subjects == (1 if kept else 0), requirement
        assert (told.judged(requirement).verdict == "fail") is kept, requirement


@pytest.mark.parametrize("given", ["server-error", None])
def test_an_id_that_no_request_of_ours_has_is_no_other_request_s(given: Json) -> None:
    error: Json = {"jsonrpc": "2.0", "id": given, "error": {"code": -32600, "message": "no"}}
    assert claimed(story(transport="http"), error, status=400) == "fail"


@pytest.mark.parametrize(
    ("given", "verdict"),
    [
        ({"protocolVersion": "2025-11-25"}, "pass"),
        ({"protocolVersion": "2031-01-31"}, "pass"),
        ({"protocolVersion": "DRAFT-2027-v1"}, "pass"),
        ({"protocolVersion": "2026-07-28-RC"}, "pass"),
        ({"protocolVersion": "1999-01-01"}, "fail"),
        ({"protocolVersion": "2025-01-01"}, "fail"),
        ({"protocolVersion": "latest"}, "fail"),
        ({"protocolVersion": 20251125}, "fail"),
        ({}, "fail"),
    ],
)
def test_a_handshake_for_an_unknown_version(given: dict[str, Json], verdict: str) -> None:
    told = story()
    told.result("initialize", {"protocolVersion": "1999-01-01"}, given)
    assert told.judged("MC-RPC-05").verdict == verdict


def test_a_handshake_for_an_unknown_version_may_be_refused() -> None:
    told = story()
    told.error("initialize", {"protocolVersion": "1999-01-01"}, -32602)
    told.result("initialize", {"protocolVersion": "2025-06-18"}, {"protocolVersion": "2025-06-18"})
    outcome = told.judged("MC-RPC-05")
    assert (outcome.verdict, outcome.subjects) == ("pass", 1)


@pytest.mark.parametrize(("asked", "verdict"), [("conformance", "pass"), ("2099-12-31", "fail")])
def test_what_is_no_date_may_be_refused_for_its_form(asked: str, verdict: str) -> None:
    told = story()
    told.error("initialize", {"protocolVersion": asked}, -32602, "Invalid protocol version format")
    told.result("initialize", {"protocolVersion": "2025-06-18"}, {"protocolVersion": "2025-06-18"})
    assert told.judged("MC-RPC-05").verdict == verdict


def test_a_server_with_one_session_for_all_says_nothing_of_another_version() -> None:
    told = story(transport="http")
    told.error("initialize", {"protocolVersion": "1999-01-01"}, -32600, "Invalid Request: Server already initialized")
    told.result("initialize", {"protocolVersion": "2025-06-18"}, {"protocolVersion": "2025-06-18"})
    assert told.judged("MC-RPC-05").verdict == "not_observed"


@pytest.mark.parametrize(
    ("message", "data", "verdict"),
    [
        ("Unsupported protocol version", None, "fail"),
        ("Internal error", "unsupported protocol version: 2025-11-25", "fail"),
        ("Unsupported protocol version", {"supported": ["2025-06-18"], "requested": "2025-11-25"}, "pass"),
        ("Unsupported protocol version 2025-11-25, this server speaks 2025-06-18", None, "pass"),
        ("Version 2025-11-25 is not supported", None, "fail"),
        ("Invalid params", None, "not_observed"),
        ("Invalid Request: Server already initialized", None, "not_observed"),
        ("Invalid params: Implementation version cannot be empty", None, "not_observed"),
    ],
)
def test_a_refusal_of_a_version_names_a_supported_one(message: str, data: Json, verdict: str) -> None:
    error = {"code": -32602, "message": message, "data": data}
    told = story()
    told.request("initialize", {"protocolVersion": "2025-11-25"}, {"jsonrpc": "2.0", "id": ..., "error": error})
    told.result("initialize", {"protocolVersion": "2025-06-18"}, {"protocolVersion": "2025-06-18"})
    assert told.judged("MC-RPC-05").verdict == verdict


def test_an_unknown_method() -> None:
    told = story()
    told.error("conformance/no_such_method", {}, -32601)
    told.error("tools/no_such_method", {}, -32601)
    told.error("tasks/update", {}, -32602)
    outcome = told.judged("MC-RPC-06")
    assert (outcome.verdict, outcome.subjects) == ("pass", 2)


@pytest.mark.parametrize(
    ("declared", "verdict"),
    [
        ({}, "fail"),
        ({"extensions": {}}, "fail"),
        ({"extensions": {"example.org/tools": {}}}, "not_observed"),
        ({"experimental": {"tools": {"refresh": True}}}, "not_observed"),
    ],
)
def test_a_method_of_a_known_family_may_be_an_extension_s(declared: dict[str, Json], verdict: str) -> None:
    told = Story("mcp")
    told.connect(capabilities={"tools": {}, **declared})
    told.result("tools/refresh", {}, {})
    assert told.judged("MC-RPC-06").verdict == verdict


def test_where_nobody_knows_what_was_agreed_a_method_of_a_known_family_may_be_an_extension_s() -> None:
    told = Story("mcp")
    told.connect(revision=None)
    told.result("tools/refresh", {}, {})
    assert told.judged("MC-RPC-06").verdict == "not_observed"


def test_an_unknown_method_that_is_served_or_refused_otherwise() -> None:
    for answer in ({"result": {}}, {"error": {"code": -32603, "message": "no"}}):
        told = story()
        told.request("conformance/no_such_method", {}, {"jsonrpc": "2.0", "id": ..., **answer})
        assert told.judged("MC-RPC-06").verdict == "fail"


@pytest.mark.parametrize(
    ("revision", "status", "verdict"),
    [("2026-07-28", 404, "pass"), ("2026-07-28", 200, "fail"), ("2025-11-25", 200, "pass")],
)
def test_an_unknown_method_over_http(revision: str, status: int, verdict: str) -> None:
    told = story(revision, "http")
    told.error("conformance/no_such_method", {}, -32601, status=status)
    assert told.judged("MC-RPC-06").verdict == verdict


@pytest.mark.parametrize(
    ("how", "verdict"),
    [
        ({"lingered_ms": 900, "allowed_ms": 10_000}, "pass"),
        ({"lingered_ms": 9_800, "allowed_ms": 10_000}, "pass"),
        ({"lingered_ms": 10_003, "allowed_ms": 10_000, "forced": "SIGTERM"}, "warn"),
        ({"lingered_ms": 500, "allowed_ms": 500, "forced": "SIGTERM"}, "not_observed"),
        ({"by": "server"}, "not_observed"),
    ],
    ids=["ends", "ends slowly", "is made to end", "has no time to end", "had ended before"],
)
def test_a_process_after_its_stdin_closed(how: dict[str, Any], verdict: str) -> None:
    told = story(transport="stdio")
    told.close(**how)
    assert told.judged("MC-RPC-08").verdict == verdict


def test_what_may_have_kept_a_process_is_said() -> None:
    told = story(transport="stdio")
    told.lost("sleep", {}, "time")
    told.close(lingered_ms=10_003, allowed_ms=10_000, forced="SIGKILL", tail="busy\nstill busy\n")
    assert told.judged("MC-RPC-08").findings[0].saw == (
        "on c1 the process was still there 10003 ms after its stdin was closed; "
        "not answered: sleep; it last wrote: still busy"
    )


@pytest.mark.parametrize(
    ("origin", "status", "verdict"),
    [
        ("https://attacker.example", 403, "pass"),
        ("https://attacker.example", 200, "fail"),
        ("http://localhost:3000", 200, "not_observed"),
        (None, 200, "not_observed"),
    ],
)
def test_an_origin(origin: str | None, status: int, verdict: str) -> None:
    told = story(transport="http")
    headers = {} if origin is None else {"origin": origin}
    http = Http(method="POST", path="/mcp", headers=headers)
    if status == 200:
        told.result("tools/list", None, {"tools": []}, http=http, status=200)
    else:
        told.list([], http=Http(method="POST", path="/mcp"), status=200)
        told.request("tools/list", None, http=http, status=status, raw="Invalid Origin header")
    assert told.judged("MC-RPC-09").verdict == verdict


@pytest.mark.parametrize(
    ("revision", "status", "verdict"),
    [
        ("2025-11-25", 400, "fail"),
        ("2025-11-25", 403, "pass"),
        ("2025-06-18", 400, "pass"),
        ("2026-07-28", 429, "pass"),
    ],
)
def test_the_status_by_which_an_origin_is_refused(revision: str, status: int, verdict: str) -> None:
    told = story(revision, "http")
    told.list([], http=Http(method="POST", path="/mcp"), status=200)
    http = Http(method="POST", path="/mcp", headers={"origin": "http://localhost.attacker.example"})
    told.request("tools/list", None, http=http, status=status, raw="Invalid Origin header")
    assert told.judged("MC-RPC-09").verdict == verdict


def test_that_every_request_is_refused_says_nothing_of_its_origin() -> None:
    told = story(transport="http")
    http = Http(method="POST", path="/mcp", headers={"origin": "https://attacker.example"})
    told.request("tools/list", None, http=http, status=403, raw="Forbidden")
    assert told.judged("MC-RPC-09").subjects == 0
