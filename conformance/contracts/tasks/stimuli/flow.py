"""What takes several calls: closing steps, refused writes between reads, guarded targets, patches."""

from conformance.contracts.tasks.bench import Task, TasksBench, Workspace, confirmed, cut, edge, gone, node, step
from conformance.contracts.tasks.guarded import ALIAS, GUARD
from conformance.contracts.tasks.looking import look_around
from conformance.drive.parts import in_parts
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json

Call = tuple[str, dict[str, Json]]
FAR = 7
"""By how much a revision is off."""
GUARDS = (GUARD, ALIAS)
LOST = "TASK-987654"
"""An id of nothing."""


@stimulus("tasks", exercises=("TK-FLOW-01", "TK-ERR-CHECKPOINTS_NOT_CONFIRMED", "TK-SRV-03"))
async def steps_are_closed_early_and_in_time(bench: TasksBench) -> None:
    """Steps are to be closed with nothing, one and both checkpoints confirmed, and after one was taken back."""
    workspace = await bench.workspace()
    task = await workspace.task(4)
    await workspace.call("tasks_context")
    with in_parts() as part:
        for number, (criteria, tests) in enumerate(((True, False), (False, True), (True, None), (None, True))):
            with part():
                await task.done(number)
                await task.verify(number, criteria=criteria, tests=tests)
                await task.done(number)
                await task.verify(number)
                await task.done(number)
        with part():
            await taken_back(await workspace.task(2))
        with part():
            await defined_anew(await workspace.task(2))


async def taken_back(task: Task) -> None:
    """Steps whose confirmation is taken back before they are closed, by id and by path."""
    for number, named in enumerate(({"step_id": task.step(0)}, {"path": "s:1"})):
        for criteria in (bool(number), not number):
            await task.verify(number)
            await task.verify(number, criteria=None if criteria else False, tests=False if criteria else None)
            await task.call("tasks_done", **named)
        await task.verify(number)
        await task.call("tasks_done", **named)
    await task.workspace.call("tasks_context")


async def defined_anew(task: Task) -> None:
    """Steps that get other criteria or tests once they are confirmed; and one that is closed twice."""
    for number, name in enumerate(("success_criteria", "tests")):
        await task.verify(number)
        await task.define(number, **{name: ["something else"]})
        await task.done(number)
        await task.verify(number, criteria=False, tests=False)
        await task.verify(number)
        await task.done(number)
        await task.done(number)
    await task.workspace.call("tasks_context")


async def look(workspace: Workspace, tool: str) -> None:
    """Reads what a write of a tool would have changed."""
    if tool.startswith("tasks_"):
        await workspace.call("tasks_context")
        await workspace.call("tasks_delta")
        await workspace.call("tasks_focus_get")
    elif "graph" in tool or "card" in tool:
        await workspace.query()
    else:
        await workspace.show()
        await workspace.call("branchmind_branch_list")


@stimulus(
    "tasks", exercises=("TK-FLOW-02", "TK-ERR-INVALID_INPUT", "TK-ERR-UNKNOWN_ID", "TK-ERR-CONFLICT", "TK-SRV-03")
)
async def refused_writes_stand_between_reads(bench: TasksBench) -> None:
    """Writes that are refused for one reason each, some of them halfway through, with looks before and after each."""
    workspace = await bench.workspace()
    task = await workspace.task(2)
    await workspace.apply(node("kept"), node("other"), edge("kept", "needs", "other"))
    await workspace.branch("side")
    await workspace.note("an entry to keep")
    await workspace.think({"id": "thought", "type": "note", "title": "First"})
    await workspace.call("tasks_focus_set", task=task.id)
    await look_around(workspace, task.id, task.plan)
    with in_parts() as part:
        for tool, arguments in refused(workspace, task):
            with part():
                await workspace.call(tool, arguments)
                await look(workspace, tool)
        with part():
            await look_around(workspace, task.id, task.plan)


