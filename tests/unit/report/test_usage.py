"""What a report says of tools that were not called."""

import pytest

from conformance.contract.catalogue import load
from conformance.judge.judge import judge
from conformance.judge.library import import_laws
from conformance.model.events import Json
from conformance.model.listed import may_call, tools_of
from conformance.report.usage import Reach, reach, unlisted, usage
from tests.laws.histories import Story

KILL: Json = {"name": "kill_process", "inputSchema": {"type": "object", "properties": {"pid": {"type": "integer"}}}}


@pytest.mark.parametrize("harmless", ["all", ["all", "another"]])
def test_what_ends_processes_is_left_out_and_it_is_said_how_it_is_called(harmless: Json) -> None:
    story = Story("mcp", statement={"calls": {"harmless": harmless}})
    story.connect()
    story.list([KILL])
    history = story.history()
    (use,) = usage(history, load("mcp"))
    (tool,) = tools_of(history.listings[0])
    assert not use.allowed
    assert '"kill_process"' in use.todo
    assert may_call(tool, ["all", "kill_process"])


def test_a_name_that_the_server_does_not_list_is_told() -> None:
    calls: Json = {
        "harmless": ["read-only", "kill_proces"],
        "skip": ["kill_process", "other"],
        "examples": [{"tool": "far", "arguments": {}}],
    }
    story = Story("mcp", statement={"calls": calls})
    story.connect()
    story.list([KILL])
    assert list(unlisted(story.history(), load("mcp"))) == [
        "[calls] harmless names kill_proces, and the server lists no such tool; did you mean kill_process?",
        "[calls] skip names other, and the server lists no such tool",
        "[[calls.examples]] names far, and the server lists no such tool",
    ]


def test_what_a_contract_knows_or_nobody_listed_is_not_told() -> None:
    story = Story("threads", statement={"calls": {"skip": ["post_message"]}})
    story.connect()
    assert list(unlisted(story.history(), load("threads"))) == []
    story.list([KILL])
    assert list(unlisted(story.history(), load("threads"))) == []


def test_the_tools_that_accepted_a_call_are_counted() -> None:
    """All that the server lists, where the contract has no tools of its own; else only the contract's."""
    story = Story("mcp", statement={"calls": {"min_tools": 60}})
    story.connect()
    story.list([KILL, {**KILL, "name": "read"}])
    story.call("read", {}, {})
    history = story.history()
    assert reach(history, load("mcp"), tuple(usage(history, load("mcp")))) == Reach(1, 2, 60)
    assert reach(history, load("mcp"), tuple(usage(history, load("mcp")))).short
    threads = load("threads")
    story = Story("threads")
    story.connect()
    story.list([KILL, {**KILL, "name": "get_thread"}])
    history = story.history()
    assert reach(history, threads, tuple(usage(history, threads))) == Reach(0, 1, 0)


def test_a_call_that_only_tells_of_a_failure_is_none_that_was_accepted() -> None:
    story = Story("mcp")
    story.connect()
    story.list([KILL, {**KILL, "name": "read"}])
    failure: Json = {"content": [{"type": "text", "text": "Error: no such thing"}]}
    for name in ("kill_process", "read"):
        story.result("tools/call", {"name": name, "arguments": {}}, failure)
    story.call("read", {}, {})
    import_laws(load("mcp"))
    judged = judge(story.events, load("mcp"))
    kill, read = usage(judged.history, load("mcp"), judged.outcomes)
    assert (kill.accepted, read.accepted) == (0, 1)
    assert kill.refusals[0].ended == "answered with a failure, without isError"
    assert kill.todo


def test_nobody_is_asked_for_a_call_of_what_can_be_called_as_a_task_alone() -> None:
    story = Story("mcp", statement={"calls": {"harmless": "all"}})
    story.connect()
    slow: Json = {"name": "render", "inputSchema": {"type": "object"}}
    story.list([{**slow, "execution": {"taskSupport": "required"}}, {**slow, "name": "export"}])
    for name in ("render", "export"):
        story.error("tools/call", {"name": name, "arguments": {}}, -32601)
    render, export = usage(story.history(), load("mcp"))
    assert render.todo == "it can be called as a task alone, and the suite makes no tasks"
    assert export.todo.startswith("give a call that works")
