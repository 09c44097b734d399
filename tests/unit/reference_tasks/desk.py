"""A desk at which one instance is asked and its answers are read."""

import asyncio
import json
from typing import Any

from reference_server.application import Answer, Request
from reference_server.tasks import Tasks

START = 1_790_000_000.0


class Desk:
    """Calls tools of one instance; the workspace is `w` unless the arguments say otherwise."""

    def __init__(self, tasks: Tasks) -> None:
        self.tasks = tasks
        tasks.parts.clock.source = lambda: START
        self.runner = asyncio.Runner()

    def answer(self, tool: str, arguments: Any, **conditions: Any) -> Answer:
        return self.runner.run(self.tasks.call(Request(tool, arguments, conditions=conditions)))

    def ask(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The envelope."""
        given = arguments if tool == "storage" else {"workspace": "w", **arguments}
        return self.answer(tool, given).envelope

    def ok(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The result of a call that succeeds."""
        envelope = self.ask(tool, **arguments)
        assert envelope["success"], envelope["error"]
        return envelope["result"]

    def code(self, tool: str, **arguments: Any) -> str:
        """The code of a call that is refused."""
        envelope = self.ask(tool, **arguments)
        assert not envelope["success"], envelope["result"]
        return envelope["error"]["code"]

    def together(self, *calls: tuple[str, dict[str, Any]]) -> list[Answer]:
        """The answers of calls made at once."""

        async def gathered() -> list[Answer]:
            return await asyncio.gather(*(self.tasks.call(Request(tool, {"workspace": "w", **a})) for tool, a in calls))

        return self.runner.run(gathered())

    def state(self) -> dict[str, Any]:
        """All that reads show of the workspace."""
        return {
            "items": self.ok("tasks_context", limit=1000),
            "events": self.ok("tasks_delta", limit=1000),
            "branches": self.ok("branchmind_branch_list", limit=1000),
            "status": self.ok("branchmind_status"),
            "focus": self.ok("tasks_focus_get"),
            "notes": self.ok("branchmind_show", doc="notes", branch="main"),
            "graph": self.ok("branchmind_graph_query", branch="main", limit=1000),
            "conflicts": [self.ok("branchmind_graph_conflicts", into="main", status=s) for s in ("open", "resolved")],
        }

    def task(self, steps: int = 2) -> str:
        """The id of a new task with steps, below a new plan."""
        plan = self.ok("tasks_create", title="plan")["id"]
        drafts = [{"title": f"step {n}", "success_criteria": ["it works"], "tests": ["try it"]} for n in range(steps)]
        return self.ok("tasks_create", title="task", parent=plan, steps=drafts)["id"]

    def nodes(self, *ids: str, **where: Any) -> dict[str, Any]:
        """Makes nodes of type t whose title is their id."""
        ops = [{"op": "node_upsert", "id": node, "type": "t", "title": node} for node in ids]
        return self.ok("branchmind_graph_apply", ops=ops, **where)

    def clash(self) -> str:
        """The id of a conflict: both main and its branch `side` have changed node n."""
        self.nodes("n")
        self.ok("branchmind_branch_create", name="side")
        for branch, title in (("side", "theirs"), ("main", "ours")):
            ops = [{"op": "node_upsert", "id": "n", "type": "t", "title": title}]
            self.ok("branchmind_graph_apply", branch=branch, ops=ops)
        return self.ok("branchmind_graph_merge", **{"from": "side", "into": "main"})["conflict_ids"][0]


def size(result: dict[str, Any]) -> int:
    """Bytes of the compact JSON."""
    return len(json.dumps(result, ensure_ascii=False, separators=(",", ":")).encode())
