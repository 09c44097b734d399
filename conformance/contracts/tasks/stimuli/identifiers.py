"""Identifiers on both sides of their patterns, and two workspaces that hold equal ids."""

from conformance.contracts.tasks.bench import TasksBench, Workspace, step
from conformance.drive.stimulus import stimulus
from conformance.drive.vectors.texts import at_the_edges

NAMES = ("a", "Z", "0", "a.b_c/d-e", "9..", "-a", ".a", "/a", "_a", "a b", " a", "a:b", "a|b", "a\x00")
ITEMS = ("TASK-1", "TASK-01", "task-001", "TASK001", "STEP-001", "PLAN-0x1", " TASK-001", "TASK-\u0660\u0661\u0662")
STEPS = ("STEP-1", "STEP-0000001", "step-00000001", "STEP00000001", "TASK-00000001", "STEP-0000000_")
PATHS = ("0", "s0", "s:", "s:a", "S:0", "s:0.", ".s:0", "s:0.t:0", "s:0,s:0", "s:-1", " s:0", "s:\u0660")


def around(bench: TasksBench, tool: str, argument: str, value: str) -> list[str]:
    """Strings on both sides of what the contract's schema says of an argument, made from one that is well formed."""
    schema = bench.contract.tools[tool].inputSchema["properties"][argument]
    return list(dict.fromkeys(at_the_edges(schema, value)))


@stimulus("tasks", exercises=("TK-ID-01",))
async def workspaces_are_named_well_and_badly(bench: TasksBench) -> None:
    """Ids on either side of the pattern and of both lengths, for a tool that makes the workspace and one that reads."""
    unique = bench.workspace_named().name.replace("-", "")
    for name in (*NAMES, *around(bench, "branchmind_init", "workspace", unique)):
        await Workspace(bench, name).call("branchmind_init")
    for name in ("", "a b", "-a"):
        await Workspace(bench, name).call("tasks_context")


@stimulus("tasks", exercises=("TK-ID-02", "TK-ERR-INVALID_INPUT"))
async def tasks_are_named_badly(bench: TasksBench) -> None:
    """Ids of no plan or task, in each argument that takes one."""
    workspace = await bench.workspace()
    task = await workspace.task(1)
    for name in (*ITEMS, *around(bench, "tasks_edit", "task", task.id)):
        await workspace.call("tasks_edit", task=name, title="lost")
    for name in ITEMS[:3]:
        await workspace.call("tasks_create", kind="task", parent=name, title="lost")
        await workspace.call("tasks_focus_set", task=name)
        await workspace.call("tasks_radar", task=name)
        await workspace.call("branchmind_show", target=name)
        await task.edit("lost", expected_target_id=name)
    await workspace.call("tasks_context")


@stimulus("tasks", exercises=("TK-ID-03", "TK-ERR-INVALID_INPUT"))
async def steps_are_named_badly(bench: TasksBench) -> None:
    """Ids of no step."""
    task = await (await bench.workspace()).task(1)
    for name in (*STEPS, *around(bench, "tasks_note", "step_id", task.step(0))):
        await task.call("tasks_note", step_id=name, note="lost")
    for tool in ("tasks_define", "tasks_patch"):
        await task.call(tool, step_id="STEP-1", title="lost")


@stimulus("tasks", exercises=("TK-ID-04", "TK-ERR-INVALID_INPUT"))
async def steps_are_addressed_by_path(bench: TasksBench) -> None:
    """Steps on two levels, addressed by their paths, then by what is no path."""
    workspace = await bench.workspace()
    task = await workspace.task(3)
    await task.call("tasks_decompose", parent="s:1", steps=[step("below"), step("below too")])
    await workspace.call("tasks_context")
    for path in ("s:0", "s:2", "s:1", "s:1.s:1"):
        await task.call("tasks_note", path=path, note=f"at {path}")
    for path in (*PATHS, *around(bench, "tasks_note", "path", "s:0")):
        await task.call("tasks_note", path=path, note="lost")
    await task.call("tasks_decompose", parent="s:x", steps=[step("lost")])


@stimulus("tasks", exercises=("TK-ID-11",))
async def many_ids_are_given(bench: TasksBench) -> None:
    """Plans, tasks of both, and steps of all of them, in one workspace."""
    workspace = await bench.workspace()
    for _ in range(2):
        plan = await workspace.plan()
        for _ in range(2):
            task = await workspace.task(2, plan=plan)
            await task.decompose("one more")


@stimulus("tasks", exercises=("TK-ID-12", "TK-ID-11"))
async def two_workspaces_hold_equal_ids(bench: TasksBench) -> None:
    """The same calls in two workspaces, with texts of their own; then both are read."""
    both = [await bench.workspace(), await bench.workspace()]
    for number, workspace in enumerate(both):
        task = await workspace.task(1, title=f"A task of workspace {number}")
        await task.note(f"a note for workspace {number}")
        await workspace.note(f"an entry of workspace {number}")
        await workspace.apply({"op": "node_upsert", "id": "n", "type": "t", "title": f"a node of workspace {number}"})
    for workspace in both:
        await workspace.call("tasks_context")
        await workspace.show()
        await workspace.query()
        await workspace.call("tasks_delta")
