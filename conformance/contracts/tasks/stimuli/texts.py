"""Texts that servers spoil, in every field that holds one: each is read as it was written."""

from conformance.contracts.tasks.bench import Task, TasksBench, Workspace, edge, node
from conformance.drive.parts import in_parts
from conformance.drive.stimulus import stimulus
from conformance.drive.sweeps.texts import CONTROLLED, WRITTEN
from conformance.model.events import Json

SHOWN = ("TK-SRV-01", "TK-SRV-02", "TK-SRV-03")


@stimulus("tasks", exercises=SHOWN, sweep=True)
async def difficult_texts_are_written_to_plans_and_tasks(bench: TasksBench) -> None:
    """In every text of plans, tasks and steps, made and then changed; those with control characters in long ones."""
    workspace = await bench.workspace()
    reader = await workspace.elsewhere()
    with in_parts() as part:
        for text in WRITTEN:
            with part():
                await _items(workspace, reader, text)
        task = await workspace.task(1)
        for text in CONTROLLED:
            with part():
                await task.edit("A title", description=text)
                await task.note(text)
                await _read_items(reader, task)


async def _items(workspace: Workspace, reader: Workspace, text: str) -> None:
    data: dict[str, Json] = {"due": text, text: [text]}
    plan = await workspace.plan(text, contract=text, contract_data=data)
    task = await workspace.task(1, plan=plan, title=text)
    fields: dict[str, Json] = {"success_criteria": [text, "plain"], "tests": [text], "blockers": ["plain", text]}
    await task.call("tasks_decompose", steps=[{"title": text, **fields}])
    await _read_items(reader, task)
    await task.edit(f"again {text}", description=text)
    await task.define(title=f"again {text}", **fields)
    await task.note(text)
    await _read_items(reader, task)


async def _read_items(reader: Workspace, task: Task) -> None:
    for item in (task.plan, task.id):
        await reader.call("branchmind_export", target=item)
    await reader.call("tasks_context")


@stimulus("tasks", exercises=SHOWN, sweep=True)
async def difficult_texts_are_written_to_documents(bench: TasksBench) -> None:
    """In entries, nodes, edges and cards, and as what names nodes and edges."""
    workspace = await bench.workspace()
    reader = await workspace.elsewhere()
    with in_parts() as part:
        for number, text in enumerate(WRITTEN):
            with part():
                await workspace.note(text, title=text, format="markdown", meta={text: text})
                fields: dict[str, Json] = {"text": text, "status": text, "meta": {"is": [text]}}
                await workspace.apply(node(text, text, **fields), node(f"plain {number}"))
                await workspace.apply(edge(text, text, f"plain {number}", meta={text: text}))
                card = {"id": f"card {text}", "type": "note", "title": text, **fields}
                await workspace.think(card, doc="cards", supports=[])
                await _read_documents(reader)
                await reader.query(ids=[text])
                await reader.query(status=text)
        for text in CONTROLLED:
            with part():
                await workspace.note(text)
                await workspace.apply(node("controlled", "A title", text=text))
                await _read_documents(reader)


async def _read_documents(reader: Workspace) -> None:
    await reader.show(limit=20)
    await reader.query(limit=20)
    await reader.call("branchmind_think_context", branch=reader.root, graph_doc="cards")
