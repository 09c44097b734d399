"""What writes write is read again, over another connection: fields, deletions, branches, merges, filters."""

from itertools import combinations

from conformance.contracts.tasks.bench import Task, TasksBench, Workspace, confirmed, cut, edge, gone, node, step
from conformance.contracts.tasks.looking import compare
from conformance.drive.parts import in_parts
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json

SHOWN = ("TK-SRV-02",)
MANY_AT_ONCE = (30, 60, 120)
"""Operations of one call."""
TEXTS = (
    "plain", "äöü €100 😀 日本", "two\nlines", "  white  space  ", '"quoted" \\ and {"json": [1]}', "<b>&amp;</b>",
    "tab\there", "x" * 3000,
)  # fmt: skip
"""Texts of kinds that a store may change: each is to be shown as it was written."""
PAIRED: tuple[dict[str, Json], ...] = (
    {"ids": ["a", "c"]}, {"types": ["part"]}, {"status": "open"}, {"tags_any": ["text"]}, {"tags_all": ["core"]},
    {"text": "reads"},
)  # fmt: skip
"""Filters of a query, any two of which ask for less than each of them."""
META: Json = {"n": 1, "f": 1.5, "b": True, "z": None, "l": [1, [2]], "o": {"ä": "ö"}, "e": {}, "s": ""}


@stimulus("tasks", exercises=SHOWN)
async def fields_of_plans_and_tasks_are_read(bench: TasksBench) -> None:
    """Each field of plans, tasks and steps is written twice, and read after each write over another connection."""
    workspace = await bench.workspace()
    reader = await workspace.elsewhere()
    with in_parts() as part:
        task = await workspace.task(2)
        with part():
            plan = await workspace.plan("A plan", contract="in words", contract_data={"due": "May", "list": [1, 2]})
            await read_items(reader, plan)
            edits: list[dict[str, Json]] = [
                {"title": "Renamed"},
                {"contract": "in other words"},
                {"contract_data": {"due": "June"}},
                {"contract_data": {}},
                {"contract_data": {"due": "July"}},
                {"contract": None},
                {"contract_data": None},
            ]
            for given in edits:
                await workspace.call("tasks_edit", task=plan, **given)
                await read_items(reader, plan)
        with part():
            for text in TEXTS:
                await task.edit(text.strip() or "x", description=text)
                await read_items(reader, task.id)
            await task.call("tasks_edit", description=None)
            await read_items(reader, task.id)
        with part():
            await read_steps(task, reader)
        with part():
            await patch_all(task, reader)


async def read_items(reader: Workspace, item: str) -> None:
    """Every read that shows a plan or task."""
    await reader.call("tasks_context")
    await reader.call("tasks_radar", task=item)
    await reader.call("branchmind_export", target=item)


async def read_steps(task: Task, reader: Workspace) -> None:
    """Steps are defined, noted, verified and closed, on two levels."""
    await task.call("tasks_decompose", steps=[step("full", blockers=["waits"])])
    await task.call(
        "tasks_decompose", parent="s:1", steps=[step("below"), {"title": "bare", "success_criteria": ["c"]}]
    )
    await read_items(reader, task.id)
    for number, text in enumerate(TEXTS[:6]):
        named: dict[str, Json] = ({"path": "s:1.s:0"}, {"step_id": task.step(0)})[number % 2]
        fields = {"success_criteria": [text, f"{text} more"], "tests": [text], "blockers": [text] if number else []}
        await task.call("tasks_define", **named, title=text.strip(), **fields)
        await task.call("tasks_note", **named, note=f"note {text}")
        await reader.call("tasks_context")
        await reader.call("branchmind_show", target=task.id, doc_kind="notes")
    for criteria, tests in ((True, None), (None, True), (False, None), (True, True)):
        await task.verify(1, criteria=criteria, tests=tests)
        await reader.call("tasks_context")
    for name in ("blockers", "tests"):
        # what was there is emptied
        await task.define(0, **{name: []})
    await reader.call("tasks_context")
    drafts = [step("given at once"), step("as well")]
    await task.workspace.call("tasks_create", kind="task", parent=task.plan, title="With steps", steps=drafts)
    await reader.call("tasks_context")
    made = await task.workspace.task(2, plan=task.plan)
    for number in range(2):
        await made.verify(number)
        await made.done(number)
        await read_items(reader, made.id)
    await read_items(reader, task.id)


