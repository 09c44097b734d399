"""Optimistic concurrency: what revisions are carried, by what they rise, and by what they do not."""

from conformance.contracts.tasks.bench import TasksBench, Workspace, cut, edge, gone, node
from conformance.contracts.tasks.looking import compare, look_around
from conformance.drive.parts import in_parts
from conformance.drive.stimulus import stimulus


async def furnished(bench: TasksBench) -> tuple[Workspace, str, list[str]]:
    """A workspace with something of every kind, the id of a task and those of conflicts in it."""
    workspace = await bench.workspace()
    task = await workspace.task(2)
    await task.note("Mind the umlauts: äöü.")
    await workspace.call("tasks_focus_set", task=task.id)
    conflicts = await workspace.conflicts("n1")
    await workspace.apply(node("n2", "second"), edge("n1", "needs", "n2"))
    await workspace.note("first note")
    await workspace.note("note on the side", branch="side")
    await workspace.think({"id": "card-1", "type": "note", "title": "A thought"}, doc="cards")
    return workspace, task.id, conflicts


@stimulus("tasks", exercises=("TK-REV-01", "TK-REV-08", "TK-REV-09"))
async def read_everything_twice(bench: TasksBench) -> None:
    """Every tool that reads, twice over, with no write between; the second time over a connection of its own."""
    workspace, task, conflicts = await furnished(bench)
    for place in (workspace, await workspace.elsewhere()):
        await look_around(place, task, conflicts=tuple(conflicts))
        await compare(place, "side")


@stimulus("tasks", exercises=("TK-REV-01",))
async def write_without_expectation(bench: TasksBench) -> None:
    """Writes of every kind to one entity after another, none of which expects a revision; each is read after it."""
    workspace = await bench.workspace()
    task = await workspace.task(2)
    with in_parts() as part:
        with part():
            await workspace.call("tasks_edit", task=task.plan, contract="what the plan promises")
            await task.edit("Write the lexer")
            await task.decompose("one step more")
            await task.define(title="the first step, renamed")
            await task.note("a note")
            await task.note("a note")
            await workspace.call("tasks_context")
            await task.verify(1)
            await workspace.call("tasks_context")
            await task.done(1)
            await workspace.call("tasks_context")
            await task.note("a note on what is closed", 1)
            await workspace.call("tasks_context")
        if bench.offers("tasks_patch"):
            with part():
                await task.patch(step_id=task.step(0), blockers=["waits for a review"])
                await task.patch(description="what the task is about")
                await workspace.call("tasks_context")
        with part():
            for item in (task.id, task.plan):
                await workspace.call("tasks_focus_set", task=item)
                await workspace.call("tasks_focus_get")
                await workspace.call("tasks_radar")
            await workspace.call("tasks_focus_clear")
            await workspace.call("tasks_focus_get")
        with part():
            for content in ("the same note", "the same note", "another note"):
                await workspace.note(content)
                await workspace.show()
                await workspace.call("branchmind_branch_list")
        with part():
            for title in ("a node", "a node, renamed", "a node, renamed again"):
                await workspace.apply(node("n1", title), node("n2", f"beside {title}"))
                await workspace.apply(edge("n1", "needs", "n2", meta={"why": f"for {title}"}))
                await workspace.query()
                await workspace.call("branchmind_branch_list")
            # an id is the same entity's for ever: what is made again goes on from the revision that it had
            for left in (cut("n1", "needs", "n2"), gone("n1")):
                await workspace.apply(left)
            await workspace.apply(node("n1", "a node, made again"), edge("n1", "needs", "n2"))
            await workspace.query()