def refused(workspace: Workspace, task: Task) -> list[Call]:
    """Calls with one fault each: behind what is good in them, where there is anything good."""
    graph: dict[str, Json] = {"branch": workspace.root, "doc": "graph"}
    named: dict[str, Json] = {"task": task.id, "step_id": task.step(0)}
    nowhere = {**named, "step_id": "STEP-ZZZZ9999"}
    half = [{"title": "one", "success_criteria": ["it is there"]}, {"title": "half a step"}]
    lost = {"id": "lost", "type": "note", "title": "Lost"}
    place = {"branch": workspace.root, "trace_doc": "trace", "graph_doc": "graph"}
    return [
        ("branchmind_graph_apply", {**graph, "ops": [node("lost"), gone("missing")]}),
        ("branchmind_graph_apply", {**graph, "ops": [gone("kept"), node("a|b")]}),
        ("branchmind_graph_apply", {**graph, "ops": [node("kept", "changed"), edge("kept", "needs", "missing")]}),
        ("branchmind_graph_apply", {**graph, "ops": [cut("kept", "needs", "other"), cut("kept", "has", "other")]}),
        ("branchmind_think_card", {**place, "card": lost, "supports": ["missing"]}),
        ("branchmind_think_card", {**place, "card": {**lost, "id": "thought"}}),
        ("branchmind_notes_commit", {"branch": workspace.root, "doc": "notes"}),
        ("branchmind_branch_create", {"name": "side", "from": workspace.root}),
        ("branchmind_branch_create", {"name": "lost", "from": "nowhere"}),
        ("branchmind_checkout", {"ref": "nowhere"}),
        ("branchmind_merge", {"from": "nowhere", "into": workspace.root, "doc": "notes"}),
        ("branchmind_graph_merge", {"from": "nowhere", "into": workspace.root, "doc": "graph"}),
        ("tasks_done", named),
        ("tasks_note", {**nowhere, "note": "lost"}),
        ("tasks_define", {**nowhere, "title": "lost"}),
        ("tasks_verify", {**nowhere, "checkpoints": confirmed()}),
        ("tasks_verify", {**named, "checkpoints": {"criteria": {"confirmed": True}, "tests": 7}}),
        ("tasks_decompose", {"task": task.id, "steps": half}),
        ("tasks_decompose", {"task": task.id, "parent": "s:9", "steps": [step("lost")]}),
        ("tasks_create", {"kind": "task", "parent": "PLAN-987654", "title": "lost"}),
        ("tasks_edit", {"task": "TASK-987654", "title": "lost"}),
        ("tasks_edit", {"task": task.id, "title": 7}),
        *(
            ("tasks_patch", {**named, "title": "half of it", wrong: "what a step has not"})
            for wrong in ("description", "contract")
            if workspace.bench.offers("tasks_patch")
        ),
        ("tasks_focus_set", {"task": "TASK-987654"}),
    ]


@stimulus(
    "tasks",
    exercises=(
        "TK-FLOW-02",
        "TK-FLOW-04",
        "TK-ERR-EXPECTED_TARGET_MISMATCH",
        "TK-ERR-STRICT_TARGETING_REQUIRES_EXPECTED_TARGET_ID",
    ),
)
async def writes_expect_another_target(bench: TasksBench) -> None:
    """Every guarded write on a task, named or in focus, that expects another task or plan, then that very one."""
    workspace = await bench.workspace()
    task = await workspace.task(4)
    other = await workspace.task(1, plan=task.plan)
    await workspace.call("tasks_focus_set", task=task.id)
    await look_around(workspace, task.id)
    with in_parts() as part:
        for number, (word, named) in enumerate((("named", {"task": task.id}), ("in focus", {}))):
            # a step of its own, as it is closed once
            closing: Call = ("tasks_done", {"step_id": task.step(2 + number)})
            await task.verify(2 + number)
            for tool, arguments in (*guarded(task, word), closing):
                if bench.offers(tool, "expected_target_id"):
                    with part():
                        await expect(workspace, task, other, (tool, {**arguments, **named}))
        for target in (task.id, task.step(0)) if bench.offers("tasks_patch", "target", "expected_target_id") else ():
            with part():
                await expect(workspace, task, other, ("tasks_patch", {"target": target, "title": "by its id alone"}))
        with part():
            edit = {"task": task.plan, "title": "guarded"}
            await workspace.call("tasks_edit", edit, expected_target_id=task.id)
            await workspace.call("tasks_edit", edit, expected_target_id=task.plan)
        with part():
            await look_around(workspace, task.id)
            await be_strict(task)


async def expect(workspace: Workspace, task: Task, other: Task, write: Call) -> None:
    """A write that expects another task, or the plan, then the right one."""
    tool, arguments = write
    for unexpected in (other.id if "task" in arguments else task.plan, LOST):
        await workspace.call("tasks_delta")
        await workspace.call(tool, arguments, expected_target_id=unexpected)
        await workspace.call("tasks_delta")
    await workspace.call("tasks_context")
    await workspace.call(tool, arguments, expected_target_id=task.id)
    await workspace.call("tasks_context")