async def patch_all(task: Task, reader: Workspace) -> None:
    """A step, a task and a plan are patched, field by field."""
    bench = task.workspace.bench
    if not bench.offers("tasks_patch"):
        return
    patches: list[dict[str, Json]] = [
        {"task": task.id, "title": "patched", "description": "patched too"},
        {"task": task.plan, "contract": "patched", "contract_data": {"by": "patch"}},
        {"target": task.step(1), "title": "patched step", "success_criteria": ["p"], "tests": ["q"], "blockers": ["r"]},
        {"task": task.id, "path": "s:1", "checkpoints": confirmed()},
        {"task": task.id, "path": "s:1", "checkpoints": confirmed(tests=False)},
        {"target": task.step(1), "tests": [], "blockers": []},
        {"target": task.id, "description": "patched by its id"},
    ]
    for arguments in patches:
        await task.workspace.call("tasks_patch", arguments)
        await read_items(reader, task.id)


@stimulus("tasks", exercises=SHOWN)
async def entries_of_documents_are_read(bench: TasksBench) -> None:
    """Notes of every kind of text are shown in their branch, in those made of it later, and nowhere else."""
    workspace = await bench.workspace()
    reader = await workspace.elsewhere()
    with in_parts() as part:
        with part():
            for number, text in enumerate(TEXTS):
                more: dict[str, Json] = (
                    {"title": text.strip(), "format": "markdown", "meta": META} if number % 2 else {}
                )
                await workspace.note(f"{number} {text}", **more)
            await reader.show(limit=len(TEXTS) + 1)
        with part():
            await workspace.branch("side")
            await workspace.note("written to the first branch later")
            await workspace.note("written to the side", branch="side")
            await workspace.branch("inner", of="side")
            await workspace.note("written to the side later", branch="side")
            await workspace.note("written to the inner one", branch="inner")
            await reader.call("branchmind_branch_list")
            for name in ("side", "inner", workspace.root):
                await reader.show(branch=name, limit=20)
            await compare(reader, "side")
            for base in ("side", workspace.root):
                await reader.call("branchmind_diff", {"from": base, "to": "inner", "doc": "notes"})
            await reader.call("branchmind_diff", {"from": "side", "to": workspace.root, "doc": "notes"})
        with part():
            await merge_notes(workspace, reader)


async def merge_notes(workspace: Workspace, reader: Workspace) -> None:
    """A merge that is only tried, then made, then made again: what it copies is there, and once."""
    await workspace.merge(dry_run=True)
    await reader.show(limit=20)
    for _ in range(2):
        await workspace.merge()
        await reader.show(limit=20)
    await reader.show(branch="inner", limit=20)
    await workspace.merge(source="inner", into="side")
    await reader.show(branch="side", limit=20)


@stimulus("tasks", exercises=SHOWN)
async def nodes_and_edges_are_read(bench: TasksBench) -> None:
    """Nodes and edges with every field, changed, deleted, deleted again and written again; each state is read."""
    workspace = await bench.workspace()
    reader = await workspace.elsewhere()
    with in_parts() as part:
        with part():
            for number, text in enumerate(TEXTS[:7]):
                fields: dict[str, Json] = {"text": text, "status": f"s{number}", "tags": [f"t{number}", "all"]}
                await workspace.apply(node(f"n{number}", text, meta=META, **fields))
            await reader.query(limit=20)
        with part():
            await workspace.apply(*(edge("n0", rel, "n1", meta={"by": rel}) for rel in ("needs", "feeds")))
            await workspace.apply(edge("n1", "needs", "n0"), edge("n2", "needs", "n1"))
            await look(reader)
            await workspace.apply(edge("n0", "needs", "n1", meta={"by": "another"}))
            await look(reader)
        for ops in (
            (node("n4", "first"), node("n4", "second", text="of two in one call"), gone("n5"), node("n5", "made anew")),
            (cut("n0", "feeds", "n1"),),
            (cut("n0", "feeds", "n1"),),
            (gone("n1"),),
            (gone("n1"),),
            (node("n1", "again"),),
            (edge("n0", "needs", "n1"),),
            (node("n2", "as it is now", text="changed", status="done", tags=["new"]), gone("n3")),
        ):
            with part():
                await workspace.apply(*ops)
                await look(reader)


