"""Calls in a session over HTTP that the server knows no more: a server may forget one whenever it likes."""

import pytest

from conformance.model.events import Http, Json
from conformance.model.history import History
from tests.laws.histories import Story

GONE: Json = {"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": "Session not found"}}
"""As the official SDKs say it; others say it in words alone."""


@pytest.mark.parametrize("body", [GONE, {**GONE, "id": ""}, None])
def test_a_call_in_a_session_that_the_server_has_forgotten_came_to_no_tool(body: Json) -> None:
    story = Story()
    story.connect(transport="http", revision="2025-11-25")
    answers, raw = ((body,), None) if body is not None else ((), "Session not found")
    asked = {"name": "get_thread", "arguments": {"thread_id": "th_1"}}
    for session in ("one", "two"):
        http = Http(method="POST", path="/mcp", headers={"mcp-session-id": session})
        story.request("tools/call", asked, *answers, http=http, status=404, raw=raw)
        # the same again, in a session that is new, is not served: that is a refusal
        calls = [] if session == "one" else [2]
        history = History.of(story.events)
        assert history.exchanges[-1].of_no_session
        for found in (history, history.of_calls(history.exchanges)):
            assert [call.call for call in found.calls("get_thread")] == calls
            assert [call.call for call in found.calls()] == calls
    assert history.exchanges[-1].refused


@pytest.mark.parametrize(
    ("status", "headers", "body"),
    [
        (404, {"mcp-session-id": "one"}, {**GONE, "id": ...}),
        (404, {}, GONE),
        (400, {"mcp-session-id": "one"}, GONE),
    ],
    ids=["about the request", "without a session", "another status"],
)
def test_other_refusals_are_of_the_call(status: int, headers: dict[str, str], body: Json) -> None:
    story = Story()
    story.connect(transport="http", revision="2025-11-25")
    http = Http(method="POST", path="/mcp", headers=headers)
    asked = {"name": "get_thread", "arguments": {"thread_id": "th_1"}}
    story.request("tools/call", asked, body, http=http, status=status)
    assert [call.refused for call in History.of(story.events).calls("get_thread")] == [True]


def test_calls_alike_in_one_session_and_in_later_ones_that_served_came_to_no_tool() -> None:
    """Many are under way when a server is restarted, and it may be restarted again."""
    story = Story()
    story.connect(transport="http", revision="2025-11-25")
    asked = {"name": "get_thread", "arguments": {"thread_id": "th_1"}}
    for session in ("one", "two"):
        http = Http(method="POST", path="/mcp", headers={"mcp-session-id": session})
        story.request("tools/list", None, {"jsonrpc": "2.0", "id": ..., "result": {"tools": []}}, http=http, status=200)
        for _ in range(2):
            story.request("tools/call", asked, GONE, http=http, status=404)
    assert History.of(story.events).calls() == ()
