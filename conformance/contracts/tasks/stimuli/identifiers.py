"""Identifiers on both sides of their patterns, and workspaces that hold equal ids or have names alike."""

from collections.abc import Sequence

from conformance.contracts.tasks.bench import LONGEST_NAME, Task, TasksBench, Workspace, confirmed, node, step
from conformance.drive.parts import in_parts
from conformance.drive.stimulus import stimulus
from conformance.drive.sweeps.texts import near
from conformance.drive.vectors.texts import at_the_edges
from conformance.model.events import Json

NAMES = ("a", "Z", "0", "a.b_c/d-e", "9..", "-a", ".a", "/a", "_a", "a b", " a", "a:b", "a|b", "a\x00")
ITEMS = ("TASK-1", "TASK-01", "task-001", "TASK001", "STEP-001", "PLAN-0x1", " TASK-001", "TASK-\u0660\u0661\u0662")
STEPS = ("STEP-1", "STEP-0000001", "step-00000001", "STEP00000001", "TASK-00000001", "STEP-0000000_")
PATHS = ("0", "s0", "s:", "s:a", "S:0", "s:0.", ".s:0", "s:0.t:0", "s:0,s:0", "s:-1", " s:0", "s:0 ", "s:\u0660")


def around(bench: TasksBench, tool: str, argument: str, value: str) -> list[str]:
    """Strings on both sides of what the contract's schema says of an argument, made from one that is well formed."""
    schema = bench.contract.tools[tool].inputSchema["properties"][argument]
    return list(dict.fromkeys(at_the_edges(schema, value)))


@stimulus("tasks", exercises=("TK-ID-01",))
async def workspaces_are_named_well_and_badly(bench: TasksBench) -> None:
    """Ids on either side of the pattern and of both lengths, for a tool that makes workspaces and for others."""
    own = await bench.workspace()
    unique = bench.workspace_named().name.replace("-", "")
    for name in (*NAMES, *around(bench, "branchmind_init", "workspace", unique)):
        await Workspace(bench, name).call("branchmind_init")
    calls: list[tuple[str, dict[str, Json]]] = [
        ("tasks_context", {}),
        ("branchmind_status", {}),
        ("tasks_create", {"kind": "plan", "title": "A plan"}),
        ("branchmind_notes_commit", {"branch": own.root, "doc": "notes", "content": "an entry"}),
    ]
    for tool, arguments in calls:
        for name in (own.name, "", "a b", "-a", "x" * 129, f" {own.name}", f"{own.name}\n"):
            await Workspace(bench, name).call(tool, arguments)


@stimulus("tasks", exercises=("TK-ID-02", "TK-ERR-INVALID_INPUT"))
async def tasks_are_named_badly(bench: TasksBench) -> None:
    """Ids of no plan or task, in each argument that takes one, beside the id of a task."""
    workspace = await bench.workspace()
    task = await workspace.task(2)
    with in_parts() as part:
        for tool, arguments, argument, good in taking_items(task):
            with part():
                names = (*ITEMS, *around(bench, tool, argument, good)) if tool == "tasks_edit" else ITEMS[::2]
                await workspace.call(tool, {**arguments, argument: good})
                for name in names:
                    await workspace.call(tool, {**arguments, argument: name})
        with part():
            await workspace.call("tasks_context")
            await workspace.call("tasks_focus_get")


def taking_items(task: Task) -> list[tuple[str, dict[str, Json], str, str]]:
    """Calls that name a plan or task, without it: the argument that names it, and a good id."""
    calls: list[tuple[str, dict[str, Json], str, str]] = [
        ("tasks_edit", {"title": "named"}, "task", task.id),
        ("tasks_create", {"kind": "task", "title": "named"}, "parent", task.plan),
        ("tasks_focus_set", {}, "task", task.id),
        ("tasks_radar", {}, "task", task.id),
        ("tasks_note", {"path": "s:0", "note": "named"}, "task", task.id),
        ("tasks_decompose", {"steps": [step("named")]}, "task", task.id),
        ("branchmind_show", {}, "target", task.id),
        ("branchmind_export", {}, "target", task.id),
        ("branchmind_notes_commit", {"content": "named"}, "target", task.id),
        ("branchmind_graph_query", {}, "target", task.id),
    ]
    if task.workspace.bench.offers("tasks_edit", "expected_target_id"):
        calls.append(("tasks_edit", {"task": task.id, "title": "expected"}, "expected_target_id", task.id))
    if task.workspace.bench.offers("tasks_patch"):
        calls.append(("tasks_patch", {"description": "named"}, "task", task.id))
    return calls


