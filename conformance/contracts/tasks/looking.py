"""Looks around a workspace: every read of what a write may change."""

from conformance.contracts.tasks.bench import Workspace
from conformance.drive.parts import in_parts
from conformance.model.events import Json


async def look_around(workspace: Workspace, *items: str, conflicts: tuple[str, ...] = ()) -> None:
    """Calls every tool that reads state, once; `items` are plans and tasks to be looked at by themselves."""
    root, call = workspace.root, workspace.call
    reads: list[tuple[str, dict[str, Json]]] = [
        ("branchmind_status", {}),
        ("branchmind_branch_list", {}),
        *(("branchmind_show", {"branch": root, "doc": doc}) for doc in ("notes", "trace")),
        *(("branchmind_graph_query", {"branch": root, "doc": doc}) for doc in ("graph", "cards")),
        ("branchmind_graph_validate", {"branch": root, "doc": "graph"}),
        ("branchmind_think_context", {"branch": root, "graph_doc": "cards"}),
        ("branchmind_graph_conflicts", {"into": root, "doc": "graph"}),
        ("branchmind_graph_conflicts", {"into": root, "doc": "graph", "status": "resolved"}),
        *(("branchmind_graph_conflict_show", {"conflict_id": each}) for each in conflicts),
        ("tasks_context", {}),
        ("tasks_delta", {}),
        ("tasks_focus_get", {}),
        *(
            (tool, {name: item})
            for item in items
            for tool, name in (("tasks_radar", "task"), ("branchmind_export", "target"))
        ),
    ]
    with in_parts() as part:
        for tool, arguments in reads:
            with part():
                await call(tool, arguments)


async def compare(workspace: Workspace, branch: str) -> None:
    """Shows a branch by itself and beside the first one."""
    sides: dict[str, Json] = {"from": workspace.root, "to": branch}
    await workspace.show(branch=branch)
    await workspace.query(branch=branch)
    await workspace.call("branchmind_diff", sides, doc="notes")
    await workspace.call("branchmind_graph_diff", sides, doc="graph")
