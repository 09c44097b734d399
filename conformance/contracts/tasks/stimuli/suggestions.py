"""Suggestions: refusals of every kind, and what they suggest, executed as it is."""

from collections.abc import Mapping

from conformance.contracts.tasks.bench import TasksBench, Workspace, node
from conformance.contracts.tasks.entities import entities
from conformance.contracts.tasks.guards import compared
from conformance.contracts.tasks.stimuli.following import follow
from conformance.drive.bench import taken
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json

SUGGESTIONS = ("TK-SUG-01", "TK-SUG-02", "TK-SUG-03", "TK-SUG-04", "TK-SUG-05")
FAR = 987_654
"""A revision that no entity comes to."""


@stimulus("tasks", exercises=SUGGESTIONS)
async def refusals_about_tasks_are_followed(bench: TasksBench) -> None:
    """A step closed too early, a step and a task that are not there, a step that is not named, a target not meant."""
    workspace = await bench.workspace()
    task = await workspace.task()
    await follow(workspace, await task.done())
    await follow(workspace, await task.call("tasks_note", step_id="STEP-ZZZZ9999", note="lost"))
    await follow(workspace, await workspace.call("tasks_edit", task="TASK-987654", title="lost"))
    await follow(workspace, await task.call("tasks_done"))
    await follow(workspace, await task.edit("lost", expected_target_id=task.plan))
    await follow(workspace, await workspace.call("tasks_radar", task="TASK-987654"))


@stimulus("tasks", exercises=SUGGESTIONS)
async def refusals_about_branches_and_graphs_are_followed(bench: TasksBench) -> None:
    """A branch that exists, one that does not, a name that is none, a node that is not there, a conflict closed."""
    workspace = await bench.workspace()
    (conflict,) = (await workspace.conflicts("a"))[:1]
    again = {"name": "side", "from": workspace.root}
    await follow(workspace, await workspace.call("branchmind_branch_create", again))
    await follow(workspace, await workspace.call("branchmind_checkout", ref="nowhere"))
    await follow(workspace, await workspace.call("branchmind_branch_create", name="no good"))
    await follow(workspace, await workspace.apply({"op": "node_delete", "id": "missing"}))
    await workspace.call("branchmind_graph_conflict_resolve", conflict_id=conflict, resolution="use_into")
    resolve = {"conflict_id": conflict, "resolution": "use_into"}
    await workspace.call("branchmind_graph_conflict_resolve", resolve)
    await follow(workspace, await workspace.call("branchmind_graph_conflict_resolve", resolve))
    await follow(workspace, await workspace.show(max_chars=1))


@stimulus("tasks", exercises=SUGGESTIONS)
async def a_workspace_that_is_not_there_is_made(bench: TasksBench) -> None:
    """What an unknown workspace suggests is done, then the call is made again."""
    await bench.workspace()
    workspace = bench.workspace_named()
    await follow(workspace, await workspace.call("tasks_context"))
    await workspace.call("tasks_context")


@stimulus("tasks", exercises=("TK-SUG-06", "TK-ERR-REVISION_MISMATCH"))
async def mismatches_are_recovered_from(bench: TasksBench) -> None:
    """Writes expect a far revision, read what is suggested, and are made again with the revision that it shows."""
    workspace = await bench.workspace()
    task = await workspace.task(1)
    await workspace.note("first")
    (conflict,) = (await workspace.conflicts("a"))[:1]
    place: dict[str, Json] = {"branch": workspace.root}
    await _recover(workspace, "tasks_edit", {"task": task.id, "title": "another title"})
    await _recover(workspace, "tasks_note", {"task": task.id, "step_id": task.step(0), "note": "noted"})
    await _recover(workspace, "tasks_edit", {"task": task.plan, "title": "another plan"})
    await _recover(workspace, "branchmind_notes_commit", {**place, "doc": "notes", "content": "second"})
    await _recover(workspace, "branchmind_graph_apply", {**place, "doc": "graph", "ops": [node("b")]})
    await _recover(workspace, "tasks_focus_set", {"task": task.id})
    resolve = {"conflict_id": conflict, "resolution": "use_from"}
    await _recover(workspace, "branchmind_graph_conflict_resolve", resolve)


async def _recover(workspace: Workspace, tool: str, arguments: Mapping[str, Json]) -> None:
    """Expects a far revision, follows the suggestions, and expects what they show of the entity."""
    missed = await workspace.call(tool, arguments, expected_revision=FAR)
    for read in await follow(workspace, missed):
        for seen in entities(read):
            if seen.key == compared(missed) and isinstance(seen.revision, int):
                await workspace.call(tool, arguments, expected_revision=seen.revision)
                return


@stimulus("tasks", fresh=True, exercises=(*SUGGESTIONS, "TK-ERR-NOT_INITIALIZED"))
async def a_store_is_used_before_it_is_initialised(bench: TasksBench) -> None:
    """A read and a write on a store that nobody has initialised; then what is suggested is done."""
    workspace = bench.workspace_named()
    await workspace.call("tasks_create", kind="plan", title="Too early")
    refused = await workspace.call("tasks_context")
    await follow(workspace, refused)
    taken(await workspace.call("branchmind_init"), "workspace")
