"""The bench of tasks: which branch a workspace begins with, on servers that make none."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from conformance.contracts.tasks.bench import TasksBench
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from tests.laws.tasks.room import Room


@dataclass
class Server:
    """A server without a first branch. `begins`: the tool by which its first branch comes about, and its name."""

    begins: str
    name: str
    branches: list[str] = field(default_factory=list)
    called: list[str] = field(default_factory=list)

    def answer(self, tool: str, arguments: Mapping[str, Json]) -> Exchange:
        self.called.append(tool)
        room = Room()
        if tool == self.begins:
            self.branches.append(self.name)
        if tool == "branchmind_branch_list":
            shown: list[Any] = [{"name": each} for each in self.branches]
            number = room.ok(tool, {"branches": shown})
        elif tool in {"branchmind_init", "tasks_create", self.begins}:
            number = room.ok(tool, {"id": "PLAN-001"}, **arguments)
        else:
            number = room.no(tool, "UNKNOWN_ID", **arguments)
        found = room.history().find(number)
        assert found is not None
        return found


@pytest.mark.parametrize(
    ("begins", "name", "tries"),
    [
        ("branchmind_init", "trunk", 0),
        ("branchmind_notes_commit", "main", 1),
        ("branchmind_branch_create", "main", 2),
        ("tasks_create", "plan/PLAN-001", 3),
    ],
)
def test_the_first_branch(monkeypatch: pytest.MonkeyPatch, begins: str, name: str, tries: int) -> None:
    server = Server(begins, name)

    async def call(_: TasksBench, tool: str, arguments: Mapping[str, Json], **_more: Any) -> Exchange:
        rest = {key: value for key, value in arguments.items() if key != "workspace"}
        return server.answer(tool, rest)

    monkeypatch.setattr(TasksBench, "call", call)
    bench = object.__new__(TasksBench)
    workspace = asyncio.run(bench.workspace("w"))
    assert (workspace.name, workspace.root) == ("w", name)
    tried = [tool for tool in server.called if tool not in {"branchmind_init", "branchmind_branch_list"}]
    assert len(tried) == tries
