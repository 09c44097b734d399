"""Response envelope: every tool answers once, several fail."""

from conformance.contracts.tasks.bench import TasksBench, node
from conformance.drive.bench import taken
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json

ENVELOPE = ("TK-ENV-01", "TK-ENV-02", "TK-ENV-03", "TK-ENV-04", "TK-ENV-05", "TK-ENV-06", "TK-ENV-07")
CARD: Json = {"id": "card-1", "type": "question", "title": "Does every tool answer alike?"}


@stimulus("tasks", exercises=ENVELOPE)
async def every_tool_answers(bench: TasksBench) -> None:
    """Each tool is called once for success, and each of them once for a plan or branch that is not there."""
    workspace = await bench.workspace()
    root: dict[str, Json] = {"branch": workspace.root}
    task = await workspace.task(1)
    (conflict, *_) = await workspace.conflicts("a")
    between = {"from": "side", "into": workspace.root}
    compared = {"from": workspace.root, "to": "side"}
    calls: list[tuple[str, dict[str, Json]]] = [
        ("branchmind_status", {}),
        ("branchmind_checkout", {"ref": workspace.root}),
        ("branchmind_notes_commit", {"branch": "side", "doc": "notes", "content": "an entry"}),
        ("branchmind_show", {**root, "doc": "notes"}),
        ("branchmind_diff", compared),
        ("branchmind_merge", between),
        ("branchmind_export", {"target": task.id}),
        ("branchmind_graph_apply", {**root, "doc": "graph", "ops": [node("b")]}),
        ("branchmind_graph_query", {**root, "doc": "graph"}),
        ("branchmind_graph_validate", {**root, "doc": "graph"}),
        ("branchmind_graph_diff", compared),
        ("branchmind_graph_conflicts", {"into": workspace.root}),
        ("branchmind_graph_conflict_show", {"conflict_id": conflict}),
        ("branchmind_graph_conflict_resolve", {"conflict_id": conflict, "resolution": "use_into"}),
        ("branchmind_think_template", {"type": "note"}),
        ("branchmind_think_card", {**root, "trace_doc": "trace", "graph_doc": "graph", "card": CARD}),
        ("branchmind_think_context", {**root, "graph_doc": "graph"}),
        ("tasks_context", {}),
        ("tasks_delta", {}),
        ("tasks_radar", {"task": task.id}),
        ("tasks_focus_set", {"task": task.id}),
        ("tasks_focus_get", {}),
        ("tasks_focus_clear", {}),
    ]
    for tool, arguments in calls:
        await workspace.call(tool, arguments)
    await bench.call("storage", {})
    await task.edit("edited")
    await task.define(title="defined")
    await task.note("noted")
    await task.patch(title="patched")
    await task.verify()
    taken(await task.done(), "revision")


@stimulus("tasks", exercises=ENVELOPE)
async def tools_fail(bench: TasksBench) -> None:
    """Failures of several codes."""
    workspace = await bench.workspace()
    task = await workspace.task(1)
    await task.done()
    await workspace.call("tasks_radar", task="TASK-987654")
    await workspace.call("branchmind_branch_create", name="no spaces")
    await workspace.call("tasks_create", kind="plan")
    await bench.workspace_named().call("tasks_context")
