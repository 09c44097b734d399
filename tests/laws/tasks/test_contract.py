"""What contract.toml says of the tools agrees with the marks that tools.json has on them."""

import pytest

from conformance.contract.catalogue import load
from conformance.contracts.tasks.lists import LISTS
from conformance.judge.parameters import parameters

CONTRACT = load("tasks")


def test_every_tool_is_marked() -> None:
    assert CONTRACT.marks.keys() == CONTRACT.tools.keys()


@pytest.mark.parametrize("name", CONTRACT.tools)
def test_a_mark_agrees_with_the_tool(name: str) -> None:
    tool, mark = CONTRACT.tools[name], CONTRACT.marks[name]
    named = parameters(tool.inputSchema)
    assert (mark.effect == "write") == (tool.writes is not None)
    assert mark.scope == (("workspace",) if "workspace" in named else ())
    assert tool.budgets.keys() <= named
    if tool.writes is not None:
        assert set(tool.writes.shown_by) <= set(CONTRACT.reads())
        guard = tool.writes.guard
        assert guard is None or {guard.argument, guard.alias} <= named


def test_the_lists_are_those_that_page() -> None:
    pages = {name for name, tool in CONTRACT.tools.items() if tool.writes is None and "offset" in tool.budgets}
    assert pages == LISTS.keys()
