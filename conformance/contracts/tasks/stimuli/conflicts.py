"""Conflicts of merges: met, met again, resolved, and met once more."""

from itertools import product

from conformance.contracts.tasks.bench import TasksBench, Workspace, cut, edge, gone, node
from conformance.drive.parts import in_parts
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json

MET = ("TK-FLOW-03", "TK-ID-09", "TK-ID-10")


async def again(workspace: Workspace) -> None:
    """Merges once more, and looks at what the target has and which conflicts there are."""
    await workspace.merge(doc="graph", graph=True)
    await workspace.query()
    for status in ("open", "resolved"):
        for into in (workspace.root, "side"):
            await workspace.call("branchmind_graph_conflicts", into=into, doc="graph", status=status)


@stimulus("tasks", exercises=MET)
async def a_merge_meets_a_conflict(bench: TasksBench) -> None:
    """Two sides change a node; it is merged twice, with other things written between, resolved, and merged again."""
    with in_parts() as part:
        for resolution in ("use_from", "use_into"):
            with part():
                workspace = await bench.workspace()
                (conflict, *_) = await workspace.conflicts("a")
                await workspace.query()
                await workspace.merge(doc="graph", graph=True)
                await again(workspace)
                await workspace.call("branchmind_graph_conflict_show", conflict_id=conflict)
                await write_elsewhere(workspace)
                await again(workspace)
                resolve = {"conflict_id": conflict, "resolution": resolution}
                await workspace.call("branchmind_graph_conflict_resolve", resolve)
                await workspace.query()
                await workspace.call("branchmind_graph_conflict_show", conflict_id=conflict)
                await again(workspace)
                await again(workspace)


async def write_elsewhere(workspace: Workspace) -> None:
    """Writes to everything but the node and the branch that the conflict is about."""
    task = await workspace.task(1)
    await task.note("a note")
    await workspace.note("an entry")
    await workspace.note("an entry on the side", branch="side")
    await workspace.apply(node("b", "another node"))
    await workspace.apply(node("c", "a third node"), doc="another")
    await workspace.branch("third")


@stimulus("tasks", exercises=MET)
async def a_merge_meets_several_conflicts(bench: TasksBench) -> None:
    """Two sides change three nodes; it is merged three times, one conflict resolved, and merged again."""
    workspace = await bench.workspace()
    conflicts = await workspace.conflicts("a", "b", "c")
    await workspace.query()
    with in_parts() as part:
        with part():
            await again(workspace)
            await again(workspace)
        with part():
            resolve = {"conflict_id": conflicts[0], "resolution": "use_into"}
            await workspace.call("branchmind_graph_conflict_resolve", resolve)
            await again(workspace)
        for conflict in conflicts:
            with part():
                await workspace.call("branchmind_graph_conflict_show", conflict_id=conflict)


@stimulus("tasks", exercises=("TK-FLOW-03", "TK-ID-09"))
async def both_sides_change_one_field(bench: TasksBench) -> None:
    """For each field of a node: both sides change that one alone; the conflict is settled."""
    values: dict[str, tuple[Json, Json, Json]] = {
        "text": ("as it was", "as theirs", "as ours"),
        "type": ("part", "theirs", "ours"),
        "status": ("open", "blocked", "done"),
        "tags": (["before"], ["theirs"], ["ours"]),
        "meta": ({"n": 0}, {"n": 1}, {"n": 2}),
    }
    with in_parts() as part:
        for (field, (before, theirs, ours)), resolution in product(values.items(), ("use_from", "use_into")):
            with part():
                workspace = await bench.workspace()
                await workspace.apply({**node("a"), field: before})
                await workspace.branch()
                await workspace.apply({**node("a"), field: theirs}, branch="side")
                await workspace.apply({**node("a"), field: ours})
                await settle(workspace, resolution)


async def settle(workspace: Workspace, resolution: str, *, source: str = "side") -> None:
    """Merges, and resolves each conflict that the merge names, with a look at the target after each."""
    merged = await workspace.merge(source=source, doc="graph", graph=True)
    await workspace.query()
    found = merged.given.get("conflict_ids") if merged.accepted else None
    for conflict in found if isinstance(found, list) else ():
        resolve = {"conflict_id": conflict, "resolution": resolution}
        await workspace.call("branchmind_graph_conflict_show", conflict_id=conflict)
        await workspace.call("branchmind_graph_conflict_resolve", resolve)
        await workspace.query()


@stimulus("tasks", exercises=("TK-FLOW-03", "TK-ID-09", "TK-SRV-02"))
async def deletions_and_edges_collide(bench: TasksBench) -> None:
    """One side deletes what the other changes, and both give an edge another meta; each conflict is settled."""
    for resolution in ("use_from", "use_into"):
        workspace = await bench.workspace()
        await workspace.apply(node("a"), node("b"), node("c"), node("d"), edge("c", "needs", "d", meta={"n": 0}))
        await workspace.branch()
        await workspace.apply(
            gone("a"), node("b", "b as theirs"), edge("c", "needs", "d", meta={"n": 1}), branch="side"
        )
        await workspace.apply(node("a", "a as ours"), gone("b"), edge("c", "needs", "d", meta={"n": 2}))
        await settle(workspace, resolution)
        await workspace.apply(cut("c", "needs", "d"))
        await workspace.query()


