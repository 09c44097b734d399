"""Optimistic concurrency: writes that expect the current revision, and writes that expect another."""

from collections.abc import Mapping
from dataclasses import dataclass

from conformance.contracts.tasks.bench import Task, TasksBench, Workspace, at, node
from conformance.drive.bench import taken
from conformance.drive.errors import StuckError
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json
from conformance.model.exchange import Exchange

GUARD = "expected_revision"
ALIAS = "expected_version"
AT_ONCE = 4
FAR = 1000
"""A revision that no entity here comes to."""


@dataclass(frozen=True)
class Write:
    """A write that takes an expectation."""

    tool: str
    arguments: Mapping[str, Json]

    async def expecting(self, workspace: Workspace, name: str, revision: Json) -> Exchange:
        """Makes the write, expecting a revision under one of the argument's two names."""
        return await workspace.call(self.tool, {**self.arguments, name: revision})

    async def at_current(self, workspace: Workspace, name: str, revision: int) -> int:
        """Makes the write at the current revision, without an expectation where that is refused; gives the new one."""
        made = await self.expecting(workspace, name, revision)
        if not made.accepted:
            made = await workspace.call(self.tool, self.arguments)
        guard = workspace.bench.contract.tools[self.tool].writes
        return number(at(made, guard.guard.revision if guard is not None and guard.guard is not None else ""))


def number(value: Json) -> int:
    """A revision; StuckError where it is none."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    message = f"a revision is {value!r}"
    raise StuckError(message)


def on_item(task: Task, word: str, *, closing: int = 0) -> list[Write]:
    """Every write on a task, in an order in which each has something to do. `word` tells them from others.

    `closing` is the place of the step that the last of them closes.
    """
    first: dict[str, Json] = {"task": task.id, "step_id": task.step(0)}
    confirmed = {"criteria": {"confirmed": True}, "tests": {"confirmed": True}}
    steps = [{"title": f"{word} step", "success_criteria": ["it is there"]}]
    return [
        Write("tasks_edit", {"task": task.id, "title": f"{word} title"}),
        Write("tasks_decompose", {"task": task.id, "steps": steps}),
        Write("tasks_define", {**first, "blockers": [f"{word} blocker"]}),
        Write("tasks_note", {**first, "note": f"{word} note"}),
        Write("tasks_patch", {"task": task.id, "description": f"{word} description"}),
        Write("tasks_verify", {**first, "checkpoints": confirmed}),
        Write("tasks_done", {"task": task.id, "step_id": task.step(closing)}),
    ]


def on_documents(root: str, word: str) -> list[Write]:
    """Writes on documents of the first branch."""
    card = {"id": f"card-{word}", "type": "note", "title": f"{word} thought"}
    return [
        Write("branchmind_notes_commit", {"branch": root, "doc": "notes", "content": f"{word} note"}),
        Write("branchmind_graph_apply", {"branch": root, "doc": "graph", "ops": [node("n", f"{word} title")]}),
        Write("branchmind_think_card", {"branch": root, "trace_doc": "trace", "graph_doc": "graph", "card": card}),
    ]


def merges(root: str, branch: str) -> list[Write]:
    """Merges of both parts of a document into the first branch."""
    return [
        Write("branchmind_merge", {"from": branch, "into": root, "doc": "notes"}),
        Write("branchmind_graph_merge", {"from": branch, "into": root, "doc": "graph"}),
    ]


async def ahead(workspace: Workspace, branch: str) -> None:
    """Makes a branch that has a note and a node which the first branch has not."""
    await workspace.branch(branch)
    await workspace.note(f"a note on {branch}", branch=branch)
    await workspace.apply(node(f"only-on-{branch}"), branch=branch)


async def look_at_documents(workspace: Workspace) -> list[Exchange]:
    """Shows the three documents, and what the branches hold."""
    notes, trace = await workspace.show(), await workspace.show(doc="trace")
    graph = await workspace.query()
    await workspace.call("branchmind_branch_list")
    return [notes, graph, trace]


async def look_at_items(workspace: Workspace, task: Task) -> int:
    """Shows the task, the plan and the event log; gives the task's revision."""
    await workspace.call("tasks_context")
    await workspace.call("tasks_delta")
    await workspace.call("branchmind_export", target=task.id)
    return number(at(await workspace.call("tasks_radar", task=task.id), "/target/revision"))


@stimulus("tasks", exercises=("TK-REV-01", "TK-REV-02", "TK-REV-06"))
async def write_a_task_at_its_revision(bench: TasksBench) -> None:
    """Each write on a task, expecting the revision that the answer before it showed, under either name."""
    for name in (GUARD, ALIAS):
        workspace = await bench.workspace()
        task = await workspace.task(1)
        revision = await look_at_items(workspace, task)
        for write in on_item(task, name):
            revision = await write.at_current(workspace, name, revision)


