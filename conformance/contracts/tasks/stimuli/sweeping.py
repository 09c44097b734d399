"""Each parameter of each tool is left out, mistyped, and tried at either side of its bounds."""

from collections.abc import Mapping, Sequence

from conformance.contracts.tasks.bench import TasksBench
from conformance.contracts.tasks.causes.form import PAGES
from conformance.contracts.tasks.stimuli.flow import look
from conformance.contracts.tasks.stimuli.ways import SERVED
from conformance.contracts.tasks.working import (
    READS_OF_DOCUMENTS,
    READS_OF_TASKS,
    WRITES_OF_DOCUMENTS,
    WRITES_OF_GRAPHS,
    WRITES_OF_ITEMS,
    WRITES_OF_STEPS,
    Working,
)
from conformance.drive.parts import in_parts
from conformance.drive.stimulus import stimulus
from conformance.drive.sweeps.sweep import sweep
from conformance.model.events import Json
from conformance.model.exchange import Exchange

SWEPT = (*SERVED, "TK-ERR-INVALID_INPUT")
LEFT: Mapping[str, tuple[str, ...]] = {"branchmind_show": ("doc_kind",)}
"""Parameters that no clause allows beside the others of a working call."""


async def _swept(bench: TasksBench, tools: Sequence[str]) -> None:
    """Each tool in turn, all in one workspace; what a write may have changed is read when it is through."""
    working = await Working.at(bench)
    with in_parts() as part:
        for tool in filter(bench.offers, tools):
            with part():
                await _one(working, tool)


async def _one(working: Working, tool: str) -> None:
    workspace, contract = working.workspace, working.workspace.bench.contract
    writes = tool in contract.writes()

    async def call(given: dict[str, Json]) -> Exchange:
        return await workspace.call(tool, given)

    async def arguments() -> Mapping[str, Json]:
        return await working.arguments(tool)

    await sweep(
        call, limited(workspace.bench, tool), arguments, leave=("workspace", *LEFT.get(tool, ())), writes=writes
    )
    if writes:
        await look(workspace, tool)


def limited(bench: TasksBench, tool: str) -> dict[str, Json]:
    """A tool's schema with the target's own largest pages, where it says how many entries they have."""
    schema = bench.contract.tools[tool].inputSchema
    most = {name: bench.most(tool, name) for name in schema["properties"] if name in PAGES}
    pages = {name: {**schema["properties"][name], "maximum": top} for name, top in most.items() if top is not None}
    return {**schema, "properties": {**schema["properties"], **pages}}


@stimulus("tasks", exercises=SWEPT, sweep=True)
async def every_parameter_of_reads_of_documents_is_swept(bench: TasksBench) -> None:
    """Lists, documents, graphs and their differences."""
    await _swept(bench, READS_OF_DOCUMENTS)


@stimulus("tasks", exercises=SWEPT, sweep=True)
async def every_parameter_of_reads_of_tasks_is_swept(bench: TasksBench) -> None:
    """Plans and tasks, what happened to them, and the focus."""
    await _swept(bench, READS_OF_TASKS)


@stimulus("tasks", exercises=SWEPT, sweep=True)
async def every_parameter_of_writes_to_documents_is_swept(bench: TasksBench) -> None:
    """Branches, notes and their merges."""
    await _swept(bench, WRITES_OF_DOCUMENTS)


@stimulus("tasks", exercises=SWEPT, sweep=True)
async def every_parameter_of_writes_to_graphs_is_swept(bench: TasksBench) -> None:
    """Graphs, cards and their merges."""
    await _swept(bench, WRITES_OF_GRAPHS)


@stimulus("tasks", exercises=SWEPT, sweep=True)
async def every_parameter_of_writes_to_items_is_swept(bench: TasksBench) -> None:
    """Plans, tasks and the focus."""
    await _swept(bench, WRITES_OF_ITEMS)


@stimulus("tasks", exercises=SWEPT, sweep=True)
async def every_parameter_of_writes_to_steps_is_swept(bench: TasksBench) -> None:
    """Steps, until one is closed."""
    await _swept(bench, (*WRITES_OF_STEPS, "tasks_done"))