async def look(reader: Workspace) -> None:
    """A graph, and how many nodes and edges it has."""
    await reader.query(limit=20)
    await reader.call("branchmind_graph_validate", branch=reader.root, doc="graph")


@stimulus("tasks", exercises=SHOWN)
async def small_graphs_are_validated(bench: TasksBench) -> None:
    """A graph of nothing, of one node, of an edge and its ends alone; then with more, and with less."""
    workspace = await bench.workspace()
    await look(workspace)
    for ops in (
        (node("a"),),
        (node("b"), edge("a", "needs", "b")),
        (edge("b", "feeds", "a"),),
        (node("c"),),
        (gone("b"),),
    ):
        await workspace.apply(*ops)
        await look(workspace)


@stimulus("tasks", exercises=SHOWN)
async def many_operations_are_one_call(bench: TasksBench) -> None:
    """A graph of so many nodes, all made by one call; the last of them are asked for. A server may take fewer."""
    for many in MANY_AT_ONCE:
        workspace = await bench.workspace()
        await workspace.apply(*(node(f"n{number:03}") for number in range(many)))
        await workspace.query(ids=[f"n{number:03}" for number in range(many - 3, many)])
        await workspace.call("branchmind_graph_validate", branch=workspace.root, doc="graph")


@stimulus("tasks", exercises=SHOWN)
async def a_graph_is_filtered(bench: TasksBench) -> None:
    """Queries by each filter and by two of them: what they ask for is shown, and nothing else."""
    workspace = await bench.workspace()
    nodes = [
        ("a", "part", "Lexer", "reads words", "open", ["core", "text"]),
        ("b", "part", "Parser", "reads tokens", "done", ["core"]),
        ("c", "test", "Printer", "writes words", "open", ["text"]),
        ("d", "note", "Nothing", "at all", "new", ["other"]),
    ]
    for name, kind, title, text, status, tags in nodes:
        await workspace.apply(node(name, title, text=text, status=status, tags=tags) | {"type": kind})
    await workspace.apply(edge("a", "feeds", "b"), edge("b", "feeds", "c"))
    filters: list[dict[str, Json]] = [
        *({"ids": ids} for ids in (["a"], ["a", "c"], ["missing"], [])),
        *({"types": types} for types in (["part"], ["part", "test"], ["missing"])),
        *({"status": status} for status in ("open", "done", "missing")),
        *({"tags_any": tags} for tags in (["core"], ["text", "other"], ["missing"])),
        *({"tags_all": tags} for tags in (["core"], ["core", "text"], ["core", "missing"])),
        *({"text": text} for text in ("words", "Lexer", "reads words", "missing")),
        *(one | other for one, other in combinations(PAIRED, 2)),
        {"include_edges": False},
        {},
    ]
    with in_parts() as part:
        for given in filters:
            with part():
                await workspace.query(**given)


@stimulus("tasks", exercises=SHOWN)
async def branches_keep_their_graphs(bench: TasksBench) -> None:
    """A branch has its base's graph as it was; each goes its own way; then one is merged into the other."""
    workspace = await bench.workspace()
    reader = await workspace.elsewhere()
    with in_parts() as part:
        with part():
            await workspace.apply(
                node("kept"), node("theirs"), node("ours"), node("dropped"), edge("kept", "has", "ours")
            )
            await workspace.branch("side")
            await workspace.apply(
                node("theirs", "theirs, changed", text="by the side"), node("new", "new on the side"), gone("dropped"),
                edge("kept", "has", "new"), branch="side",
            )  # fmt: skip
            await workspace.apply(node("ours", "ours, changed"), node("later", "later in the base"))
            await workspace.branch("inner", of="side")
            await workspace.apply(node("theirs", "theirs, changed again"), branch="side")
            await read_branches(reader)
        for dry_run in (True, False, False):
            with part():
                await workspace.merge(graph=True, doc="graph", dry_run=dry_run)
                await read_branches(reader)
        with part():
            await workspace.apply(node("after", "after the merge"), branch="side")
            await workspace.merge(graph=True, doc="graph")
            await read_branches(reader)


