"""What a report says of tools that were not called."""

import pytest

from conformance.contract.catalogue import load
from conformance.model.events import Json
from conformance.model.listed import may_call, tools_of
from conformance.report.usage import usage
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
