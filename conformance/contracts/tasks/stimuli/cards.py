"""Think cards in every form, joined to several others, of every status, and in a branch of a task's documents."""

from conformance.contracts.tasks.bench import TasksBench, Workspace, gone, node
from conformance.contracts.tasks.stimuli.showing import META, SHOWN, TEXTS
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
    """One card's id in two documents and two branches, each with a text of its own; each shows its own.

    Their traces lie apart as well: no clause says whether a document of traces takes one id twice.
    """
    workspace = await bench.workspace()
    await workspace.apply(node("begun"), doc="first")
    await workspace.branch("side")
    places = [(branch, doc) for branch in (workspace.root, "side") for doc in ("first", "second")]
    with in_parts() as part:
        for branch, doc in places:
            with part():
                card = {"id": "same", "type": "note", "title": "The same id", "text": f"in {doc} of {branch}"}
                await workspace.think(card, branch=branch, doc=doc, trace_doc=f"{doc}-trace")
        for branch, doc in places:
            with part():
                await workspace.call("branchmind_think_context", branch=branch, graph_doc=doc)
                await workspace.query(branch=branch, doc=doc)


@stimulus("tasks", exercises=SHOWN)
async def cards_are_read(bench: TasksBench) -> None:
    """Cards in each form and with every field, joined to others, changed and deleted as nodes."""
    workspace = await bench.workspace()
    reader = await workspace.elsewhere()

    async def look_at_cards() -> None:
        await reader.call("branchmind_think_context", branch=reader.root, graph_doc="cards")
        await reader.query(doc="cards")

    with in_parts() as part:
        for number, text in enumerate(TEXTS[:6]):
            with part():
                full = {"status": f"s{number}", "tags": [f"t{number}"], "meta": META} if number % 2 else {}
                card = {"id": f"c{number}", "type": "note", "title": text.strip(), "text": text, **full}
                await workspace.think(card, doc="cards")
                await look_at_cards()
        with part():
            await workspace.think('{"id": "json", "type": "question", "title": "Why?", "text": "For"}', doc="cards")
            await workspace.think("id: lines\ntype: test\ntitle: How?\ntext: So", doc="cards")
            await workspace.apply(node("no-card", "a node"), doc="cards")
            await look_at_cards()
        with part():
            joined = {"id": "joined", "type": "evidence", "title": "T"}
            await workspace.think(joined, doc="cards", supports=["c0"], blocks=["c1"])
            await look_at_cards()
        with part():
            await workspace.apply(gone("c0"), node("c1", "changed", text="also"), doc="cards")
            await look_at_cards()
        with part():
            card = {"id": "c0", "type": "note", "title": "written again", "text": "anew"}
            for _ in range(2):
                await workspace.think(card, doc="cards")
                await look_at_cards()
        for name, value in (("status", "done"), ("text", "in other words"), ("tags", ["other"]), ("meta", {"n": 9})):
            with part():
                first: dict[str, Json] = {"id": f"again-{name}", "type": "note", "title": "A thought", "status": "open"}
                await workspace.think(first, doc="cards")
                await workspace.think({**first, name: value}, doc="cards")
                await look_at_cards()