@stimulus("tasks", exercises=("TK-ID-03", "TK-ERR-INVALID_INPUT"))
async def steps_are_named_badly(bench: TasksBench) -> None:
    """Ids of no step, in each tool that takes one, beside the id of a step."""
    task = await (await bench.workspace()).task(2)
    with in_parts() as part:
        for tool, arguments in taking_steps(task):
            with part():
                await task.call(tool, **arguments, step_id=task.step(0))
                more = around(bench, tool, "step_id", task.step(0)) if tool == "tasks_note" else ()
                for name in (*STEPS, *more):
                    await task.call(tool, **arguments, step_id=name)
        with part():
            await task.workspace.call("tasks_context")


def taking_steps(task: Task) -> list[tuple[str, dict[str, Json]]]:
    """Calls that name a step, without it."""
    calls: list[tuple[str, dict[str, Json]]] = [
        ("tasks_note", {"note": "named"}),
        ("tasks_define", {"title": "named"}),
        ("tasks_verify", {"checkpoints": confirmed()}),
        ("tasks_done", {}),
    ]
    if task.workspace.bench.offers("tasks_patch"):
        calls.append(("tasks_patch", {"blockers": ["named"]}))
    return calls


@stimulus("tasks", exercises=("TK-ID-04", "TK-ERR-INVALID_INPUT"))
async def steps_are_addressed_by_path(bench: TasksBench) -> None:
    """Steps on three levels, addressed by their paths, then by what is no path though a step is near."""
    workspace = await bench.workspace()
    task = await workspace.task(4)
    with in_parts() as part:
        with part():
            await task.call("tasks_decompose", parent="s:0", steps=[step("below first")])
            await task.call("tasks_decompose", parent="s:1", steps=[step("below"), step("below too")])
            await task.call("tasks_decompose", parent="s:1.s:1", steps=[step("far below")])
            await workspace.call("tasks_context")
        with part():
            for path in ("s:0", "s:2", "s:1", "s:1.s:1", "s:1.s:0", "s:1.s:1.s:0", "s:0.s:0", "s:3"):
                await task.call("tasks_note", path=path, note=f"at {path}")
                await task.call("tasks_define", path=path, title=f"titled at {path}")
                await workspace.call("tasks_context")
        with part():
            # below these is nothing, though a step stands where such a number leads from the top
            for path in ("s:2.s:1", "s:3.s:0", "s:1.s:0.s:2"):
                await task.call("tasks_note", path=path, note=f"lost at {path}")
            await workspace.call("tasks_context")
        with part():
            await task.verify(3)
            await task.call("tasks_done", path="s:3")
            await workspace.call("tasks_context")
        for tool, arguments in taking_steps(task)[:3]:
            with part():
                await task.call(tool, **arguments, path="s:2")
                more = around(bench, tool, "path", "s:0") if tool == "tasks_note" else ()
                for path in (*PATHS, *more):
                    await task.call(tool, **arguments, path=path)
        with part():
            for parent in ("s:1", "s:x", "1", "s:0.t:0"):
                await task.call("tasks_decompose", parent=parent, steps=[step("placed")])
            await workspace.call("tasks_context")


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
    """The same calls in two workspaces, with texts of their own, long and short; then both are read."""
    both = [await bench.workspace(), await bench.workspace()]
    with in_parts() as part:
        tasks = [await workspace.task(1, title=f"A task of workspace {n}") for n, workspace in enumerate(both)]
        for number, (workspace, task) in enumerate(zip(both, tasks, strict=True)):
            with part():
                await furnish(workspace, task, number)
        for workspace, task in zip(both, tasks, strict=True):
            with part():
                await read_all(workspace, task)
        with part():
            await both[0].apply({"op": "node_delete", "id": "n"})
            await both[0].call("tasks_focus_clear")
            await tasks[0].edit("edited in one workspace alone")
        for workspace, task in zip(both, tasks, strict=True):
            with part():
                await read_all(workspace, task)
        with part():
            # an id that one workspace alone has given
            for name in await both[0].conflicts("a node of one", branch="apart", doc="apart"):
                for workspace in both:
                    await workspace.call("branchmind_graph_conflict_show", conflict_id=name)
        with part():
            await only_here(both[0], both[1], tasks[0])