@stimulus("tasks", exercises=("TK-REV-03", "TK-REV-04", "TK-REV-05", "TK-REV-06"))
async def write_a_task_at_another_revision(bench: TasksBench) -> None:
    """Each write on a task and on its plan, expecting a revision long past or far ahead, under either name."""
    workspace = await bench.workspace()
    task = await workspace.task(2)
    # nothing but the revision keeps this step from being closed
    await task.verify(1)
    revision = await look_at_items(workspace, task)
    for name, wrong in ((GUARD, revision + FAR), (GUARD, revision - 1), (ALIAS, revision + 1)):
        for write in on_item(task, f"{name} {wrong}", closing=1):
            await write.expecting(workspace, name, max(wrong, 0))
    for name in (GUARD, ALIAS):
        await Write("tasks_edit", {"task": task.plan, "title": f"Plan by {name}"}).expecting(workspace, name, FAR)
    await look_at_items(workspace, task)


@stimulus("tasks", exercises=("TK-REV-01", "TK-REV-02", "TK-REV-06"))
async def write_documents_at_their_revision(bench: TasksBench) -> None:
    """Each write on a document, expecting the revision that was shown before it, under either name."""
    workspace = await bench.workspace()
    for place, _ in enumerate(on_documents(workspace.root, "")):
        await on_documents(workspace.root, "first")[place].at_current(workspace, GUARD, 0)
        shown = (await look_at_documents(workspace))[place]
        revision = number(at(shown, "/revision"))
        for name in (GUARD, ALIAS):
            revision = await on_documents(workspace.root, name)[place].at_current(workspace, name, revision)
    for name, branch in ((GUARD, "side"), (ALIAS, "wing")):
        await ahead(workspace, branch)
        for place, write in enumerate(merges(workspace.root, branch)):
            revision = number(at((await look_at_documents(workspace))[place], "/revision"))
            await write.at_current(workspace, name, revision)


@stimulus("tasks", exercises=("TK-REV-03", "TK-REV-04", "TK-REV-05", "TK-REV-06"))
async def write_documents_at_another_revision(bench: TasksBench) -> None:
    """Each write on a document, expecting a revision far ahead or one too many, under either name."""
    workspace = await bench.workspace()
    await workspace.note("a note")
    await ahead(workspace, "side")
    for write in (on_documents(workspace.root, "first"))[1:]:
        await workspace.call(write.tool, write.arguments)
    shown = await look_at_documents(workspace)
    revisions = [number(at(each, "/revision")) for each in shown]
    for name, beyond in ((GUARD, FAR), (ALIAS, 1)):
        own = on_documents(workspace.root, name)
        for write, revision in zip(own, revisions, strict=True):
            await write.expecting(workspace, name, revision + beyond)
        for write, revision in zip(merges(workspace.root, "side"), revisions, strict=False):
            await write.expecting(workspace, name, revision + beyond)
    await look_at_documents(workspace)


@stimulus("tasks", exercises=("TK-REV-01", "TK-REV-02", "TK-REV-03", "TK-REV-04", "TK-REV-05", "TK-REV-06"))
async def settle_conflicts_and_move_the_focus(bench: TasksBench) -> None:
    """A conflict and the focus, written at another revision and at their own, under either name."""
    workspace = await bench.workspace()
    task = await workspace.task(0)
    conflicts = await workspace.conflicts("n1", "n2")
    for name, conflict in zip((GUARD, ALIAS), conflicts, strict=False):
        settle = Write("branchmind_graph_conflict_resolve", {"conflict_id": conflict, "resolution": "use_from"})
        await workspace.query()
        shown = await workspace.call("branchmind_graph_conflict_show", conflict_id=conflict)
        revision = number(at(shown, "/conflict/revision"))
        await settle.expecting(workspace, name, revision + 1)
        await workspace.query()
        await workspace.call("branchmind_graph_conflict_show", conflict_id=conflict)
        await settle.at_current(workspace, name, revision)
    point = {wanted: Write("tasks_focus_set", {"task": wanted}) for wanted in (task.id, task.plan)}
    clear = Write("tasks_focus_clear", {})
    for name, wanted in ((GUARD, task.id), (ALIAS, task.plan)):
        revision = number(taken(await workspace.call("tasks_focus_get"), "revision"))
        await point[wanted].expecting(workspace, name, revision + 1)
        await workspace.call("tasks_focus_get")
        revision = await point[wanted].at_current(workspace, name, revision)
        await clear.expecting(workspace, name, revision + FAR)
        await clear.at_current(workspace, name, revision)


@stimulus("tasks", exercises=("TK-REV-07",))
async def many_writers_at_one_revision(bench: TasksBench) -> None:
    """Several writers at once, over several connections, each expecting the revision that all have read."""
    workspace = await bench.workspace()
    task = await workspace.task(0)
    await workspace.apply(node("n", "a node"))
    lanes = [workspace.at(await bench.lane()) for _ in range(AT_ONCE)]
    revision = number(at(await workspace.call("tasks_radar", task=task.id), "/target/revision"))
    titles = [Write("tasks_edit", {"task": task.id, "title": f"title of writer {number}"}) for number in range(AT_ONCE)]
    await bench.together(
        *(write.expecting(lane, GUARD, revision) for write, lane in zip(titles, lanes, strict=True)),
    )
    await workspace.call("tasks_context")
    revision = number(at(await workspace.query(), "/revision"))
    graphs = [on_documents(workspace.root, f"writer {number}")[1] for number in range(AT_ONCE)]
    await bench.together(
        *(write.expecting(lane, GUARD, revision) for write, lane in zip(graphs, lanes, strict=True)),
    )
    await workspace.query()
