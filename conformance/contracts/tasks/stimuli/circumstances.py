"""Every tool where its workspace is not there, where no store is, and when years have passed."""

from conformance.contracts.tasks.bench import TasksBench, node
from conformance.contracts.tasks.stimuli.ways import SERVED, Arguments
from conformance.contracts.tasks.working import EVERY, Working
from conformance.drive.parts import in_parts
from conformance.drive.stimulus import stimulus

YEARS_S = 2 * 365 * 86_400
OF_NO_WORKSPACE = ("branchmind_think_template",)
"""A template is the same everywhere: no clause has a server look whether its workspace is there."""
BY_THEMSELVES: tuple[tuple[str, Arguments], ...] = (
    *((tool, {}) for tool in (
        "branchmind_status", "branchmind_branch_list", "branchmind_show", "branchmind_graph_query",
        "branchmind_graph_validate", "branchmind_think_context", "tasks_context", "tasks_delta", "tasks_focus_get",
    )),
    ("tasks_create", {"kind": "plan", "title": "Too early"}),
    ("branchmind_notes_commit", {"content": "too early"}),
    ("branchmind_graph_apply", {"ops": [node("early")]}),
    ("branchmind_think_card", {"card": {"id": "early", "type": "note", "title": "Too early"}}),
    ("branchmind_branch_create", {"name": "early"}),
)  # fmt: skip
"""Calls that name nothing which has to be there first."""


@stimulus("tasks", exercises=("TK-ERR-UNKNOWN_WORKSPACE", "TK-SRV-03"), sweep=True)
async def every_tool_is_called_in_a_workspace_of_nobody(bench: TasksBench) -> None:
    """With the same arguments in a workspace that was never initialised, and then in one that was."""
    working, nowhere = await Working.at(bench), bench.workspace_named()
    with in_parts() as part:
        for tool in (each for each in EVERY if bench.offers(each) and each not in OF_NO_WORKSPACE):
            with part():
                given = await working.arguments(tool)
                await nowhere.call(tool, given)
                await working.workspace.call(tool, given)


@stimulus("tasks", fresh=True, exercises=("TK-ERR-NOT_INITIALIZED", "TK-SRV-03"), sweep=True)
async def every_tool_is_called_before_there_is_a_store(bench: TasksBench) -> None:
    """Calls that need nothing but a workspace, before the first branchmind_init and after it."""
    workspace = bench.workspace_named()
    calls = [(tool, given) for tool, given in BY_THEMSELVES if bench.offers(tool)]
    for tool, given in calls:
        await workspace.call(tool, given)
    await workspace.call("branchmind_init")
    for tool, given in reversed(calls):
        await workspace.call(tool, given)


@stimulus("tasks", fresh=True, needs=("clock",), exercises=SERVED, sweep=True)
async def every_tool_is_called_years_later(bench: TasksBench) -> None:
    """What was made is there when the calendar has moved on, and is written to."""
    working = await Working.at(bench)
    later = working.at_bench(await bench.under(clock=YEARS_S))
    with in_parts() as part:
        for tool in filter(bench.offers, EVERY):
            with part():
                await later.workspace.call(tool, await later.arguments(tool))