async def only_here(workspace: Workspace, other: Workspace, task: Task) -> None:
    """A plan, a task and a step that one workspace alone has given an id are read and written in another one."""
    plan = await workspace.plan("A plan that one workspace alone has")
    alone = await workspace.task(1, plan=plan, title="A task that one workspace alone has")
    for name in (plan, alone.id):
        await other.call("tasks_radar", task=name)
        await other.call("branchmind_export", target=name)
        await other.call("branchmind_show", target=name, doc_kind="notes")
        await other.call("tasks_edit", task=name, title="Edited out of another workspace")
    await other.call("tasks_define", task=alone.id, step_id=alone.step(0), title="Defined out of another workspace")
    await read_all(workspace, task)
    await workspace.call("branchmind_export", target=alone.id)


@stimulus("tasks", exercises=("TK-ID-12",))
async def names_of_workspaces_are_much_alike(bench: TasksBench) -> None:
    """Workspaces whose names differ in the case of letters, in signs or in what follows; each is written, then read."""
    name = bench.workspace_named().name
    names = (f"{name}-a", f"{name}-A", f"{name}.a", f"{name}_a", f"{name}/a", f"{name}-a/a", f"{name}-a/", f"{name}-a.")
    alike = [await bench.workspace(each) for each in names if len(each) <= LONGEST_NAME]
    for number, workspace in enumerate(alike):
        await workspace.plan(f"A plan of workspace {number} alone")
        await workspace.note(f"An entry of workspace {number} alone")
    for workspace in alike:
        await workspace.call("tasks_context")
        await workspace.show()


@stimulus("tasks", exercises=("TK-SRV-01", "TK-SRV-02"), sweep=True)
async def names_within_a_workspace_are_much_alike(bench: TasksBench) -> None:
    """Branches, documents, nodes and cards whose names differ in case, or after many letters: each has its own.

    The form of Unicode and white space are left out: names of branches and documents have neither, and graph
    identifiers are canonicalised.
    """
    workspace = await bench.workspace()
    with in_parts() as part:
        for base in ("Side-a", f"Side-{'long-' * 20}a"):
            alike = (base, *(name for name in near(base) if name == name.strip()))
            for kind in (_documents, _nodes, _cards, _branches):
                with part():
                    await kind(workspace, alike)


async def _documents(workspace: Workspace, alike: Sequence[str]) -> None:
    for number, name in enumerate(alike):
        await workspace.note(f"An entry of document {number} alone", doc=name)
    for name in alike:
        await workspace.show(doc=name)


async def _nodes(workspace: Workspace, alike: Sequence[str]) -> None:
    for number, name in enumerate(alike):
        await workspace.apply(node(name, f"The title of node {number} alone"))
    for name in alike:
        await workspace.query(ids=[name])


async def _cards(workspace: Workspace, alike: Sequence[str]) -> None:
    for number, name in enumerate(alike):
        await workspace.think({"id": f"card-{name}", "type": "note", "title": f"Card {number} alone"}, doc="cards")
    await workspace.call("branchmind_think_context", branch=workspace.root, graph_doc="cards")


async def _branches(workspace: Workspace, alike: Sequence[str]) -> None:
    for number, name in enumerate(alike):
        made = await workspace.call("branchmind_branch_create", {"name": name, "from": workspace.root})
        if made.accepted:
            await workspace.note(f"An entry of branch {number} alone", branch=name, doc="own")
    for name in alike:
        await workspace.show(branch=name, doc="own")


async def furnish(workspace: Workspace, task: Task, number: int) -> None:
    """Something of every kind, each text with the number of its workspace."""
    await task.note(f"a note for workspace {number}")
    await task.edit(f"t{number}", description=f"d{number}")
    await task.define(title=f"s{number}", blockers=[f"b{number}"])
    await workspace.note(f"an entry of workspace {number}")
    await workspace.note(f"e{number}")
    await workspace.apply(node("n", f"a node of workspace {number}"), node(f"only-{number}", f"n{number}"))
    await workspace.think({"id": "card", "type": "note", "title": f"c{number}", "text": f"x{number}"}, doc="cards")
    await workspace.branch(f"branch-{number}")
    await workspace.call("tasks_focus_set", task=task.id if number else task.plan)
    await workspace.conflicts("clash", branch="side", doc="disputed")


async def read_all(workspace: Workspace, task: Task) -> None:
    """Every read of what was written."""
    await workspace.call("tasks_context")
    await workspace.call("tasks_delta")
    await workspace.call("tasks_radar", task=task.id)
    await workspace.call("tasks_focus_get")
    await workspace.call("branchmind_export", target=task.id)
    await workspace.call("branchmind_branch_list")
    await workspace.show()
    await workspace.query()
    await workspace.call("branchmind_think_context", branch=workspace.root, graph_doc="cards")
    await workspace.call("branchmind_graph_conflicts", into=workspace.root, doc="disputed")
