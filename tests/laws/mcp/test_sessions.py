"""MC-RPC-17, -18: sessions over HTTP, and what the endpoint answers to GET."""

import pytest
from msgspec import structs

from conformance.model.events import Http, Json
from tests.laws.mcp.sides import NEWER, OLDER, SESSION, TOOLS, beside, came, refusal, story

STREAM = {"accept": "text/event-stream"}


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


def test_a_server_without_sessions_can_break_none() -> None:
    told = story(OLDER, "http")
    assert told.judged("MC-RPC-17").verdict == "not_observed", "no handshake was seen"
    greeting: dict[str, Json] = {"protocolVersion": OLDER}
    told.result("initialize", greeting, greeting, status=200, http=Http(method="POST"))
    outcome = told.judged("MC-RPC-17")
    assert (outcome.verdict, outcome.reason) == ("not_applicable", "the server gives no session out")


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


@pytest.mark.parametrize(("given", "verdict"), [("!~", None), ("a b", "fail"), ("a\t", "fail"), ("\xe9", "fail")])
def test_the_id_of_a_session_is_visible_ascii(given: str, verdict: str | None) -> None:
    told = story(OLDER, "http")
    told.result(
        "initialize", {"protocolVersion": OLDER}, {"protocolVersion": OLDER}, status=200, headers={SESSION: given}
    )
    outcome = told.judged("MC-RPC-17")
    assert outcome.verdict == verdict if verdict else outcome.subjects == 0


@pytest.mark.parametrize(
    ("revision", "status", "kind", "verdict"),
    [
        (OLDER, 405, "text/plain", "pass"),
        (OLDER, 200, "text/event-stream; charset=utf-8", "pass"),
        (OLDER, 200, "text/html", "fail"),
        (OLDER, 404, "text/html", "fail"),
        (OLDER, 400, "application/json", "fail"),
        (OLDER, 409, "application/json", "pass"),
        (OLDER, 401, "application/json", "pass"),
        (OLDER, 503, "text/html", "pass"),
        ("2024-11-05", 400, "text/html", "pass"),
        (NEWER, 400, "text/html", "pass"),
    ],
)
def test_a_get_is_answered_with_a_stream_or_not_at_all(revision: str, status: int, kind: str, verdict: str) -> None:
    told = story(revision, "http")
    json = {"content-type": "application/json"}
    told.result("tools/list", None, TOOLS, http=Http(method="POST"), status=200, headers=json)
    answer = came(told, aside=1)
    http = Http(status=status, headers={"content-type": kind})
    beside(told, 1, None, structs.replace(answer, http=http), method="GET", headers=STREAM)
    assert told.judged("MC-RPC-16").verdict == verdict


@pytest.mark.parametrize(("revision", "requirement"), [(OLDER, "MC-RPC-16"), (NEWER, "MC-RPC-18")])
def test_a_get_of_a_document_is_none_of_the_endpoints(revision: str, requirement: str) -> None:
    """A server says itself where its metadata are."""
    told = story(revision, "http")
    told.result("tools/list", None, TOOLS, status=200, headers={"content-type": "application/json"})
    document = Http(status=200, headers={"content-type": "application/json"})
    answer = structs.replace(came(told, {"resource": "x"}, aside=1), http=document)
    beside(told, 1, None, answer, method="GET", path="/metadata", headers={"accept": "application/json"})
    assert told.judged(requirement).verdict != ("fail" if requirement == "MC-RPC-16" else "warn")


def test_a_get_of_a_session_that_may_be_over() -> None:
    told = story(OLDER, "http")
    told.result("tools/list", None, TOOLS, status=200, headers={"content-type": "application/json"})
    beside(told, 1, None, came(told, aside=1, status=404), method="GET", headers={**STREAM, SESSION: "s"})
    assert told.judged("MC-RPC-16").verdict == "pass"


def test_a_stream_that_is_opened_again_when_its_session_is_over() -> None:
    told = story(OLDER, "http")
    told.result("tools/list", None, TOOLS, status=200, headers={"content-type": "application/json"})
    stream = Http(status=200, headers={"content-type": "text/event-stream"})
    first = structs.replace(came(told, aside=1), http=stream)
    beside(told, 1, None, first, came(told, aside=1, status=400), method="GET", headers={**STREAM, SESSION: "s"})
    assert told.judged("MC-RPC-16").verdict == "pass"


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
    beside(told, 1, None, came(told, aside=1, status=status), method="GET", headers=STREAM)
    assert told.judged("MC-RPC-18").verdict == verdict


def test_a_session_is_given_out_without_a_handshake() -> None:
    told = story(transport="http")
    told.result("tools/list", None, TOOLS, status=200, headers={SESSION: "s"})
    assert told.judged("MC-RPC-18").verdict == "warn"


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


@pytest.mark.parametrize(("header", "breaches"), [(NEWER, 1), (OLDER, 0)])
def test_a_request_of_an_older_version_may_be_given_a_session(header: str, breaches: int) -> None:
    told, there = story(transport="http"), Http(method="POST", headers={"mcp-protocol-version": header})
    told.error("tools/list", None, -32600, http=there, status=400, headers={SESSION: "s"})
    assert told.judged("MC-RPC-18").breaches == breaches


NOTICE: Json = {"jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "x"}}


@pytest.mark.parametrize(
    ("notice", "verdict"),
    [
        (NOTICE, "pass"),
        ({**NOTICE, "jsonrpc": "1.0"}, "fail"),
        ({"method": "notifications/message"}, "fail"),
    ],
)
@pytest.mark.parametrize("alone", [True, False])
def test_what_a_stream_carries_besides_are_messages(notice: Json, verdict: str, alone: bool) -> None:
    told = story(OLDER, "http")
    answer = {"jsonrpc": "2.0", "id": ..., "result": TOOLS}
    kind = {"content-type": "text/event-stream"}
    told.request("tools/list", None, *([] if alone else [notice]), answer, status=200, headers=kind)
    if alone:
        told.stray(payload=notice)
    assert told.judged("MC-RPC-16").verdict == verdict


@pytest.mark.parametrize(("transport", "broken"), [("http", "MC-RPC-01"), ("stdio", "MC-RPC-07")])
@pytest.mark.parametrize("version", [{}, {"jsonrpc": "1.0"}, {"jsonrpc": 2.0}])
def test_an_answer_is_one_of_json_rpc(transport: str, broken: str, version: dict[str, Json]) -> None:
    told = story(OLDER, transport)
    told.request(
        "tools/list", None, {**version, "id": ..., "result": TOOLS}, status=200 if transport == "http" else None
    )
    failed = {each for each in ("MC-RPC-01", "MC-RPC-07") if told.judged(each).verdict == "fail"}
    assert failed == {broken}


@pytest.mark.parametrize(("replaced", "verdict"), [(True, "pass"), (False, "fail")])
def test_a_session_may_end_as_another_one_begins(replaced: bool, verdict: str) -> None:
    greeting: dict[str, Json] = {"protocolVersion": OLDER}
    told = story(OLDER, "http")
    told.connect("c2", revision=OLDER, transport="http")
    told.result("initialize", greeting, greeting, status=200, headers={SESSION: "one"})
    if replaced:
        told.result("initialize", greeting, greeting, on="c2", status=200, headers={SESSION: "two"})
    mine = Http(method="POST", headers={SESSION: "one"})
    told.request("tools/list", None, http=mine, status=404, raw="no session")
    assert told.judged("MC-LIST-01").verdict == verdict
