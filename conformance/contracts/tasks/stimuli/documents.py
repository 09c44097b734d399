"""Every tool that writes to branches and documents is called in every way that the contract knows."""

from conformance.contracts.tasks.bench import TasksBench, Workspace, cut, edge, gone, node
from conformance.contracts.tasks.stimuli.ways import SERVED, Arguments, ways
from conformance.contracts.tasks.thoughts import RELATIONS, TYPES
from conformance.drive.parts import in_parts
from conformance.drive.stimulus import stimulus

MANY = 12
"""Documents of each kind in one branch."""


@stimulus("tasks", exercises=SERVED)
async def every_write_to_documents_is_made_in_every_way(bench: TasksBench) -> None:
    """Notes, graphs, cards, branches and merges, in a named branch and in the one that is checked out."""
    with in_parts() as part:
        workspace = await bench.workspace()
        await workspace.call("branchmind_init")
        with part():
            await write_notes(workspace)
        with part():
            await write_graphs(workspace)
        with part():
            await write_cards(workspace)
        with part():
            await merge_all(workspace)
        with part():
            await write_where_checked_out(workspace)
        with part():
            await settle(workspace)


@stimulus("tasks", exercises=("TK-SRV-02",))
async def many_documents_are_kept_apart(bench: TasksBench) -> None:
    """Notes and a node in each of many documents of one branch; then all of them are read."""
    workspace = await bench.workspace()
    reader = await workspace.elsewhere()
    for number in range(MANY):
        await workspace.note(f"note {number}", doc=f"notes-{number}")
        await workspace.apply(node("one", f"node {number}"), doc=f"graph-{number}")
    for number in range(MANY):
        await reader.show(doc=f"notes-{number}")
        await reader.query(doc=f"graph-{number}")


async def write_notes(workspace: Workspace) -> None:
    """Notes with every field, in a document by its name and by its plan or task."""
    fields: Arguments = {"title": "A title", "format": "markdown", "meta": {"author": "a", "n": 1}}
    root: Arguments = {"branch": workspace.root, "doc": "notes"}
    for number, arguments in enumerate(ways(root, fields)):
        await workspace.call("branchmind_notes_commit", arguments, content=f"entry {number}")
    await workspace.call("branchmind_notes_commit", branch=workspace.root, content="in the usual document")
    task = await workspace.task(0)
    for target in (task.id, task.plan):
        await workspace.call("branchmind_notes_commit", target=target, content=f"about {target}")


async def write_graphs(workspace: Workspace) -> None:
    """Each operation, each field of a node and an edge, one by one and together."""
    fields: Arguments = {"title": "T", "text": "a text", "status": "open", "tags": ["one", "two"], "meta": {"k": [1]}}
    for number, given in enumerate(ways({}, fields)):
        await workspace.apply({"op": "node_upsert", "id": f"m{number}", "type": "part", **given})
    await workspace.apply(edge("m0", "needs", "m1"))
    await workspace.apply(edge("m0", "needs", "m2", meta={"why": "order"}))
    await workspace.apply(cut("m0", "needs", "m1"))
    await workspace.apply(gone("m2"))
    await workspace.apply(node("m7"), node("m8"), edge("m7", "joins", "m8"), cut("m7", "joins", "m8"), gone("m8"))
    await workspace.call("branchmind_graph_apply", branch=workspace.root, ops=[node("m9")])
    task = await workspace.task(0)
    await workspace.call("branchmind_graph_apply", target=task.id, ops=[node("of-the-task")])


async def write_cards(workspace: Workspace) -> None:
    """Cards of every type, in each of their three forms, joined to other nodes."""
    for kind in TYPES:
        await workspace.think({"id": f"card-{kind}", "type": kind, "title": f"A {kind}"}, doc="cards")
    plain: Arguments = {"type": "note", "title": "T"}
    fields: Arguments = {"text": "a text", "status": "done", "tags": ["a"], "meta": {"k": 1}}
    for number, given in enumerate(ways(plain, fields)):
        await workspace.think({"id": f"form-{number}", **given}, doc="cards")
    await workspace.think({"id": "untitled", "type": "note", "text": "a text alone"}, doc="cards")
    await workspace.think('{"id": "as-json", "type": "note", "title": "T"}', doc="cards")
    await workspace.think("id: as-lines\ntype: note\ntitle: T", doc="cards")
    for rel in RELATIONS:
        joined: Arguments = {rel: ["card-note", "card-test"]}
        await workspace.think({"id": f"that-{rel}", "type": "evidence", "title": "T"}, doc="cards", **joined)
    task = await workspace.task(0)
    await workspace.call("branchmind_think_card", target=task.id, card={"id": "own", "type": "note", "title": "T"})


async def merge_all(workspace: Workspace) -> None:
    """Merges of notes and of a graph: tried, made, made again, and of documents with the usual names."""
    await workspace.branch("merged")
    await workspace.note("to be merged", branch="merged")
    await workspace.apply(node("to-be-merged"), branch="merged")
    for graph in (False, True):
        doc = "graph" if graph else "notes"
        for dry_run in (True, False):
            await workspace.merge(source="merged", doc=doc, graph=graph, dry_run=dry_run)
        await workspace.merge(source="merged", doc=doc, graph=graph)
        tool = "branchmind_graph_merge" if graph else "branchmind_merge"
        await workspace.call(tool, {"from": "merged", "into": workspace.root})


async def write_where_checked_out(workspace: Workspace) -> None:
    """A branch is checked out; what names no branch is about it."""
    await workspace.branch("desk")
    await workspace.call("branchmind_checkout", ref="desk")
    await workspace.call("branchmind_notes_commit", content="on the desk")
    await workspace.call("branchmind_graph_apply", ops=[node("on-the-desk")])
    await workspace.call("branchmind_think_card", card={"id": "thought", "type": "note", "title": "On the desk"})
    for tool in ("branchmind_show", "branchmind_graph_query", "branchmind_graph_validate", "branchmind_think_context"):
        await workspace.call(tool)
    await workspace.call("branchmind_show", doc="notes")
    await workspace.call("branchmind_branch_create", name="drawer")
    await workspace.call("branchmind_checkout", ref=workspace.root)
    await workspace.call("branchmind_checkout", ref="drawer")


async def settle(workspace: Workspace) -> None:
    """Conflicts are resolved for either side."""
    conflicts = await workspace.conflicts("s1", "s2", branch="disputed")
    for conflict, resolution in zip(conflicts, ("use_from", "use_into"), strict=False):
        await workspace.call("branchmind_graph_conflict_resolve", conflict_id=conflict, resolution=resolution)
