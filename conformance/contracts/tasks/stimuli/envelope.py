"""Response envelope: failures of several codes."""

from conformance.contracts.tasks.bench import TasksBench
from conformance.contracts.tasks.stimuli.serving import ENVELOPE
from conformance.drive.stimulus import stimulus


@stimulus("tasks", exercises=(*ENVELOPE, "TK-SRV-03"))
async def tools_fail(bench: TasksBench) -> None:
    """Failures of several codes."""
    workspace = await bench.workspace()
    task = await workspace.task(1)
    await task.done()
    await workspace.call("tasks_radar", task="TASK-987654")
    await workspace.call("branchmind_branch_create", name="no spaces")
    await workspace.call("tasks_create", kind="plan")
    await workspace.call("branchmind_show", branch=workspace.root, doc=7)
    await bench.workspace_named().call("tasks_context")
