"""Which tools a statement lets be called."""

import pytest

from conformance.model.events import Json
from conformance.model.listed import ListedTool, may_call


def tool(name: str, *arguments: str, reads: bool = False) -> ListedTool:
    schema: Json = {"type": "object", "properties": {each: {"type": "integer"} for each in arguments}}
    return ListedTool(name, {"name": name, "inputSchema": schema, "annotations": {"readOnlyHint": reads}})


@pytest.mark.parametrize(
    ("named", "ends"),
    [
        (tool("kill_process", "pid"), True),
        (tool("force_terminate", "processId"), True),
        (tool("stop", "process_id", "timeout"), True),
        (tool("end_process", "pid"), True),
        (tool("kill_process", "name"), True),
        (tool("killProcess", "name"), True),
        (tool("kill_by_port", "port"), True),
        (tool("taskkill", "image"), True),
        (tool("terminate_processes"), True),
        (tool("shutdown_computer"), True),
        (tool("system.reboot", "delay"), True),
        (tool("skill_process", "name"), False),
        (tool("end_processing", "job"), False),
        (tool("get_shutdown_state", reads=True), False),
        (tool("send_process", "pid"), False),
        (tool("read_process_output", "pid"), False),
        (tool("stop_timer", "timer_id"), False),
        (tool("terminate_contract", "contract_id"), False),
        (tool("kill"), False),
        (tool("list_skills", "process_id"), False),
    ],
)
def test_what_ends_processes_is_called_where_it_is_named(named: ListedTool, ends: bool) -> None:
    assert may_call(named, "all") is not ends
    assert may_call(named, [named.name])
    assert may_call(named, ["all", named.name])
    assert may_call(named, ["all", "another"]) is not ends
    assert not may_call(named, "none")


def test_what_says_that_it_only_reads_does() -> None:
    assert may_call(tool("get_process", "pid", reads=True), "read-only")
    assert not may_call(tool("get_process", "pid"), "read-only")


@pytest.mark.parametrize("schema", [None, True, [], {"properties": []}])
def test_a_schema_of_any_kind(schema: Json) -> None:
    assert may_call(ListedTool("kill", {"name": "kill", "inputSchema": schema}), "all")
