"""Every tool that writes to plans, tasks and steps is called in every way that the contract knows."""

from collections.abc import Callable

from conformance.contracts.tasks.bench import Task, TasksBench, Workspace, confirmed, step
from conformance.contracts.tasks.stimuli.ways import SERVED, Arguments, ways
from conformance.drive.parts import in_parts
from conformance.drive.stimulus import stimulus

Plain = Callable[[str], Arguments]
"""The arguments of a write, with a word that tells it from others."""


@stimulus("tasks", exercises=SERVED)
async def every_write_to_tasks_is_made_in_every_way(bench: TasksBench) -> None:
    """Plans, tasks and steps are made, edited, defined, noted, verified, closed and patched, however they are named."""
    with in_parts() as part:
        workspace = await bench.workspace()
        with part():
            await create(workspace)
        task = await workspace.task(3)
        await task.call("tasks_decompose", parent="s:0", steps=[step("below")])
        with part():
            await decompose(task)
        with part():
            await edit(task)
        for named in ({"step_id": task.step(1)}, {"path": "s:1"}, {"path": "s:0.s:0"}):
            with part():
                await write_step(task, named)
        with part():
            await patch(task)
        with part():
            await close(task)
        with part():
            await guard_targets(await workspace.task(2))
        with part():
            await write_in_focus(await workspace.task(2))


async def create(workspace: Workspace) -> None:
    """Plans and tasks with every field, of a kind that is told and of one that follows."""
    fields: Arguments = {"contract": "to be done by May", "contract_data": {"due": "May", "parts": [1, 2]}}
    for given in ways({"kind": "plan", "title": "A plan"}, fields):
        await workspace.call("tasks_create", given)
    await workspace.call("tasks_create", title="A plan by itself")
    parent = await workspace.plan()
    for given in ways({"kind": "task", "parent": parent, "title": "A task"}, {"description": "what it is about"}):
        await workspace.call("tasks_create", given)
    await workspace.call("tasks_create", parent=parent, title="A task by its parent")
    for drafts in ([step("one")], [{"title": "bare", "success_criteria": ["it is there"]}], [step("a"), step("b")]):
        await workspace.call("tasks_create", kind="task", parent=parent, title="A task with steps", steps=drafts)
    full = step("full", blockers=["waits"])
    await workspace.call(
        "tasks_create", kind="task", parent=parent, title="All of it", description="about", steps=[full, step("next")]
    )


async def decompose(task: Task) -> None:
    """Steps with every field, at the top, below a step, and below one that is below another."""
    bare: Arguments = {"title": "more", "success_criteria": ["it is there"]}
    for draft in ways(bare, {"tests": ["try it"], "blockers": ["waits"]}):
        await task.call("tasks_decompose", steps=[draft])
    for parent in ("s:0", "s:0.s:0"):
        await task.call("tasks_decompose", parent=parent, steps=[step(f"below {parent}")])


async def edit(task: Task) -> None:
    """Each field of a task and of its plan, given and cleared."""
    for given in ways({"title": "A title"}, {"description": "a description"}):
        await task.call("tasks_edit", **{**given, "title": f"A title with {len(given)}"})
    await task.call("tasks_edit", description="another description")
    await task.call("tasks_edit", description=None)
    workspace = task.workspace
    of_plan: Arguments = {"title": "Plan B", "contract": "in words", "contract_data": {"k": {"l": [1]}}}
    for name, value in of_plan.items():
        await workspace.call("tasks_edit", {"task": task.plan, name: value})
    for name in ("contract", "contract_data"):
        await workspace.call("tasks_edit", {"task": task.plan, name: None})


async def write_step(task: Task, named: Arguments) -> None:
    """Each field of a step, a note, and its checkpoints together, one by one, and taken back."""
    word = " ".join(map(str, named.values()))
    fields: Arguments = {
        "title": f"Named {word}", "success_criteria": [f"it is {word}", "it works"], "tests": [f"try {word}"],
        "blockers": [f"waits for {word}"],
    }  # fmt: skip
    for name, value in fields.items():
        await task.call("tasks_define", **named, **{name: value})
    again = {name: f"{value} again" if isinstance(value, str) else [*value, "again"] for name, value in fields.items()}
    await task.call("tasks_define", **named, **again)
    await task.call("tasks_note", **named, note=f"about {word}")
    for criteria, tests in ((True, None), (None, True), (False, False), (True, True), (False, None)):
        await task.call("tasks_verify", **named, checkpoints=confirmed(criteria=criteria, tests=tests))


