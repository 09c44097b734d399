"""The server is killed and started again on its store."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

from conformance.contracts.tasks.bench import Task, TasksBench, Workspace, cut, edge, gone, node
from conformance.contracts.tasks.looking import look_around
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json
from conformance.model.exchange import Exchange

IN_FLIGHT = 6


@stimulus("tasks", exercises=("TK-SRV-04",), kept=True)
async def the_server_is_killed_while_it_writes(bench: TasksBench) -> None:
    """Notes and plans are in flight in a workspace; another one was furnished before, and is used as before."""
    workspace, busy = await bench.workspace(), await bench.workspace()
    task, conflicts = await _furnished(workspace)
    await bench.together(*(_flying(busy, number, "with nothing in the way") for number in range(IN_FLIGHT)))
    await _pointed(busy)
    for place in (busy, workspace):
        await _looked(place)
    small = await bench.workspace(f"{workspace.name}/in.a/folder")
    await small.note("all that there is here")
    again = await bench.killed(*(_flying(busy, number) for number in range(IN_FLIGHT)))
    busy, task = busy.at(again), _at(task, again)
    await look_around(task.workspace, task.id, task.plan, conflicts=tuple(conflicts))
    await _looked_at_branches(task.workspace)
    await small.at(again).show()
    await busy.call("tasks_focus_get")
    await task.decompose("after the end")
    await _looked(busy)
    await _used(task)
    await task.workspace.plan("After the end")
    await busy.note("after the end")
    await busy.plan("After the end")
    await _looked(busy)
    await _looked(task.workspace)
    await _merged_again(task.workspace)
    await task.workspace.call("branchmind_graph_conflict_resolve", conflict_id=conflicts[0], resolution="use_from")
    await task.workspace.query()


@stimulus("tasks", exercises=("TK-SRV-04",), kept=True)
async def the_server_is_killed_as_soon_as_it_has_answered(bench: TasksBench) -> None:
    """After a task was edited, a node changed, a plan made: each is the last before its end."""
    workspace = await bench.workspace()
    task, conflicts = await _furnished(workspace)
    writes: tuple[Callable[[Task], Awaitable[object]], ...] = (
        lambda there: there.edit("The last before the end"),
        lambda there: there.workspace.apply(node("n2", "the last before the end")),
        lambda there: there.workspace.plan("The last before the end"),
    )
    for write in writes:
        await write(task)
        task = _at(task, await task.workspace.bench.killed())
        await look_around(task.workspace, task.id, task.plan, conflicts=tuple(conflicts))
        await _used(task)
        await _looked(task.workspace)


async def _furnished(workspace: Workspace) -> tuple[Task, list[str]]:
    """A task, and the ids of conflicts, in a workspace with something of every kind that was looked at."""
    task = await workspace.task(4)
    await task.note("Mind the umlauts: äöü.")
    await _half_done(task)
    await workspace.call("tasks_focus_set", task=task.id)
    conflicts = await workspace.conflicts("n1")
    full: dict[str, Json] = {"text": "in words", "status": "open", "tags": ["core"], "meta": {"n": [1]}}
    await workspace.apply(
        node("n2", "second", **full),
        edge("n1", "needs", "n2", meta={"why": "it does"}),
        node("n4"),
        edge("n2", "needs", "n4"),
    )
    await workspace.apply(gone("n4"), edge("n2", "needs", "n1"))
    await workspace.apply(cut("n2", "needs", "n1"))
    await workspace.note("first note", title="A title", format="markdown", meta={"n": [1]})
    await workspace.call("branchmind_notes_commit", target=task.id, content="a note on the task")
    await workspace.think({"id": "thought", "type": "note", "title": "A thought", "text": "in words"}, doc="cards")
    await _branched(workspace)
    resolved = await workspace.conflicts("n3", branch="settled", doc="settled")
    for conflict in resolved:
        await workspace.call("branchmind_graph_conflict_resolve", conflict_id=conflict, resolution="use_from")
    await workspace.call("branchmind_checkout", ref="leaf")
    await _used(task)
    await look_around(workspace, task.id, task.plan, conflicts=(*conflicts, *resolved))
    await _looked_at_branches(workspace)
    for _ in range(2):
        await _merged_again(workspace)
    return task, [*conflicts, *resolved]


async def _half_done(task: Task) -> None:
    """Steps that are closed, confirmed in part, and below another; fields that were emptied."""
    await task.decompose("below", parent="s:1")
    await task.verify(3)
    await task.done(3)
    await task.verify(2, tests=None)
    await task.edit("A title", description="to be emptied")
    await task.call("tasks_edit", description=None)
    data: dict[str, Json] = {"due": "May"}
    await task.workspace.call("tasks_edit", task=task.plan, contract="to be emptied", contract_data=data)
    await task.workspace.call("tasks_edit", task=task.plan, contract=None)
    other = await task.workspace.plan("A plan with all of its fields", contract="in words", contract_data=data)
    described = await task.workspace.task(0, plan=other)
    await described.edit("A task with all of its fields", description="in words")


async def _branched(workspace: Workspace) -> None:
    """A branch of a branch; both bases are written to afterwards."""
    await workspace.branch("twig")
    await workspace.note("of the twig", branch="twig")
    await workspace.branch("leaf", of="twig")
    await workspace.note("of the leaf", branch="leaf")
    await workspace.note("of the twig, later", branch="twig")
    await workspace.note("of the first branch, later")
    await workspace.branch("bare")
    await workspace.branch("brought")
    await workspace.note("of a branch that is merged", branch="brought", meta={"n": 1})
    await workspace.merge(source="brought")


async def _merged_again(workspace: Workspace) -> None:
    """The merge that met a conflict, and the conflicts that there are."""
    await workspace.merge(doc="graph", graph=True)
    await workspace.call("branchmind_graph_conflicts", into=workspace.root, doc="graph")


async def _pointed(workspace: Workspace) -> None:
    """Something was in focus, and is no more."""
    await workspace.call("tasks_focus_set", task=await workspace.plan("In focus for a while"))
    await workspace.call("tasks_focus_clear")
    await workspace.call("tasks_focus_get")


async def _looked_at_branches(workspace: Workspace) -> None:
    """What each branch holds, and what is checked out."""
    for branch in ("twig", "leaf"):
        await workspace.show(branch=branch)
        await workspace.query(branch=branch)
    await workspace.query(doc="settled")
    for status in ("open", "resolved"):
        await workspace.call("branchmind_graph_conflicts", into=workspace.root, doc="settled", status=status)
    await workspace.call("branchmind_show")


async def _used(task: Task) -> None:
    """A write that expects the revision before the current one, and one that expects the current one."""
    revision = await task.workspace.revision(("task", task.id))
    await task.define(blockers=[f"waits at {revision}"])
    await task.workspace.call("tasks_radar", task=task.id)
    await task.define(blockers=["waits for nobody"], expected_revision=revision)
    await task.define(blockers=["waits for a review"], expected_revision=revision + 1)
    await task.workspace.call("tasks_context")


async def _looked(workspace: Workspace) -> None:
    await workspace.show()
    await workspace.call("tasks_context")
    told = await workspace.call("tasks_delta")
    events = told.given.get("events")
    names = [each.get("event_id") for each in events if isinstance(each, dict)] if isinstance(events, list) else []
    if names and isinstance(names[0], str):
        await workspace.call("tasks_delta", since=names[0])


async def _flying(workspace: Workspace, number: int, what: str = "as the server is killed") -> Exchange:
    """One of those in flight: a note, or a plan."""
    if number % 2:
        return await workspace.call("tasks_create", kind="plan", title=f"{number} {what}")
    return await workspace.note(f"{number} {what}")


def _at(task: Task, bench: TasksBench) -> Task:
    return replace(task, workspace=task.workspace.at(bench))
