"""MC-RPC-17, -18: sessions over HTTP, and what the endpoint answers to GET."""

import pytest

from conformance.model.events import Http
from tests.laws.mcp.sides import OLDER, SESSION, TOOLS, beside, came, refusal, story


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
