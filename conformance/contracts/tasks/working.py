"""Arguments with which each tool works, in one workspace that has something of every kind."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import count

from conformance.contracts.tasks.bench import Task, TasksBench, Workspace, confirmed, edge, node, step
from conformance.drive.bench import taken
from conformance.model.events import Json

Arguments = Mapping[str, Json]
SIDE = "side"
"""A branch of the first one."""
NODES = ("n1", "n2")
READS_OF_DOCUMENTS = (
    "branchmind_branch_list", "branchmind_status", "branchmind_show", "branchmind_diff", "branchmind_graph_query",
    "branchmind_graph_validate", "branchmind_graph_diff", "branchmind_graph_conflicts", "branchmind_think_context",
    "branchmind_think_template",
)  # fmt: skip
READS_OF_TASKS = ("branchmind_export", "tasks_context", "tasks_delta", "tasks_radar", "tasks_focus_get")
WRITES_OF_DOCUMENTS = ("branchmind_branch_create", "branchmind_checkout", "branchmind_notes_commit", "branchmind_merge")
WRITES_OF_GRAPHS = ("branchmind_graph_apply", "branchmind_graph_merge", "branchmind_think_card")
WRITES_OF_ITEMS = ("tasks_create", "tasks_edit", "tasks_focus_set", "tasks_focus_clear", "tasks_decompose")
WRITES_OF_STEPS = ("tasks_define", "tasks_note", "tasks_verify", "tasks_patch")
EVERY = (
    *READS_OF_DOCUMENTS, *READS_OF_TASKS, *WRITES_OF_DOCUMENTS, *WRITES_OF_GRAPHS, *WRITES_OF_ITEMS, *WRITES_OF_STEPS,
    "tasks_done",
)  # fmt: skip
"""All but those about conflicts, and those that need no workspace."""


@dataclass(frozen=True)
class Working:
    """Hands out arguments; what a write uses up is made anew each time, and no write leaves things as they were."""

    workspace: Workspace
    task: Task
    """It is in focus."""
    other: Task
    numbers: "count[int]"

    @classmethod
    async def at(cls, bench: TasksBench) -> "Working":
        """In a workspace of its own, with two tasks, a branch beside the first, a document and a graph."""
        workspace = await bench.workspace()
        task = await workspace.task(2)
        other = await workspace.task(0, plan=task.plan)
        await workspace.call("tasks_focus_set", task=task.id)
        await workspace.note("an entry")
        await workspace.apply(*map(node, NODES), edge(NODES[0], "needs", NODES[1]))
        await workspace.branch(SIDE)
        await workspace.call("branchmind_checkout", ref=workspace.root)
        await workspace.note("an entry of the side", branch=SIDE)
        await workspace.apply(node("n3"), branch=SIDE)
        return cls(workspace, task, other, count(1))

    def at_bench(self, bench: TasksBench) -> "Working":
        """The same, called from another bench."""
        there = self.workspace.at(bench)
        return replace(
            self, workspace=there, task=replace(self.task, workspace=there), other=replace(self.other, workspace=there)
        )

    async def arguments(self, tool: str) -> Arguments:
        """Arguments with which a tool works now, without the workspace."""
        match tool:
            case "tasks_done":
                return await self._confirmed_step()
            case "tasks_focus_clear":
                await self.workspace.call("tasks_focus_set", await self.arguments("tasks_focus_set"))
                return {}
        return self._plain(next(self.numbers))[tool]

    async def _confirmed_step(self) -> Arguments:
        """A step that can be closed."""
        task = await self.workspace.task(1, plan=self.task.plan)
        taken(await task.verify(), "revision")
        return {"task": task.id, "step_id": task.step(0)}

    def _plain(self, number: int) -> dict[str, Arguments]:
        """By tool; the number tells a write from those before it."""
        root, task = self.workspace.root, self.task.id
        named: Arguments = {"task": task, "step_id": self.task.step(0)}
        notes, graph = {"branch": root, "doc": "notes"}, {"branch": root, "doc": "graph"}
        merged = {"from": SIDE, "into": root}
        card = {"id": f"thought-{number}", "type": "note", "title": "A thought"}
        return {
            **{tool: {} for tool in (*READS_OF_DOCUMENTS, *READS_OF_TASKS)},
            "branchmind_show": notes,
            "branchmind_diff": {"from": root, "to": SIDE, "doc": "notes"},
            "branchmind_graph_query": {**graph, "types": ["part"]},
            "branchmind_graph_validate": graph,
            "branchmind_graph_diff": {"from": root, "to": SIDE, "doc": "graph"},
            "branchmind_graph_conflicts": {"into": root, "doc": "graph"},
            "branchmind_think_context": {"branch": root, "graph_doc": "graph"},
            "branchmind_think_template": {"type": "note"},
            "branchmind_export": {"target": task},
            "tasks_radar": {"task": task},
            "branchmind_branch_create": {"name": f"made-{number}", "from": root},
            "branchmind_checkout": {"ref": root},
            "branchmind_notes_commit": {**notes, "content": f"entry {number}", "title": "T", "format": "markdown"},
            "branchmind_merge": {**merged, "doc": "notes"},
            "branchmind_graph_apply": {
                **graph,
                "ops": [node(NODES[0], f"changed {number}"), edge(NODES[0], "needs", NODES[1])],
            },
            "branchmind_graph_merge": {**merged, "doc": "graph"},
            "branchmind_think_card": {"branch": root, "trace_doc": "trace", "graph_doc": "graph", "card": card},
            "tasks_create": {"kind": "task", "parent": self.task.plan, "title": f"Made {number}"},
            "tasks_edit": {"task": task, "title": f"Edited {number}", "description": f"D {number}"},
            "tasks_decompose": {"task": task, "steps": [step(f"added {number}")]},
            "tasks_define": {**named, "title": f"Defined {number}", "tests": [f"T {number}"]},
            "tasks_note": {**named, "note": f"noted {number}"},
            "tasks_verify": {**named, "checkpoints": confirmed(criteria=bool(number % 2), tests=None)},
            "tasks_patch": {**named, "title": f"Patched {number}", "blockers": [f"B {number}"]},
            "tasks_focus_set": {"task": (self.task, self.other)[number % 2].id},
        }