@stimulus("tasks", exercises=("TK-FLOW-03", "TK-SRV-02", "TK-ID-11"))
async def one_key_is_merged_in_several_places(bench: TasksBench) -> None:
    """What one merge settled of a node says nothing of a node of the same name in another document or branch.

    Of three documents one merges cleanly, in the next both sides changed the node, in the last the source alone did.
    Then two branches change one node, and each something of its own. At last two branches and their base change it.
    """
    with in_parts() as part:
        with part():
            await documents_hold_one_key(bench)
        with part():
            await branches_change_one_key(bench)
        with part():
            await documents_clash_on_one_key(bench)
        with part():
            await branches_clash_on_one_key(bench)


async def documents_hold_one_key(bench: TasksBench) -> None:
    """A branch gives a node the same title in two documents, and another one in a third; each is merged."""
    workspace = await bench.workspace()
    theirs = {"one": "as theirs", "two": "as theirs", "three": "as theirs here"}
    for doc in theirs:
        await workspace.apply(node("a"), doc=doc)
    await workspace.branch()
    for doc, title in theirs.items():
        await workspace.apply(node("a", title), branch="side", doc=doc)
    await workspace.apply(node("a", "as ours"), doc="two")
    for doc in theirs:
        await workspace.merge(doc=doc, graph=True)
        await workspace.query(doc=doc)


async def branches_change_one_key(bench: TasksBench) -> None:
    """The second branch to be merged meets what the first one brought."""
    workspace = await bench.workspace()
    await workspace.apply(node("a"))
    branches = ("side", "other-side")
    for branch in branches:
        await workspace.branch(branch)
    for branch in branches:
        await workspace.apply(node("a", f"as {branch} has it"), node(f"of-{branch}"), branch=branch)
    for branch in branches:
        await workspace.merge(source=branch, graph=True)
        await workspace.query()


async def documents_clash_on_one_key(bench: TasksBench) -> None:
    """In two documents both sides change a node of one name; one conflict is resolved, then the other."""
    workspace = await bench.workspace()
    docs = ("graph", "other")
    for doc in docs:
        await workspace.apply(node("a"), doc=doc)
    await workspace.branch()
    for doc in docs:
        await workspace.apply(node("a", "as theirs"), branch="side", doc=doc)
        await workspace.apply(node("a", "as ours"), doc=doc)
    found = {doc: await workspace.merge(doc=doc, graph=True) for doc in docs}
    await look_at_both(workspace, docs)
    for doc, resolution in zip(docs, ("use_into", "use_from"), strict=True):
        ids = found[doc].given.get("conflict_ids") if found[doc].accepted else None
        for conflict in ids if isinstance(ids, list) else ():
            await workspace.call("branchmind_graph_conflict_show", conflict_id=conflict)
            resolve = {"conflict_id": conflict, "resolution": resolution}
            await workspace.call("branchmind_graph_conflict_resolve", resolve)
        await look_at_both(workspace, docs)


async def branches_clash_on_one_key(bench: TasksBench) -> None:
    """Two branches and their base give a node titles of their own; one branch's conflict is settled, then the other's.

    Neither is the other: what settled the first one leaves the second one open.
    """
    workspace = await bench.workspace()
    await workspace.apply(node("a"))
    for branch in ("side", "other-side"):
        await workspace.branch(branch)
        await workspace.apply(node("a", f"as {branch} has it"), branch=branch)
    await workspace.apply(node("a", "as ours"))
    for branch in ("side", "other-side"):
        await settle(workspace, "use_into", source=branch)


async def look_at_both(workspace: Workspace, docs: tuple[str, ...]) -> None:
    """What each document holds, and its conflicts."""
    for doc in docs:
        await workspace.query(doc=doc)
        for status in ("open", "resolved"):
            await workspace.call("branchmind_graph_conflicts", into=workspace.root, doc=doc, status=status)


@stimulus("tasks", exercises=("TK-FLOW-03", "TK-SRV-02", "TK-REV-01"))
async def both_sides_make_a_node(bench: TasksBench) -> None:
    """A merge is tried alone, then made: each side has made one node by itself, and joined others to another one."""
    with in_parts() as part:
        for resolution in ("use_from", "use_into"):
            with part():
                workspace = await bench.workspace()
                await workspace.apply(node("hub"), node("spoke"), node("kept"), edge("hub", "has", "spoke"))
                await workspace.branch()
                await workspace.apply(node("new", "as theirs"), node("only", "theirs alone"), branch="side")
                await workspace.apply(node("new", "as ours"), edge("hub", "has", "new"), edge("kept", "has", "new"))
                await workspace.merge(doc="graph", graph=True, dry_run=True)
                await look_at_both(workspace, ("graph",))
                await settle(workspace, resolution)
                await workspace.query()


@stimulus("tasks", exercises=("TK-SRV-02",))
async def many_notes_are_merged(bench: TasksBench) -> None:
    """Notes with every field are merged at once, then those that came since."""
    workspace = await bench.workspace()
    reader = await workspace.elsewhere()
    await workspace.note("an entry of the base")
    await workspace.branch()
    for round_ in ("first", "second"):
        for number in range(4):
            more: dict[str, Json] = {"title": f"title {number}", "format": "markdown", "meta": {"n": [number]}}
            await workspace.note(f"note {number} of the {round_} round", branch="side", **more)
        await workspace.merge()
        await reader.show(limit=20)
        await reader.show(branch="side", limit=20)