@stimulus("tasks", exercises=SHOWN)
async def a_branch_changes_one_thing_of_each(bench: TasksBench) -> None:
    """A branch gives each node another value of one field, an edge another meta, and cuts another one."""
    workspace = await bench.workspace()
    reader = await workspace.elsewhere()
    changed: dict[str, Json] = {
        "text": "in other words", "status": "done", "tags": ["other"], "meta": {"by": "another"}, "type": "test"
    }  # fmt: skip
    full: dict[str, Json] = {"text": "in words", "status": "open", "tags": ["core"], "meta": META}
    ends = ("text", "needs", "status"), ("text", "feeds", "status")
    await workspace.apply(*(node(name, **full) for name in (*changed, "dropped")))
    await workspace.apply(*(edge(*each, meta={"n": 1}) for each in ends))
    await workspace.branch("side")
    for name, value in changed.items():
        await workspace.apply(node(name, **full) | {name: value}, branch="side")
    await workspace.apply(edge(*ends[0], meta={"n": 2}), cut(*ends[1]), gone("dropped"), branch="side")
    await read_sides(reader)
    await workspace.merge(graph=True, doc="graph")
    await read_sides(reader)


async def read_sides(reader: Workspace) -> None:
    """A branch's graph, its base's, and how they differ."""
    for name in (reader.root, "side"):
        await reader.query(branch=name)
    await reader.call("branchmind_graph_diff", {"from": reader.root, "to": "side", "doc": "graph"})


async def read_branches(reader: Workspace) -> None:
    """Each branch's graph, and how they differ."""
    for name in (reader.root, "side", "inner"):
        await reader.query(branch=name)
    for source, target in ((reader.root, "side"), ("side", reader.root), ("side", "inner")):
        await reader.call("branchmind_graph_diff", {"from": source, "to": target, "doc": "graph"})


@stimulus("tasks", exercises=SHOWN)
async def notes_on_steps_are_read(bench: TasksBench) -> None:
    """Notes are taken on two steps; then come the reads of which one or another shows them."""
    workspace = await bench.workspace()
    reader = await workspace.elsewhere()
    task = await workspace.task(2)
    await task.note("A note that is nowhere else")
    await task.note("A note on another step", 1)
    await read_items(reader, task.id)
    await reader.call("branchmind_show", target=task.id, doc_kind="notes")
    await reader.call("tasks_delta")


@stimulus("tasks", exercises=SHOWN)
async def what_is_pointed_at_is_read(bench: TasksBench) -> None:
    """The focus, the branch that is checked out, and what happened since an event."""
    workspace = await bench.workspace()
    reader = await workspace.elsewhere()
    with in_parts() as part:
        task = await workspace.task(1)
        for item in (task.id, task.plan, None, task.id):
            with part():
                if item is None:
                    await workspace.call("tasks_focus_clear")
                else:
                    await workspace.call("tasks_focus_set", task=item)
                    await reader.call("tasks_radar")
                await reader.call("tasks_focus_get")
        with part():
            await workspace.branch("side")
            for name in ("side", workspace.root, "side"):
                await workspace.call("branchmind_checkout", ref=name)
                for tool in ("branchmind_show", "branchmind_graph_query", "branchmind_think_context"):
                    await reader.call(tool)
                await workspace.call("branchmind_notes_commit", content=f"noted while {name} was checked out")
                await reader.show(branch=name)
                for tool in ("branchmind_branch_list", "branchmind_status"):
                    await reader.call(tool)
        with part():
            await events_are_read(task, reader)


async def events_are_read(task: Task, reader: Workspace) -> None:
    """What happened, as a whole and since each event that a write told of."""
    told = [await task.note("one"), await task.edit("two"), await task.decompose("three"), await task.define(title="x")]
    await reader.call("branchmind_status")
    await reader.call("tasks_delta")
    for write in told:
        event = write.given.get("event") if write.accepted else None
        name = event.get("event_id") if isinstance(event, dict) else None
        if isinstance(name, str):
            await reader.call("tasks_delta", since=name)
