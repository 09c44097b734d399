"""Optimistic concurrency: what revisions are carried, by what they rise, and by what they do not."""

from conformance.contracts.tasks.bench import TasksBench, Workspace, edge, node
from conformance.drive.stimulus import stimulus


async def furnished(bench: TasksBench) -> tuple[Workspace, str]:
    """A workspace with something of every kind, and the id of a task in it."""
    workspace = await bench.workspace()
    task = await workspace.task(2)
    await task.note("Mind the umlauts: äöü.")
    await workspace.call("tasks_focus_set", task=task.id)
    await workspace.conflicts("n1")
    await workspace.apply(node("n2", "second"), edge("n1", "needs", "n2"))
    await workspace.note("first note")
    await workspace.note("note on the side", branch="side")
    card = {"id": "card-1", "type": "note", "title": "A thought"}
    await workspace.call(
        "branchmind_think_card", branch=workspace.root, trace_doc="trace", graph_doc="graph", card=card
    )
    return workspace, task.id


async def look_around(workspace: Workspace, task: str) -> None:
    """Calls every tool that reads state, once."""
    root, call = workspace.root, workspace.call
    await call("branchmind_status")
    await call("branchmind_branch_list")
    await workspace.show()
    await workspace.show(doc="trace")
    await call("branchmind_diff", {"from": root, "to": "side", "doc": "notes"})
    await call("branchmind_export", target=task)
    await workspace.query()
    await call("branchmind_graph_validate", branch=root, doc="graph")
    await call("branchmind_graph_diff", {"from": "side", "to": root, "doc": "graph"})
    listed = await call("branchmind_graph_conflicts", into=root, doc="graph")
    conflicts = listed.given.get("conflicts")
    for conflict in conflicts if isinstance(conflicts, list) else ():
        if isinstance(conflict, dict) and isinstance(conflict.get("conflict_id"), str):
            await call("branchmind_graph_conflict_show", conflict_id=conflict["conflict_id"])
    await call("branchmind_think_context", branch=root, graph_doc="graph")
    await call("tasks_context")
    await call("tasks_delta")
    await call("tasks_radar", task=task)
    await call("tasks_focus_get")


@stimulus("tasks", exercises=("TK-REV-01", "TK-REV-08", "TK-REV-09"))
async def read_everything_twice(bench: TasksBench) -> None:
    """Every tool that reads, twice over, with no write between."""
    workspace, task = await furnished(bench)
    await look_around(workspace, task)
    await look_around(workspace, task)


@stimulus("tasks", exercises=("TK-REV-01",))
async def write_without_expectation(bench: TasksBench) -> None:
    """Writes of every kind to one entity after another, none of which expects a revision."""
    workspace = await bench.workspace()
    task = await workspace.task(1)
    await workspace.call("tasks_edit", task=task.plan, description="what the plan is about")
    await workspace.call("tasks_edit", task=task.plan, contract="what the plan promises")
    await task.edit("Write the lexer")
    await task.decompose("one step more")
    await task.define(title="the first step, renamed")
    await task.note("a note")
    await task.note("a note")
    await task.patch(step_id=task.step(0), blockers=["waits for a review"])
    await task.patch(description="what the task is about")
    await workspace.call("tasks_context")
    await workspace.call("tasks_focus_set", task=task.id)
    await workspace.call("tasks_focus_set", task=task.plan)
    await workspace.call("tasks_focus_clear")
    await workspace.note("the same note")
    await workspace.note("the same note")
    await workspace.apply(node("n1", "a node"), node("n2", "another"))
    await workspace.query()
    await workspace.apply(node("n1", "a node, renamed"))
    await workspace.query()
