"""Optimistic concurrency: several writers at once, each expecting the revision that all have read."""

from collections.abc import Sequence

from conformance.contracts.tasks.bench import Task, TasksBench, Workspace, node
from conformance.contracts.tasks.guarded import (
    ALIAS,
    GUARD,
    Write,
    closing,
    merges,
    on_documents,
    on_items,
    pointing,
    settling,
)
from conformance.drive.parts import in_parts
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json

AT_ONCE = 4
LOOKS = 2
FAR = 1000
"""By how much a revision is off."""
MOST = 5
"""Rounds of one race, where its calls were not seen to be under way together."""
Lanes = Sequence[Workspace]


async def race(workspace: Workspace, lanes: Lanes, *kinds: Write, name: str = GUARD) -> None:
    """One write at once over each lane, all expecting the current revision; then it is read. Kinds take turns.

    Until the writes were seen to be under way together, as far as they can be made again.
    """
    writes = [kinds[number % len(kinds)] for number in range(len(lanes))]
    if name == ALIAS:
        # whether the alias is looked at is seen alone: else what it does in a race is no race's matter
        revision = await workspace.revision(writes[0].key)
        await writes[0].expecting(workspace, "a writer too early", **{name: revision + FAR})
    most = 1 if any(kind.once for kind in kinds) else MOST
    for again in workspace.bench.rounds(1, most):
        revision = await workspace.revision(writes[0].key)
        calls = [
            write.expecting(
                lane, f"writer {number}{' by its alias' * (name == ALIAS)}{' once more' * again}", **{name: revision}
            )
            for number, (write, lane) in enumerate(zip(writes, lanes, strict=True))
        ]
        await workspace.bench.together(*calls)
        await workspace.revision(writes[0].key)


@stimulus("tasks", exercises=("TK-REV-07",))
async def many_write_to_a_task_at_once(bench: TasksBench) -> None:
    """Writes of each kind to a task, over several connections at once."""
    workspace = await bench.workspace()
    lanes = [await workspace.elsewhere() for _ in range(AT_ONCE)]
    task = await prepared(workspace)
    with in_parts() as part:
        for write in on_items(task):
            if not write.once and write.tool != "tasks_verify":
                with part():
                    await race(workspace, lanes, write)
                    if write.tool == "tasks_edit":
                        await race(workspace, lanes, write, name=ALIAS)
        await workspace.call("tasks_context")


@stimulus("tasks", exercises=("TK-REV-07",))
async def a_step_is_closed_by_many_at_once(bench: TasksBench) -> None:
    """A step that is ready to be closed, over several connections at once; then another one, until they overlap."""
    workspace = await bench.workspace()
    lanes = [await workspace.elsewhere() for _ in range(AT_ONCE)]
    task = await workspace.task(MOST)
    for number in range(MOST):
        await task.verify(number)
    for number in workspace.bench.rounds(1, MOST):
        await race(workspace, lanes, closing(task, number))
    await workspace.call("tasks_context")


async def prepared(workspace: Workspace) -> Task:
    """A task with steps on two levels."""
    task = await workspace.task(3)
    await task.decompose("below", parent="s:1")
    return task


@stimulus("tasks", exercises=("TK-REV-07",))
async def many_write_to_documents_at_once(bench: TasksBench) -> None:
    """Notes, graphs, cards, merges, a conflict and the focus, over several connections at once."""
    workspace = await bench.workspace()
    lanes = [await workspace.elsewhere() for _ in range(AT_ONCE)]
    task = await workspace.task(0)
    await workspace.apply(node("n", "a node"))
    with in_parts() as part:
        for write in on_documents(workspace):
            with part():
                for name in (GUARD, ALIAS):
                    await race(workspace, lanes, write, name=name)
        with part():
            await race_to_one_branch(workspace, lanes)
        with part():
            await workspace.branch("side")
            await workspace.note("a note on the side", branch="side")
            await workspace.apply(node("only-on-side"), branch="side")
            for write in merges(workspace, "side"):
                await race(workspace, lanes, write)
        with part():
            (conflict, *_) = await workspace.conflicts("a", branch="rival", doc="disputed")
            await race(workspace, lanes, settling(conflict, "use_from"), settling(conflict, "use_into"))
        with part():
            await race(workspace, lanes, pointing(task.id), pointing(task.plan))
        await workspace.show()
        await workspace.query()


async def race_to_one_branch(workspace: Workspace, lanes: Lanes) -> None:
    """Merges at once of as many branches as there are lanes, each of which has something of its own."""
    branches = [f"wing-{number}" for number in range(len(lanes))]
    for branch in branches:
        await workspace.branch(branch)
        await workspace.note(f"a note on {branch}", branch=branch)
        await workspace.apply(node(f"only-on-{branch}"), branch=branch)
    for writes in zip(*(merges(workspace, branch) for branch in branches), strict=True):
        await race(workspace, lanes, *writes)


@stimulus("tasks", exercises=("TK-REV-01", "TK-REV-03"))
async def many_write_without_expecting_anything(bench: TasksBench) -> None:
    """Writes to one task and to one document at once, none or one of which expects a revision, read meanwhile."""
    workspace = await bench.workspace()
    lanes = [await workspace.elsewhere() for _ in range(AT_ONCE)]
    task = await prepared(workspace)
    named = {"task": task.id, "step_id": task.step(0)}
    notes = {"branch": workspace.root, "doc": "notes"}
    await workspace.note("the first")
    titles = Write("tasks_edit", ("task", task.id), lambda word: {"task": task.id, "title": f"{word} title"})
    noting = Write("tasks_note", ("task", task.id), lambda word: {**named, "note": f"{word} note"})
    document = ("document", workspace.root, "notes")
    adding = Write("branchmind_notes_commit", document, lambda word: {**notes, "content": word})
    with in_parts() as part:
        for number, write in enumerate((titles, noting, adding)):
            for guarded in (False, True):
                with part():
                    await crowd(workspace, lanes, write, f"round {number}", guarded=guarded)


async def crowd(workspace: Workspace, lanes: Lanes, write: Write, word: str, *, guarded: bool) -> None:
    """One write at once over each lane, the last of which may expect the current revision; looked at meanwhile."""
    about = "one of them guarded" if guarded else "none of them guarded"
    for again in workspace.bench.rounds(1, MOST):
        revision = await workspace.revision(write.key)
        guards: list[dict[str, Json]] = [{}] * (len(lanes) - 1) + [{GUARD: revision} if guarded else {}]
        calls = [
            write.expecting(lane, f"{word}, {about}, writer {number}{' once more' * again}", **guard)
            for number, (lane, guard) in enumerate(zip(lanes, guards, strict=True))
        ]
        await workspace.bench.together(*calls, *(lane.look(write.key) for lane in lanes[:LOOKS]))
        await workspace.revision(write.key)