async def be_strict(task: Task) -> None:
    """Writes to what is in focus that are strict about their target: without naming it, then as they are."""
    workspace = task.workspace
    await task.verify(1)
    for tool, arguments in (*guarded(task, "strictly"), ("tasks_done", {"path": "s:1"})):
        if task.workspace.bench.offers(tool, "strict_targeting"):
            plain = {name: value for name, value in arguments.items() if name != "step_id"}
            named = {**plain, "path": "s:0"} if "step_id" in arguments else plain
            await workspace.call("tasks_delta")
            await workspace.call(tool, named, strict_targeting=True)
            await workspace.call("tasks_delta")
            revision = await workspace.revision(("task", task.id))
            await workspace.call(tool, named, strict_targeting=True, expected_revision=revision)
            if workspace.bench.offers(tool, "expected_kind"):
                await workspace.call(tool, named, strict_targeting=True, expected_kind="task")
            await workspace.call("tasks_context")
            await workspace.call(tool, named)


@stimulus("tasks", exercises=("TK-REV-02", "TK-REV-03", "TK-REV-06"))
async def what_is_in_focus_is_written_at_a_revision(bench: TasksBench) -> None:
    """Writes to the task in focus, and to a step by its id, that expect a far revision; then the current one."""
    workspace = await bench.workspace()
    task = await workspace.task(2)
    await workspace.call("tasks_focus_set", task=task.id)
    calls = [write for write in guarded(task, "at a revision") if bench.offers(write[0])]
    if bench.offers("tasks_patch"):
        calls.append(("tasks_patch", {"target": task.step(1), "blockers": ["waits"]}))
    with in_parts() as part:
        for tool, arguments in calls:
            with part():
                for name in GUARDS:
                    revision = await workspace.revision(("task", task.id))
                    await workspace.call(tool, {**arguments, name: revision + FAR})
                    await workspace.call("tasks_radar", task=task.id)
                await workspace.call(tool, arguments, expected_revision=await workspace.revision(("task", task.id)))
        for place in (task.id, task.plan):
            with part():
                await write_its_documents(workspace, place)
        await workspace.call("tasks_context")


async def write_its_documents(workspace: Workspace, item: str) -> None:
    """Writes to the documents of a plan or task that expect a far revision, after one that tells the current one."""
    card = {"type": "note", "title": "A thought"}
    for tool, arguments in (
        ("branchmind_notes_commit", {"content": "an entry"}),
        ("branchmind_graph_apply", {"ops": [node("n", "a node")]}),
        ("branchmind_think_card", {"card": {**card, "id": "first"}}),
    ):
        again = {"card": {**card, "id": "second"}} if tool == "branchmind_think_card" else arguments
        await workspace.call(tool, {**arguments, "target": item})
        for name in GUARDS:
            await workspace.call(tool, {**again, "target": item, name: FAR * FAR})


def guarded(task: Task, word: str) -> list[Call]:
    """A write of each tool that takes an expected target, without naming the task; a word tells it from others."""
    named: dict[str, Json] = {"step_id": task.step(0)}
    return [
        ("tasks_edit", {"title": f"guarded {word}"}),
        ("tasks_decompose", {"steps": [step(f"guarded {word}")]}),
        ("tasks_define", {**named, "title": f"guarded {word}"}),
        ("tasks_note", {**named, "note": f"guarded {word}"}),
        ("tasks_patch", {**named, "title": f"patched {word}"}),
        ("tasks_verify", {**named, "checkpoints": confirmed(tests=word == "in focus")}),
    ]


@stimulus("tasks", exercises=("TK-FLOW-05",))
async def a_step_a_task_and_a_plan_are_patched(bench: TasksBench) -> None:
    """Each is given a new title, by id, path or target, and looked at after each patch."""
    if not bench.offers("tasks_patch"):
        return
    workspace = await bench.workspace()
    task = await workspace.task(2)
    with in_parts() as part:
        for named in (
            {"task": task.id},
            {"task": task.id, "step_id": task.step(0)},
            {"task": task.id, "path": "s:1"},
            {"task": task.plan},
            {"target": task.id},
            {"target": task.step(1)},
        ):
            with part():
                await workspace.call("tasks_patch", named, title=bench.unique("title"))
                await workspace.call("tasks_context")
                await workspace.call("branchmind_export", target=task.id)
