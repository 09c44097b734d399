"""Calls that no section says are served or refused: what answers them is in the contract's words in any case."""

from conformance.contracts.tasks.bench import TasksBench, confirmed, edge, node, step
from conformance.contracts.tasks.stimuli.serving import ENVELOPE
from conformance.drive.parts import in_parts
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json

ANSWERED = (*ENVELOPE, "TK-SRV-03")
BLANK = " \t"
OF_STEPS: dict[str, dict[str, Json]] = {
    "tasks_decompose": {"steps": [step("added")]},
    "tasks_define": {"path": "s:0", "title": "defined"},
    "tasks_note": {"path": "s:0", "note": "noted"},
    "tasks_verify": {"path": "s:0", "checkpoints": confirmed()},
    "tasks_done": {"path": "s:0"},
    "tasks_patch": {"path": "s:0", "title": "patched"},
}
"""Tools that want a task, which has steps, with what they want besides."""


@stimulus("tasks", exercises=ANSWERED)
async def plans_are_taken_for_tasks(bench: TasksBench) -> None:
    """Tools of steps, on a plan: named, and as the focus."""
    workspace = await bench.workspace()
    task = await workspace.task(1)
    for named in ({"task": task.plan}, {}):
        await workspace.call("tasks_focus_set", task=task.plan)
        for tool, arguments in OF_STEPS.items():
            await workspace.call(tool, {**named, **arguments})


@stimulus("tasks", exercises=ANSWERED)
async def texts_are_blank(bench: TasksBench) -> None:
    """Titles, notes and contents that are empty, and of white space alone."""
    workspace = await bench.workspace()
    task = await workspace.task(1)
    for text in ("", BLANK):
        with in_parts() as part:
            for tool, arguments in (
                ("tasks_create", {"kind": "plan", "title": text}),
                ("tasks_edit", {"task": task.id, "title": text}),
                ("tasks_decompose", {"task": task.id, "steps": [step(text)]}),
                ("tasks_note", {"task": task.id, "path": "s:0", "note": text}),
                ("branchmind_notes_commit", {"branch": workspace.root, "doc": "notes", "content": text}),
            ):
                with part():
                    await workspace.call(tool, arguments)


@stimulus("tasks", exercises=ANSWERED)
async def targets_disagree(bench: TasksBench) -> None:
    """A patch that names a target and a task, one whose target is no id; a note to a target beside a document.

    A plan with steps, and a task below a task.
    """
    workspace = await bench.workspace()
    task = await workspace.task(1)
    for arguments in (
        {"target": task.step(0), "task": task.id, "title": "patched"},
        {"target": task.id, "path": "s:0", "title": "patched"},
        {"target": "no such target", "title": "patched"},
        {"target": "", "title": "patched"},
    ):
        await workspace.call("tasks_patch", arguments)
    await workspace.call("tasks_create", kind="plan", title="A plan", steps=[step("first")])
    await workspace.call("tasks_create", kind="task", title="A task", parent=task.id)
    await workspace.call(
        "branchmind_notes_commit", target=task.id, branch=workspace.root, doc="notes", content="an entry"
    )


@stimulus("tasks", exercises=ANSWERED)
async def branches_are_taken_for_others(bench: TasksBench) -> None:
    """A branch that is named like a plan's or a task's; merges of branches of which neither came from the other."""
    workspace = await bench.workspace()
    task = await workspace.task(0)
    for name in (f"plan/{task.plan}", f"task/{task.id}", "task/TASK-987654"):
        await workspace.call("branchmind_branch_create", {"name": name, "from": workspace.root})
    for name in ("one", "other"):
        await workspace.branch(name)
        await workspace.note(name, branch=name)
    for source, into in (("one", "other"), (workspace.root, "one"), ("one", "one")):
        await workspace.call("branchmind_merge", {"from": source, "into": into, "doc": "notes"})


@stimulus("tasks", exercises=ANSWERED)
async def graphs_turn_on_themselves(bench: TasksBench) -> None:
    """An edge from a node to itself, one both ways, and the same operation twice in a call."""
    workspace = await bench.workspace()
    both_ways = [edge("a", "needs", "b"), edge("b", "needs", "a")]
    for operations in ([node("a"), node("b")], [edge("a", "needs", "a")], both_ways, [node("c"), node("c")]):
        await workspace.apply(*operations)
        await workspace.query()
