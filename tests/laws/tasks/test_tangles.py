"""Stories at random, of right and wrong types all mixed up: no law falls over them."""

import random
from typing import Any

import pytest

from conformance.contract.catalogue import load
from conformance.judge.judge import judge
from conformance.judge.library import import_laws
from conformance.model.events import Json
from tests.laws.tasks.room import STEP, TASK, Room

CONTRACT = load("tasks")
TOOLS = list(CONTRACT.tools)
CONFLICT = "CONFLICT-" + "0" * 32
VALUES: tuple[Json, ...] = (
    *(TASK, "PLAN-001", STEP, "s:0", CONFLICT, "TASK-1", "w", "", "a|b", " a ", "main", "side", "graph", "use_from"),
    *(None, True, 0, 1, 7.5, 10**400, [], {}, ["x"], "a text that is long enough", "\ud800"),
    *({"id": TASK}, {"criteria": {"confirmed": True}}, {"id": "c", "type": "note"}, [CONFLICT], [["x"]]),
    *([{"op": "node_upsert", "id": "a", "title": "x", "type": "t"}], [{"op": []}], [{"op": "edge_upsert", "from": {}}]),
    *({"step_id": STEP, "path": "s:0", "revision": 0}, [{"step_id": STEP, "path": "s:0"}]),
)
KEYS = (
    *("id", "task", "tasks", "plans", "steps", "step", "conflict", "conflict_ids", "conflicts", "branch", "branches"),
    *("name", "nodes", "edges", "document", "revision", "title", "key", "from", "into", "doc", "kind", "truncated"),
)
CODES: tuple[Json, ...] = (*CONTRACT.errors, "STORE_ERROR", None, 5, [])
CALLS = 40


class Tangle:
    """One story, by its seed."""

    def __init__(self, seed: int) -> None:
        self.any = random.Random(seed)
        self.room = Room()
        self.room.list([{"name": tool, "inputSchema": self.schema(tool)} for tool in TOOLS])
        self.room.ok("branchmind_init", {"workspace": "w"})
        for _ in range(CALLS):
            self.call(self.any.choice(TOOLS))
            if self.any.random() < 0.1:
                self.room.settle()
                self.room.together()
        self.room.settle()

    def schema(self, tool: str) -> Json:
        return CONTRACT.tools[tool].inputSchema if self.any.random() < 0.8 else self.value()

    def value(self, depth: int = 0) -> Json:
        if depth < 3 and self.any.random() < 0.4:
            if self.any.random() < 0.5:
                return [self.value(depth + 1) for _ in range(2)]
            return {self.any.choice(KEYS): self.value(depth + 1) for _ in range(3)}
        return self.any.choice(VALUES)

    def arguments(self, tool: str) -> Json:
        if self.any.random() < 0.03:
            return self.value()
        names = [name for name in CONTRACT.tools[tool].inputSchema["properties"] if self.any.random() < 0.6]
        return {name: self.value() for name in names} | {"workspace": self.any.choice(["w", "w", "w", "v", [], None])}

    def call(self, tool: str) -> None:
        given, kind = self.arguments(tool), self.any.random()
        suggestion = {"action": "call_tool", "target": self.any.choice([*TOOLS, []]), "params": self.value()}
        about: dict[str, Any] = {"suggestions": [{**suggestion, "validated": self.any.choice([True, 1])}, self.value()]}
        if kind < 0.6:
            result = {name: self.value() for name in KEYS if self.any.random() < 0.5}
            about |= {"success": True, "result": result, "timestamp": self.value()}
            self.room.call(tool, given, about)
        elif kind < 0.9:
            error = {"code": self.any.choice(CODES), "message": self.value()}
            about |= {"success": self.any.choice([False, None, "no"]), "error": self.any.choice([error, self.value()])}
            self.room.call(tool, given, about, failed=True)
        elif kind < 0.95:
            self.room.lost(tool, given)
        else:
            self.room.error("tools/call", {"name": tool, "arguments": given}, -32602)


@pytest.mark.parametrize("seed", range(20))
def test_no_law_falls_over(seed: int) -> None:
    import_laws(CONTRACT)
    outcomes = judge(Tangle(seed).room.events, CONTRACT).outcomes
    assert [outcome.reason for outcome in outcomes if outcome.reason.startswith("the law failed")] == []
    assert sum(outcome.subjects for outcome in outcomes) > CALLS
