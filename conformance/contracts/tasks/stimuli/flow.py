"""What takes several calls: closing steps, refused writes between reads, guarded targets, patches, conflicts."""

from conformance.contracts.tasks.bench import Task, TasksBench, Workspace, node
from conformance.drive.bench import taken
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json


async def look(workspace: Workspace) -> None:
    """Reads the plans and tasks, the events, and the graph, notes and branches."""
    await workspace.call("tasks_context")
    await workspace.call("tasks_delta")
    await workspace.query()
    await workspace.show()
    await workspace.call("branchmind_branch_list")


@stimulus("tasks", exercises=("TK-FLOW-01", "TK-ERR-CHECKPOINTS_NOT_CONFIRMED"))
async def steps_are_closed_early_and_in_time(bench: TasksBench) -> None:
    """Steps are to be closed with nothing, one and both checkpoints confirmed, and after one was taken back."""
    workspace = await bench.workspace()
    task = await workspace.task(3)
    await workspace.call("tasks_context")
    for number, (criteria, tests) in enumerate(((True, False), (False, True))):
        await task.done(number)
        await task.verify(number, criteria=criteria, tests=tests)
        await task.done(number)
        await task.verify(number)
        await task.done(number)
    await task.verify(2)
    await task.verify(2, tests=False)
    await task.done(2)
    await workspace.call("tasks_context")
    await task.verify(2)
    await task.done(2)


@stimulus("tasks", exercises=("TK-FLOW-02", "TK-ERR-INVALID_INPUT", "TK-ERR-UNKNOWN_ID", "TK-ERR-CONFLICT"))
async def refused_writes_stand_between_reads(bench: TasksBench) -> None:
    """Writes that are refused for one reason each, some of them halfway through, with looks before and after each."""
    workspace = await bench.workspace()
    task = await workspace.task(1)
    await workspace.apply(node("kept"))
    await workspace.branch("side")
    await workspace.note("an entry to keep")
    here: dict[str, Json] = {"branch": workspace.root}
    step: dict[str, Json] = {"task": task.id, "step_id": task.step(0)}
    half = [{"title": "one", "success_criteria": ["it is there"]}, {"title": "half a step"}]
    missing: Json = {"op": "node_delete", "id": "missing"}
    refused: list[tuple[str, dict[str, Json]]] = [
        ("branchmind_graph_apply", {**here, "doc": "graph", "ops": [node("lost"), missing]}),
        ("branchmind_graph_apply", {**here, "doc": "graph", "ops": [node("kept", "changed"), node("a|b")]}),
        ("tasks_done", step),
        ("tasks_note", {**step, "step_id": "STEP-ZZZZ9999", "note": "lost"}),
        ("tasks_decompose", {"task": task.id, "steps": half}),
        ("tasks_create", {"kind": "task", "parent": "PLAN-987654", "title": "lost"}),
        ("branchmind_branch_create", {"name": "side", "from": workspace.root}),
        ("branchmind_notes_commit", {**here, "doc": "notes"}),
    ]
    await look(workspace)
    for tool, arguments in refused:
        await workspace.call(tool, arguments)
        await look(workspace)


@stimulus(
    "tasks",
    exercises=(
        "TK-FLOW-04",
        "TK-ERR-EXPECTED_TARGET_MISMATCH",
        "TK-ERR-STRICT_TARGETING_REQUIRES_EXPECTED_TARGET_ID",
    ),
)
async def writes_expect_another_target(bench: TasksBench) -> None:
    """Every guarded write on a task, named or in focus, that expects another task; then what strict targeting asks."""
    workspace = await bench.workspace()
    task = await workspace.task(1)
    other = await workspace.task(1, plan=task.plan)
    await look(workspace)
    for tool, arguments in guarded(task):
        await workspace.call(tool, {**arguments, "task": task.id}, expected_target_id=other.id)
        await workspace.call("tasks_context")
    await workspace.call("tasks_edit", task=task.plan, title="lost", expected_target_id=task.id)
    await workspace.call("tasks_focus_set", task=task.id)
    await workspace.call("tasks_context")
    for tool, arguments in guarded(task):
        await workspace.call(tool, arguments, expected_target_id=other.id)
        await workspace.call(tool, arguments, strict_targeting=True)
        await workspace.call("tasks_context")
    await workspace.call("tasks_edit", title="found", strict_targeting=True, expected_target_id=task.id)
    await workspace.call("tasks_edit", title="found again", expected_target_id=task.id)


def guarded(task: Task) -> list[tuple[str, dict[str, Json]]]:
    """A write of each tool that takes an expected target, without naming the task."""
    step: dict[str, Json] = {"step_id": task.step(0)}
    confirmed = {"criteria": {"confirmed": True}, "tests": {"confirmed": True}}
    return [
        ("tasks_edit", {"title": "lost"}),
        ("tasks_decompose", {"steps": [{"title": "lost", "success_criteria": ["it is there"]}]}),
        ("tasks_define", {**step, "title": "lost"}),
        ("tasks_note", {**step, "note": "lost"}),
        ("tasks_patch", {**step, "title": "lost"}),
        ("tasks_verify", {**step, "checkpoints": confirmed}),
    ]


@stimulus("tasks", exercises=("TK-FLOW-05",))
async def a_step_a_task_and_a_plan_are_patched(bench: TasksBench) -> None:
    """Each is given a new title, by id, path or target, and looked at after each patch."""
    workspace = await bench.workspace()
    task = await workspace.task(2)
    for named in (
        {"task": task.id},
        {"task": task.id, "step_id": task.step(0)},
        {"task": task.id, "path": "s:1"},
        {"task": task.plan},
        {"target": task.id},
        {"target": task.step(1)},
    ):
        await workspace.call("tasks_patch", named, title=bench.unique("title"))
        await workspace.call("tasks_context")


@stimulus("tasks", exercises=("TK-FLOW-03", "TK-ID-09", "TK-ID-10"))
async def a_merge_meets_a_conflict(bench: TasksBench) -> None:
    """Two sides change a node; the merge is made twice, and the conflict resolved, once for each side."""
    for resolution in ("use_from", "use_into"):
        workspace = await bench.workspace()
        await workspace.conflicts("a")
        await workspace.query()
        again = await workspace.merge(source="side", doc="graph", graph=True)
        await workspace.query()
        await workspace.call("branchmind_graph_conflicts", into=workspace.root, doc="graph")
        for conflict in taken(again, "conflict_ids")[:1]:
            await workspace.call("branchmind_graph_conflict_show", conflict_id=conflict)
            await workspace.call("branchmind_graph_conflict_resolve", conflict_id=conflict, resolution=resolution)
        await workspace.query()


@stimulus("tasks", exercises=("TK-FLOW-03", "TK-ID-09", "TK-ID-10"))
async def a_merge_meets_several_conflicts(bench: TasksBench) -> None:
    """Two sides change three nodes, and the merge is made three times."""
    workspace = await bench.workspace()
    await workspace.conflicts("a", "b", "c")
    await workspace.query()
    await workspace.merge(source="side", doc="graph", graph=True)
    await workspace.merge(source="side", doc="graph", graph=True)
