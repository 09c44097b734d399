"""Fields written one at a time, and steps by the dozen and on three levels: what a write does not name stays."""

from conformance.contracts.tasks.bench import Task, TasksBench, Workspace, confirmed, step
from conformance.contracts.tasks.stimuli.showing import META, read_items
from conformance.drive.parts import in_parts
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json

MANY = 12
"""Steps of one call: more than one digit counts."""
LONG = "A description of more than a few words, which nobody asked to have changed."


@stimulus("tasks", exercises=("TK-SRV-02", "TK-REV-01"))
async def one_field_is_written_alone(bench: TasksBench) -> None:
    """Each field of a task and of a plan alone, the others being filled; then some are emptied."""
    workspace = await bench.workspace()
    reader = await workspace.elsewhere()
    task = await workspace.task(1)
    with in_parts() as part:
        with part():
            await task.edit("A task", description=LONG)
            for name, value in (("title", "Its title alone"), ("description", ""), ("description", f"{LONG} Twice.")):
                await task.workspace.call("tasks_edit", {"task": task.id, name: value})
                await read_items(reader, task.id)
        with part():
            plan = await workspace.plan("A plan", contract="in words", contract_data=META)
            await read_items(reader, plan)
            edits: list[dict[str, Json]] = [
                {"contract": "in other words"},
                {"contract_data": {"due": "June", "parts": {"a": 1, "b": 2}}},
                {"contract_data": {"parts": {"b": 3}}},
                {"title": "Its title alone"},
                {"contract": ""},
            ]
            for given in edits:
                await workspace.call("tasks_edit", task=plan, **given)
                await read_items(reader, plan)
        with part():
            title = "A title of many words, " * 12 + "and an end"
            more: dict[str, Json] = {"contract": LONG * 80, "contract_data": {"list": [LONG] * 40}}
            made = await workspace.task(0, plan=await workspace.plan(title, **more), title=title)
            described: dict[str, Json] = {"title": "Described at length", "description": LONG * 80}
            await workspace.call("tasks_create", described, kind="task", parent=made.plan)
            await read_items(reader, made.plan)
            await read_items(reader, made.id)
        with part():
            fields: dict[str, Json] = {"title": "A title", "format": "markdown", "meta": META}
            for content in ("a note on the task", "a long note " * 1000 + "ends here"):
                await workspace.call("branchmind_notes_commit", target=task.id, content=content, **fields)
                await reader.call("branchmind_show", target=task.id, doc_kind="notes")
        if bench.offers("tasks_patch"):
            with part():
                await patch_one_field(workspace, reader)


async def patch_one_field(workspace: Workspace, reader: Workspace) -> None:
    """The same by patches of a task, a plan and a step."""
    plan = await workspace.plan("A plan to patch", contract="in words", contract_data={"due": "May"})
    task = await workspace.task(1, plan=plan)
    await task.edit("A task to patch", description=LONG)
    first = task.step(0)
    patches: list[dict[str, Json]] = [
        {"target": task.id, "title": "Its title alone"},
        {"target": plan, "contract": "in other words"},
        {"target": plan, "title": "A plan's title alone"},
        {"task": plan, "contract_data": META},
        {"task": plan, "contract": None},
        {"task": plan, "contract_data": None},
        {"task": task.id, "description": None},
        {"target": first, "title": "A step's title alone"},
        {"target": first, "blockers": ["waits"], "title": "with another field"},
        {"task": task.id, "step_id": first, "checkpoints": confirmed(), "title": "with its checkpoints"},
        {"task": task.id, "path": "s:0", "checkpoints": confirmed(criteria=None, tests=False)},
    ]
    for given in patches:
        await workspace.call("tasks_patch", given)
        await read_items(reader, plan)
        await read_items(reader, task.id)


@stimulus("tasks", exercises=("TK-SRV-02", "TK-ID-04", "TK-FLOW-01"))
async def many_steps_are_written_to(bench: TasksBench) -> None:
    """A dozen steps at once, on each of three levels, and few on two more; some are written to by path and by id."""
    workspace = await bench.workspace()
    reader = await workspace.elsewhere()
    task = await workspace.task(0)
    with in_parts() as part:
        for parent in ("", "s:10", "s:10.s:11"):
            below: dict[str, Json] = {"parent": parent} if parent else {}
            drafts = [step(f"{parent} number {number}".strip(), blockers=["waits"]) for number in range(MANY)]
            with part():
                await task.call("tasks_decompose", steps=drafts, **below)
                await reader.call("tasks_context")
        for parent in ("s:10.s:11.s:11", "s:10.s:11.s:11.s:1"):
            with part():
                await task.call("tasks_decompose", parent=parent, steps=[step(f"{parent} {n}") for n in range(2)])
                await reader.call("tasks_context")
        for path in ("s:10", "s:11", "s:10.s:1", "s:10.s:10", "s:10.s:11.s:0", "s:10.s:11.s:11"):
            with part():
                await task.call("tasks_define", path=path, title=f"renamed at {path}", blockers=["a", "b", "a"])
                lists: dict[str, Json] = {name: [f"{name} {n}" for n in range(MANY)] for name in ("tests", "blockers")}
                await task.call("tasks_define", path=path, success_criteria=[f"c {n}" for n in range(MANY)], **lists)
                await task.call("tasks_note", path=path, note=f"a note at {path} alone")
                await reader.call("tasks_context")
        with part():
            await close_each_level(task, reader)


async def close_each_level(task: Task, reader: Workspace) -> None:
    """Steps with others below are confirmed and closed: it says nothing of those below, nor of the one above.

    None is closed before its own checkpoints are confirmed.
    """
    for path in ("s:10.s:11.s:0", "s:10.s:11", "s:10"):
        await task.call("tasks_done", path=path)
        await task.call("tasks_verify", path=path, checkpoints=confirmed(tests=None))
        await task.call("tasks_done", path=path)
        await task.call("tasks_verify", path=path, checkpoints=confirmed())
        await reader.call("tasks_context")
        await task.call("tasks_define", path=path, blockers=[])
        await task.call("tasks_done", path=path)
        await reader.call("tasks_context")
        await reader.call("tasks_radar", task=task.id)
