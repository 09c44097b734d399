"""Think cards joined to several others, of every status, written as lines, and to a branch of a task's documents."""

from conformance.contracts.tasks.bench import TasksBench, Workspace, node
from conformance.drive.parts import in_parts
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json

STATUSES = ("open", "closed", "done", "resolved", "rejected", "archived")


@stimulus("tasks", exercises=("TK-SRV-01", "TK-SRV-02"))
async def cards_of_every_status_are_read(bench: TasksBench) -> None:
    """Cards whose status may say that they are over with, each joined to all those before it."""
    workspace = await bench.workspace()
    reader = await workspace.elsewhere()
    with in_parts() as part:
        for number, status in enumerate(STATUSES):
            with part():
                card = {"id": status, "type": "note", "title": f"A card that is {status}", "status": status}
                joined: dict[str, Json] = {
                    "supports": list(STATUSES[:number:2]),
                    "blocks": list(STATUSES[1:number:2]),
                }
                await workspace.think(card, doc="cards", **joined)
                await look_at_cards(reader)
        with part():
            await workspace.think("id: timed\ntype: note\ntitle: At 12:30\ntext: by 9:15 or 10:45", doc="cards")
            await look_at_cards(reader)


async def look_at_cards(reader: Workspace) -> None:
    """The cards, the graph that they are in, and the trace that they left."""
    await reader.call("branchmind_think_context", branch=reader.root, graph_doc="cards")
    await reader.query(doc="cards")
    await reader.show(doc="trace")


@stimulus("tasks", exercises=("TK-SRV-01", "TK-SRV-02"))
async def cards_of_documents_side_by_side_are_read(bench: TasksBench) -> None:
    """One card's id in two documents and two branches, each with a text of its own; each shows its own."""
    workspace = await bench.workspace()
    await workspace.apply(node("begun"), doc="first")
    await workspace.branch("side")
    places = [(branch, doc) for branch in (workspace.root, "side") for doc in ("first", "second")]
    with in_parts() as part:
        for branch, doc in places:
            with part():
                card = {"id": "same", "type": "note", "title": "The same id", "text": f"in {doc} of {branch}"}
                await workspace.think(card, branch=branch, doc=doc)
        for branch, doc in places:
            with part():
                await workspace.call("branchmind_think_context", branch=branch, graph_doc=doc)
                await workspace.query(branch=branch, doc=doc)
