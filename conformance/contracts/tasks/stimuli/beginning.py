"""A workspace is initialised again: nothing of what it holds is changed."""

from conformance.contracts.tasks.bench import TasksBench
from conformance.contracts.tasks.looking import look_around
from conformance.contracts.tasks.stimuli.revisions import furnished
from conformance.drive.stimulus import stimulus


@stimulus("tasks", exercises=("TK-SRV-01", "TK-SRV-02"))
async def a_workspace_is_initialised_again(bench: TasksBench) -> None:
    """One with something of every kind, in which another branch is checked out; it is looked at before and after."""
    workspace, task, conflicts = await furnished(bench)
    await workspace.call("branchmind_checkout", ref="side")
    for _ in range(2):
        await look_around(workspace, task, conflicts=tuple(conflicts))
        await workspace.call("branchmind_show")
        await workspace.call("branchmind_init")
    await look_around(workspace, task, conflicts=tuple(conflicts))
    await workspace.call("branchmind_show")
