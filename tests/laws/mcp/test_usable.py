"""MC-CALL-15: whether a tool accepts a call that is good."""

import pytest

from conformance.model.events import Json
from tests.laws.histories import Story

TOOLS = [
    {"name": "add", "inputSchema": {"type": "object", "properties": {"title": {"type": "string"}}}},
    {"name": "list", "inputSchema": {"type": "object"}},
]
EXAMPLE: dict[str, Json] = {"tool": "add", "arguments": {"title": "{{fresh.title}}", "tags": ["a"]}}


def story(*examples: Json) -> Story:
    told = Story("mcp", statement={"calls": {"examples": list(examples)}})
    told.list(TOOLS)
    return told


def added(told: Story, arguments: Json, *, failed: bool) -> str:
    told.call("add", arguments, {"ok": not failed}, failed=failed)
    return told.judged("MC-CALL-15").verdict


def test_an_example_is_accepted() -> None:
    assert added(story(EXAMPLE), {"title": "title-1", "tags": ["a"]}, failed=False) == "pass"


def test_an_example_is_refused() -> None:
    assert added(story(EXAMPLE), {"title": "title-1", "tags": ["a"]}, failed=True) == "warn"


def test_another_call_of_the_tool_may_be_the_one_that_is_accepted() -> None:
    told = story(EXAMPLE)
    told.call("add", {"title": "x"}, {"ok": True})
    assert added(told, {"title": "title-1", "tags": ["a"]}, failed=True) == "pass"


def test_where_nobody_says_which_call_is_good_a_refusal_shows_nothing() -> None:
    assert added(story(), {"title": "x"}, failed=True) == "not_observed"
    assert added(story(), {}, failed=True) == "not_observed"
    assert added(story(EXAMPLE), {"title": "x"}, failed=True) == "not_observed"
    assert added(story(EXAMPLE), {"title": "x", "tags": ["b"]}, failed=True) == "not_observed"


def test_a_tool_without_parameters_has_one_call() -> None:
    for failed, verdict in ((False, "pass"), (True, "warn")):
        told = story()
        told.call("list", {}, {}, failed=failed)
        assert told.judged("MC-CALL-15").verdict == verdict


def test_a_tool_may_need_what_a_client_has_to_offer() -> None:
    for refusal in (-32021, -32000):
        told = story()
        told.error("tools/call", {"name": "list", "arguments": {}}, refusal)
        assert told.judged("MC-CALL-15").verdict == ("not_observed" if refusal == -32021 else "warn")
    told = story()
    said = [{"type": "text", "text": "sampling failed: this client declares no such capability"}]
    told.result("tools/call", {"name": "list", "arguments": {}}, {"content": said, "isError": True})
    assert told.judged("MC-CALL-15").verdict == "not_observed"


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        ("fetch failed: getaddrinfo ENOTFOUND api.example.com", "not_observed"),
        ("dial tcp: lookup api.example.com: no such host", "not_observed"),
        ("Missing EXAMPLE API key", "not_observed"),
        ("API token is not set", "not_observed"),
        ("Chrome failed to start: Could not find Google Chrome executable for channel 'stable'", "not_observed"),
        ("spawnSync helm ENOENT", "not_observed"),
        ("The mail server is not configured", "not_observed"),
        ("x_not_configured: nobody has set it up", "not_observed"),
        ("No mail server is set up", "not_observed"),
        ("Request failed with status code 401", "not_observed"),
        ("GitHub API error: 403 Forbidden", "not_observed"),
        ("x_forbidden: this account may not", "not_observed"),
        ("The access token has expired", "not_observed"),
        ("Request failed with status code 500", "warn"),
        ("Access denied", "warn"),
        ("This is forbidden here", "warn"),
        ("the item 403 is not known", "warn"),
        ("there is nothing to list", "warn"),
        ("this is no good", "warn"),
    ],
)
def test_what_lies_beyond_a_tool_makes_no_good_call_bad(said: str, verdict: str) -> None:
    told = story()
    told.call("list", {}, {"error": said}, failed=True)
    assert told.judged("MC-CALL-15").verdict == verdict


@pytest.mark.parametrize("said", ["connection refused for title-1", "connection refused, title is empty"])
def test_a_refusal_that_names_an_argument_is_of_the_call(said: str) -> None:
    told = story(EXAMPLE)
    told.call("add", {"title": "title-1", "tags": ["a"]}, {"error": said}, failed=True)
    assert told.judged("MC-CALL-15").verdict == "warn"


def test_what_is_refused_under_a_condition_may_be_refused_for_that() -> None:
    """A random history called a tool alone, while the database did not answer."""
    told = story()
    told.call("list", {}, {}, failed=True, conditions={"database": "failing"})
    assert told.judged("MC-CALL-15").verdict == "not_observed"


def test_an_example_with_what_nobody_told_is_no_good_call() -> None:
    told = story({"tool": "add", "arguments": {"title": "{{list.items.0}}"}})
    assert added(told, {"title": "made up"}, failed=True) == "not_observed"
    told.call("list", {}, {"items": ["first"]})
    assert added(told, {"title": "first"}, failed=True) == "warn"


def test_calls_of_a_contract_on_trial_are_good_for_it_alone() -> None:
    told = Story("threads", statement={"calls": {"examples": [EXAMPLE]}})
    told.list(TOOLS)
    for stimulus, verdict in (("threads.somebody_else_calls", "not_observed"), ("mcp.tools_are_called", "warn")):
        told.call("add", {"title": "t", "tags": ["a"]}, {"error": {"code": "NO"}}, failed=True, stimulus=stimulus)
        assert told.judged("MC-CALL-15").verdict == verdict


@pytest.mark.parametrize(
    ("code", "message", "verdict"),
    [
        (-32602, "Unknown tool: add", "warn"),
        (-32603, "Tool add not found", "warn"),
        (-32601, "Method not found", "warn"),
        (-32600, "Invalid Request", "warn"),
        (-32022, "Unsupported protocol version", "warn"),
        (-32602, "_meta is missing", "warn"),
        (-32602, "Unknown tool: other", "not_observed"),
        (-32601, "no such note", "not_observed"),
        (-32601, "the method note-7 is not known", "not_observed"),
        (-32600, "Invalid request: no such note", "not_observed"),
        (-32600, "the title is too long", "not_observed"),
        (-32602, "title is no name", "not_observed"),
    ],
)
def test_a_refusal_that_no_argument_can_mend(code: int, message: str, verdict: str) -> None:
    told = story()
    told.error("tools/call", {"name": "add", "arguments": {"title": "note-7"}}, code, message)
    assert told.judged("MC-CALL-15").verdict == verdict


def test_arguments_that_do_not_fit_may_be_refused_in_any_way() -> None:
    told = story()
    told.error("tools/call", {"name": "add", "arguments": {"title": 5}}, -32600, "Invalid Request")
    assert told.judged("MC-CALL-15").verdict == "not_observed"


@pytest.mark.parametrize(("support", "verdict"), [("required", "not_observed"), ("optional", "warn"), (None, "warn")])
def test_a_tool_that_is_called_as_a_task_alone(support: str | None, verdict: str) -> None:
    told = Story("mcp", statement={})
    told.list([{"name": "wait", "inputSchema": {"type": "object"}, "execution": {"taskSupport": support}}])
    told.error("tools/call", {"name": "wait", "arguments": {}}, -32601, "Method not found")
    assert told.judged("MC-CALL-15").verdict == verdict