async def patch(task: Task) -> None:
    """What is named in each way is given each field."""
    if not task.workspace.bench.offers("tasks_patch"):
        return
    for named in named_for_patches(task):
        word = " ".join(map(str, named.values()))
        of_step = any(str(value).startswith(("STEP", "NODE", "s:")) for value in named.values())
        await task.workspace.call("tasks_patch", named, title=f"Patched {word}")
        if of_step:
            for name in ("success_criteria", "tests", "blockers"):
                await task.workspace.call("tasks_patch", {**named, name: [f"patched {word}"]})
            await task.workspace.call("tasks_patch", named, checkpoints=confirmed())
            await task.workspace.call("tasks_patch", named, title=f"{word} at once", checkpoints=confirmed(tests=False))
        elif task.plan in named.values():
            await task.workspace.call("tasks_patch", named, contract=f"patched {word}", contract_data={"by": word})
        else:
            await task.workspace.call("tasks_patch", named, description=f"patched {word}")
            await task.workspace.call("tasks_patch", named, description=None)


def named_for_patches(task: Task) -> list[Arguments]:
    """Each way in which a patch names a step, a task or a plan."""
    return [
        {"task": task.id}, {"task": task.plan}, {"target": task.id}, {"target": task.plan}, {"target": task.step(1)},
        {"task": task.id, "step_id": task.step(1)}, {"task": task.id, "path": "s:1"},
    ]  # fmt: skip


async def close(task: Task) -> None:
    """Steps are closed by id and by path once they are confirmed."""
    made = await task.workspace.task(2, plan=task.plan)
    for number, named in enumerate(({"step_id": made.step(0)}, {"path": "s:1"})):
        await made.verify(number)
        await made.call("tasks_done", **named)


async def guard_targets(task: Task) -> None:
    """Writes of every kind that say which target they expect, and are right."""
    words = {"expected_target_id": task.id, "expected_kind": "task", "strict_targeting": True}
    for number, (tool, plain) in enumerate(writes_on(task)):
        own = {name: value for name, value in words.items() if task.workspace.bench.offers(tool, name)}
        for place, extra in enumerate(ways({}, own)):
            if extra:
                await task.call(tool, **plain(f"{number} {place}"), **extra)


async def write_in_focus(task: Task) -> None:
    """Writes of every kind that name no task: the one in focus is meant."""
    workspace = task.workspace
    await workspace.call("tasks_focus_set", task=task.plan)
    await workspace.call("tasks_focus_set", task=task.id)
    for tool, plain in writes_on(task):
        schema = found.input_schema if (found := workspace.bench.listed(tool)) is not None else None
        required = schema.get("required") if isinstance(schema, dict) else None
        if not isinstance(required, list) or "task" not in required:
            await workspace.call(tool, plain("in focus"))
            if workspace.bench.offers(tool, "strict_targeting", "expected_target_id"):
                strict = {"strict_targeting": True, "expected_target_id": task.id}
                await workspace.call(tool, {**plain("in focus, strictly"), **strict})
    await workspace.call("tasks_focus_clear")


def writes_on(task: Task) -> list[tuple[str, Plain]]:
    """A write of each tool that finds its target, without naming the task; a word makes it another one."""
    named: Arguments = {"step_id": task.step(0)}
    some: list[tuple[str, Plain]] = [
        ("tasks_edit", lambda word: {"title": f"edited {word}"}),
        ("tasks_decompose", lambda word: {"steps": [step(f"added {word}")]}),
        ("tasks_define", lambda word: {**named, "title": f"defined {word}"}),
        ("tasks_note", lambda word: {"path": "s:1", "note": f"noted {word}"}),
        ("tasks_verify", lambda word: {"path": "s:0", "checkpoints": confirmed(tests=not len(word) % 2)}),
    ]
    if task.workspace.bench.offers("tasks_patch"):
        some.append(("tasks_patch", lambda word: {**named, "title": f"patched {word}"}))
    return some
