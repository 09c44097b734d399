"""Optimistic concurrency: writes of every kind at the current revision and at others, under either name."""

from collections.abc import Mapping, Sequence

from conformance.contracts.tasks.bench import Task, TasksBench, Workspace, node, step
from conformance.contracts.tasks.guarded import (
    ALIAS,
    CLEARING,
    GUARD,
    Write,
    merges,
    on_documents,
    on_items,
    pointing,
    settling,
)
from conformance.contracts.tasks.looking import compare, look_around
from conformance.drive.parts import in_parts
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json

FAR = 1000
"""A revision that no entity here comes to."""
EXPECTED = (
    "TK-REV-01", "TK-REV-02", "TK-REV-03", "TK-REV-04", "TK-REV-05", "TK-REV-06", "TK-ERR-REVISION_MISMATCH",
)  # fmt: skip
WORD = "guarded"
"""Tells the writes that are refused at first and accepted later."""


def wrong(revision: int, place: int) -> list[Mapping[str, Json]]:
    """Expectations that do not hold: higher and lower, under either name, under both alike, and under both apart."""
    lower, higher = revision - 1 if revision else revision + FAR, revision + 1
    others = ({ALIAS: lower}, {ALIAS: higher}, dict.fromkeys((GUARD, ALIAS), higher))
    return [{GUARD: higher}, {GUARD: lower}, others[place % 3], {GUARD: higher, ALIAS: revision + 2}]


def right(revision: int, place: int) -> list[tuple[str, Mapping[str, Json]]]:
    """Expectations that hold, each with a word for the write that has it: the first is of those refused before."""
    both = [("by both names", dict.fromkeys((GUARD, ALIAS), revision))] if place % 3 == 0 else []
    return [(WORD, {GUARD: revision}), ("by its alias", {ALIAS: revision}), *both]


async def refused_at_first(workspace: Workspace, writes: Sequence[Write]) -> None:
    """Makes each write with each expectation that does not hold. Nothing is written, so no revision changes."""
    with in_parts() as part:
        for place, write in enumerate(writes):
            with part():
                revision = await workspace.revision(write.key)
                for expectation in wrong(revision, place):
                    await write.expecting(workspace, WORD, **expectation)


async def accepted_then(workspace: Workspace, writes: Sequence[Write]) -> None:
    """Makes each write at its current revision, told in each way; where that is refused, without an expectation."""
    with in_parts() as part:
        for place, write in enumerate(writes):
            for number in range(1 if write.once else len(right(0, place))):
                with part():
                    word, expectation = right(await workspace.revision(write.key), place)[number]
                    if not (await write.expecting(workspace, word, **expectation)).accepted:
                        await write.expecting(workspace, word)


async def prepared(workspace: Workspace) -> Task:
    """A task with steps on two levels, the third of which is ready to be closed."""
    task = await workspace.task(3)
    await task.call("tasks_decompose", parent="s:1", steps=[step("below")])
    await task.verify(2)
    return task


@stimulus("tasks", exercises=EXPECTED)
async def tasks_are_written_at_revisions(bench: TasksBench) -> None:
    """Each write to a plan, a task or a step, expecting other revisions than the current one, then that one."""
    workspace = await bench.workspace()
    task = await prepared(workspace)
    writes = on_items(task)
    await look_around(workspace, task.id, task.plan)
    with in_parts() as part:
        with part():
            await refused_at_first(workspace, writes)
        await look_around(workspace, task.id, task.plan)
        with part():
            await accepted_then(workspace, writes)
        await look_around(workspace, task.id, task.plan)


@stimulus("tasks", exercises=EXPECTED)
async def documents_are_written_at_revisions(bench: TasksBench) -> None:
    """Each write to a document, merges among them, expecting other revisions than the current one, then that one."""
    workspace = await bench.workspace()
    for name in ("side", "wing", "loft"):
        await ahead(workspace, name)
    writes = [*on_documents(workspace), *merges(workspace, "side")]
    await look_around(workspace)
    await compare(workspace, "side")
    with in_parts() as part:
        with part():
            await refused_at_first(workspace, writes)
        await look_around(workspace)
        await compare(workspace, "side")
        with part():
            await accepted_then(workspace, writes)
        for branch, (_, name) in zip(("wing", "loft"), ((0, ALIAS), (1, GUARD)), strict=True):
            with part():
                for write in merges(workspace, branch):
                    revision = await workspace.revision(write.key)
                    await write.expecting(workspace, WORD, **{name: revision + 1})
                    await write.expecting(workspace, WORD, **{name: revision})
        await look_around(workspace)


async def ahead(workspace: Workspace, branch: str) -> None:
    """Makes a branch that has a note and a node which the first branch has not."""
    await workspace.branch(branch)
    await workspace.note(f"a note on {branch}", branch=branch)
    await workspace.apply(node(f"only-on-{branch}"), branch=branch)


@stimulus("tasks", exercises=EXPECTED)
async def conflicts_are_settled_at_revisions(bench: TasksBench) -> None:
    """Conflicts resolved for either side, expecting other revisions than the current one, then that one."""
    workspace = await bench.workspace()
    conflicts = await workspace.conflicts("n1", "n2", "n3", "n4")
    writes = [settling(each, side) for each, side in zip(conflicts, ("use_from", "use_into") * 2, strict=False)]
    names: Sequence[tuple[str, ...]] = ((GUARD,), (ALIAS,), (GUARD, ALIAS), (GUARD,))
    await look_around(workspace, conflicts=tuple(conflicts))
    with in_parts() as part:
        with part():
            await refused_at_first(workspace, writes)
        await look_around(workspace, conflicts=tuple(conflicts))
        for write, name in zip(writes, names, strict=True):
            with part():
                revision = await workspace.revision(write.key)
                made = await write.expecting(workspace, WORD, **dict.fromkeys(name, revision))
                if not made.accepted:
                    await write.expecting(workspace, WORD)
        await look_around(workspace, conflicts=tuple(conflicts))


@stimulus("tasks", exercises=EXPECTED)
async def the_focus_is_moved_at_revisions(bench: TasksBench) -> None:
    """The focus set and cleared, expecting other revisions than the current one, then that one."""
    workspace = await bench.workspace()
    task = await workspace.task(0)
    await workspace.call("tasks_focus_get")
    with in_parts() as part:
        for number, item in enumerate((task.id, task.plan, task.id)):
            for write in (pointing(item), CLEARING):
                with part():
                    revision = await workspace.revision(write.key)
                    for expectation in wrong(revision, number):
                        await write.expecting(workspace, WORD, **expectation)
                    await workspace.call("tasks_focus_get")
                    if not (await write.expecting(workspace, WORD, **right(revision, 0)[number][1])).accepted:
                        await write.expecting(workspace, WORD)
        await workspace.call("tasks_focus_get")
