"""Every tool that reads is called in every way that the contract knows."""

from collections.abc import Mapping

from conformance.contracts.tasks.bench import TasksBench, Workspace, edge, node
from conformance.contracts.tasks.stimuli.ways import SERVED, Arguments, ways
from conformance.contracts.tasks.thoughts import TYPES
from conformance.drive.parts import in_parts
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json

AMPLE = 1_000_000
"""A budget that no answer here needs."""
FEW = 5
"""Entries that every page has room for."""
BUDGETS: Mapping[str, Json] = {
    **dict.fromkeys(("max_chars", "max_bytes", "max_lines"), AMPLE),
    **dict.fromkeys(("limit", "limit_cards", "max_errors", "edges_limit", "notes_limit", "trace_limit"), FEW),
    "offset": 1,
}
ENVELOPE = ("TK-ENV-01", "TK-ENV-02", "TK-ENV-03", "TK-ENV-04", "TK-ENV-05", "TK-ENV-06", "TK-ENV-07")


async def read(workspace: Workspace, tool: str, plain: Arguments, **optional: Json) -> None:
    """Makes a read in each way, and with each budget that the server lists for it."""
    for arguments in ways(plain, optional):
        await workspace.call(tool, arguments)
    budgets = {name: BUDGETS[name] for name in workspace.bench.contract.tools[tool].budgets}
    for name, value in budgets.items():
        if workspace.bench.offers(tool, name):
            await workspace.call(tool, plain, **{name: value})


@stimulus("tasks", exercises=(*SERVED, *ENVELOPE))
async def every_read_is_made_in_every_way(bench: TasksBench) -> None:
    """Reads of a workspace that has something of every kind."""
    with in_parts() as part:
        workspace = await bench.workspace()
        root: Arguments = {"branch": workspace.root}
        for tool in ("branchmind_status", "branchmind_branch_list", "tasks_context", "tasks_focus_get"):
            with part():
                await read(workspace, tool, {})
        with part():
            await bench.call("storage", {})
        for kind in TYPES:
            with part():
                await workspace.call("branchmind_think_template", type=kind)
        with part():
            await read_documents(workspace, root)
        with part():
            await read_graphs(workspace, root)
        with part():
            await read_conflicts(workspace)
        with part():
            await read_tasks(workspace)


async def read_documents(workspace: Workspace, root: Arguments) -> None:
    """Entries of a document, and those of one branch beside another's."""
    await workspace.note("an entry")
    await workspace.branch("leaf")
    await workspace.note("an entry of the leaf", branch="leaf")
    await read(workspace, "branchmind_show", {**root, "doc": "notes"})
    await read(workspace, "branchmind_show", dict(root), doc_kind="notes")
    await workspace.call("branchmind_show", root, doc_kind="trace")
    sides = {"from": workspace.root, "to": "leaf"}
    await read(workspace, "branchmind_diff", {**sides, "doc": "notes"})
    await workspace.call("branchmind_diff", sides)
    await workspace.call("branchmind_diff", {"from": "leaf", "to": workspace.root, "doc": "notes"})


async def read_graphs(workspace: Workspace, root: Arguments) -> None:
    """A graph's nodes by every filter, its edges, its cards."""
    full = node("n1", "Lexer", text="reads text", status="open", tags=["core", "text"], meta={"size": 3})
    await workspace.apply(full, node("n2", "Parser"), edge("n1", "feeds", "n2", meta={"weight": 1}))
    await workspace.think({"id": "card-1", "type": "note", "title": "A thought"})
    await workspace.branch("twig")
    await workspace.apply(node("n3", "Printer"), branch="twig")
    graph: Arguments = {**root, "doc": "graph"}
    filters: Arguments = {
        "ids": ["n1"], "types": ["part"], "status": "open", "tags_any": ["core", "none"], "tags_all": ["core", "text"],
        "text": "Lexer", "include_edges": True,
    }  # fmt: skip
    await read(workspace, "branchmind_graph_query", graph, **filters)
    await workspace.call("branchmind_graph_query", graph, include_edges=False)
    await workspace.call("branchmind_graph_query", root)
    await read(workspace, "branchmind_graph_validate", graph)
    await workspace.call("branchmind_graph_validate", root)
    sides = {"from": workspace.root, "to": "twig"}
    await read(workspace, "branchmind_graph_diff", {**sides, "doc": "graph"})
    await workspace.call("branchmind_graph_diff", sides)
    await read(workspace, "branchmind_think_context", {**root, "graph_doc": "graph"})
    await workspace.call("branchmind_think_context", root)


async def read_conflicts(workspace: Workspace) -> None:
    """A conflict by itself, and lists of conflicts by their status."""
    (conflict, *_) = await workspace.conflicts("clash", branch="rival")
    await read(workspace, "branchmind_graph_conflict_show", {"conflict_id": conflict})
    into: Arguments = {"into": workspace.root, "doc": "graph"}
    await read(workspace, "branchmind_graph_conflicts", into, status="open")
    await workspace.call("branchmind_graph_conflicts", into, status="resolved")
    await workspace.call("branchmind_graph_conflicts", into=workspace.root)


async def read_tasks(workspace: Workspace) -> None:
    """A plan and a task by themselves, with their documents, and what happened to them."""
    task = await workspace.task(2)
    noted = await task.note("a note")
    for target in (task.id, task.plan):
        await read(workspace, "branchmind_export", {"target": target})
        await read(workspace, "tasks_radar", {"task": target})
        await workspace.call("branchmind_show", target=target)
        for kind in ("notes", "trace"):
            await workspace.call("branchmind_show", target=target, doc_kind=kind)
        for tool in ("branchmind_graph_query", "branchmind_graph_validate", "branchmind_think_context"):
            await workspace.call(tool, target=target)
    await read(workspace, "tasks_delta", {})
    event = noted.given.get("event")
    if isinstance(event, dict) and isinstance(event.get("event_id"), str):
        await workspace.call("tasks_delta", since=event["event_id"])
    await workspace.call("tasks_focus_set", task=task.id)
    await workspace.call("tasks_radar")
