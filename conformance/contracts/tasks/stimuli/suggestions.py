"""Suggestions: refusals of every kind, and what they suggest, executed as it is."""

from conformance.contracts.tasks.bench import TasksBench, Workspace, gone, node
from conformance.contracts.tasks.entities import entities
from conformance.contracts.tasks.guarded import GUARD, Write, merges, on_documents, on_items, pointing, settling
from conformance.contracts.tasks.stimuli.following import follow
from conformance.drive.parts import in_parts
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
    with in_parts() as part:
        with part():
            await follow(workspace, await task.done())
        with part():
            await follow(workspace, await task.call("tasks_note", step_id="STEP-ZZZZ9999", note="lost"))
            await follow(workspace, await task.call("tasks_note", path="s:9", note="lost"))
            await follow(workspace, await workspace.call("tasks_edit", task="TASK-987654", title="lost"))
            await follow(workspace, await task.call("tasks_done"))
            await follow(workspace, await workspace.call("tasks_radar", task="TASK-987654"))
            await follow(workspace, await workspace.call("tasks_create", kind="task", title="lost"))
        if bench.offers("tasks_edit", "expected_target_id"):
            with part():
                await follow(workspace, await task.edit("lost", expected_target_id=task.plan))
        if bench.offers("tasks_edit", "strict_targeting"):
            with part():
                await workspace.call("tasks_focus_set", task=task.id)
                await follow(workspace, await workspace.call("tasks_edit", title="lost", strict_targeting=True))
        with part():
            await task.verify(1, tests=None)
            await follow(workspace, await task.call("tasks_done", path="s:1"))


@stimulus("tasks", exercises=SUGGESTIONS)
async def refusals_without_a_focus_are_followed(bench: TasksBench) -> None:
    """A step closed twice, patches of nothing and of what is not there, where nothing was ever in focus."""
    workspace = await bench.workspace()
    task = await workspace.task(1)
    with in_parts() as part:
        with part():
            await task.verify()
            await task.done()
            await follow(workspace, await task.done())
        with part():
            await follow(workspace, await workspace.call("tasks_radar"))
            await follow(workspace, await workspace.call("tasks_edit", title="of what"))
        if bench.offers("tasks_patch"):
            with part():
                await follow(workspace, await task.patch())
                await follow(workspace, await task.patch(step_id="STEP-ZZZZ9999", title="lost"))


@stimulus("tasks", exercises=SUGGESTIONS)
async def refusals_about_branches_and_graphs_are_followed(bench: TasksBench) -> None:
    """A branch that exists, one that does not, a name that is none, a node that is not there, a conflict closed."""
    workspace = await bench.workspace()
    with in_parts() as part:
        with part():
            await workspace.branch("twice")
            again = {"name": "twice", "from": workspace.root}
            await follow(workspace, await workspace.call("branchmind_branch_create", again))
        with part():
            await follow(workspace, await workspace.call("branchmind_checkout", ref="nowhere"))
            await follow(workspace, await workspace.call("branchmind_branch_create", name="no good"))
            await follow(workspace, await workspace.apply(gone("missing")))
            await follow(workspace, await workspace.call("branchmind_export", target="TASK-987654"))
            lost = {"from": "nowhere", "into": workspace.root}
            await follow(workspace, await workspace.call("branchmind_merge", lost))
        with part():
            for title in ("A first thought", "A second thought"):
                await follow(workspace, await workspace.think({"id": "card-1", "type": "note", "title": title}))
            await follow(workspace, await workspace.think({"id": "card-2"}))
        with part():
            (conflict,) = (await workspace.conflicts("a"))[:1]
            resolve = {"conflict_id": conflict, "resolution": "use_into"}
            for _ in range(2):
                await follow(workspace, await workspace.call("branchmind_graph_conflict_resolve", resolve))
        if bench.offers("branchmind_show", "max_chars"):
            with part():
                await workspace.note("an entry")
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
    """Writes of each kind expect a far revision, read what is suggested, and are made again with what it shows."""
    workspace = await bench.workspace()
    task = await workspace.task(3)
    with in_parts() as part:
        with part():
            await task.decompose("below", parent="s:1")
            await task.verify(2)
        for write in on_items(task):
            with part():
                await recover(workspace, write)
        for write in on_documents(workspace):
            with part():
                await write.expecting(workspace, "first")
                await recover(workspace, write)
        with part():
            await workspace.branch()
            await workspace.note("on the side", branch="side")
            await workspace.apply(node("only-on-side"), branch="side")
            for write in merges(workspace, "side"):
                await recover(workspace, write)
        with part():
            (conflict,) = (await workspace.conflicts("a", branch="rival", doc="disputed"))[:1]
            await recover(workspace, settling(conflict, "use_from"))
        with part():
            await recover(workspace, pointing(task.id))


async def recover(workspace: Workspace, write: Write) -> None:
    """Expects a far revision, follows the suggestions, and expects what they show of the entity."""
    missed = await write.expecting(workspace, "guarded", **{GUARD: FAR})
    for read in await follow(workspace, missed):
        for seen in entities(read):
            if seen.key == write.key and isinstance(seen.revision, int):
                await write.expecting(workspace, "guarded", **{GUARD: seen.revision})
                return


@stimulus("tasks", fresh=True, exercises=(*SUGGESTIONS, "TK-ERR-NOT_INITIALIZED"))
async def a_store_is_used_before_it_is_initialised(bench: TasksBench) -> None:
    """Reads and a write on a store that nobody has initialised; what is suggested is done; then they are made again."""
    workspace = bench.workspace_named()
    calls: tuple[tuple[str, dict[str, Json]], ...] = (
        ("tasks_create", {"kind": "plan", "title": "Too early"}),
        ("branchmind_status", {}),
        ("tasks_context", {}),
    )
    refused = [await workspace.call(tool, arguments) for tool, arguments in calls]
    await follow(workspace, refused[-1])
    await workspace.call("branchmind_init")
    for tool, arguments in calls:
        await workspace.call(tool, arguments)
