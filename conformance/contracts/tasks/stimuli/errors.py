"""Error model: one situation of each code that no other section brings about."""

from conformance.contracts.tasks.bench import TasksBench
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json


@stimulus("tasks", exercises=("TK-ERR-UNKNOWN_WORKSPACE",))
async def a_workspace_was_never_initialised(bench: TasksBench) -> None:
    """A read and two writes in a workspace that is not there, on a store that is."""
    await bench.workspace()
    nowhere = bench.workspace_named()
    await nowhere.call("tasks_context")
    await nowhere.call("tasks_create", kind="plan", title="Nowhere")
    await nowhere.call("branchmind_notes_commit", content="nowhere")


@stimulus("tasks", exercises=("TK-ERR-UNKNOWN_ID",))
async def ids_name_nothing(bench: TasksBench) -> None:
    """Well-formed ids of no task, step or conflict, for reads and writes."""
    workspace = await bench.workspace()
    task = await workspace.task(1)
    for name in ("TASK-987654", "PLAN-9876543210987"):
        await workspace.call("tasks_radar", task=name)
        await workspace.call("branchmind_export", target=name)
        await workspace.call("tasks_focus_set", task=name)
    await workspace.call("tasks_create", kind="task", parent="PLAN-987654", title="Lost")
    for name in ("STEP-ZZZZ9999", "NODE-abcdefgh12345678"):
        await task.call("tasks_define", step_id=name, title="lost")
    for tool, more in (("show", {}), ("resolve", {"resolution": "use_from"})):
        await workspace.call(f"branchmind_graph_conflict_{tool}", {"conflict_id": f"CONFLICT-{'9' * 32}", **more})


@stimulus("tasks", exercises=("TK-ERR-INVALID_NAME",))
async def branches_and_documents_are_named_badly(bench: TasksBench) -> None:
    """Names that are none, of a branch to be made, to be checked out, to be read, and of a document."""
    workspace = await bench.workspace()
    for name in ("", "a\x00b", "no spaces", "-a", "x" * 129):
        await workspace.call("branchmind_branch_create", {"name": name, "from": workspace.root})
    for name in ("", "a\x00b"):
        await workspace.call("branchmind_checkout", ref=name)
        await workspace.show(branch=name)
        await workspace.note("lost", doc=name)


@stimulus("tasks", exercises=("TK-ERR-INVALID_INPUT",))
async def arguments_are_missing_or_mistyped(bench: TasksBench) -> None:
    """Calls without a required argument, and with one of another type."""
    workspace = await bench.workspace()
    task = await workspace.task(1)
    wrong: list[tuple[str, dict[str, Json]]] = [
        ("tasks_create", {"kind": "plan"}),
        ("tasks_create", {"kind": "plan", "title": 7}),
        ("tasks_note", {"task": task.id, "step_id": task.step(0)}),
        ("tasks_decompose", {"task": task.id, "steps": "one"}),
        ("tasks_edit", {"task": ["TASK-001"], "title": "lost"}),
        ("branchmind_graph_apply", {"ops": {}}),
        ("branchmind_show", {"doc": "notes", "limit": "ten"}),
        ("tasks_focus_set", {}),
    ]
    for tool, arguments in wrong:
        await workspace.call(tool, arguments)
    await bench.call("tasks_context", {})


@stimulus("tasks", exercises=("TK-ERR-CONFLICT",))
async def writes_collide_with_what_exists(bench: TasksBench) -> None:
    """A branch is made twice, a card's id is used for another card, a conflict is resolved twice."""
    workspace = await bench.workspace()
    (conflict, *_) = await workspace.conflicts("a")
    await workspace.call("branchmind_branch_create", {"name": "side", "from": workspace.root})
    for resolution in ("use_into", "use_from"):
        await workspace.call("branchmind_graph_conflict_resolve", conflict_id=conflict, resolution=resolution)
    for title in ("A first thought", "A second thought"):
        await workspace.call("branchmind_think_card", card={"id": "card-1", "type": "note", "title": title})


@stimulus("tasks", exercises=("TK-ERR-BUDGET_EXCEEDED",))
async def nothing_fits_the_budget(bench: TasksBench) -> None:
    """Reads into no byte and into one."""
    workspace = await bench.workspace()
    await workspace.task(1)
    for most in (0, 1):
        await workspace.call("tasks_context", max_chars=most)
        await workspace.call("branchmind_branch_list", max_chars=most)
