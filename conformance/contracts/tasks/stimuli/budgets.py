"""Budgets: caps at and around what an answer needs, over text whose characters take several bytes."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from conformance.contracts.tasks.bench import TasksBench, Workspace, edge, node
from conformance.contracts.tasks.lists import LISTS, held, paged
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json
from conformance.model.octets import octets

WIDE = "äöü €100 😀\nzweite Zeile\n" * 5
"""15 characters of ASCII for 12 that take two to four bytes, on lines."""
ROOM = 64
"""More bytes than the words about a cut take."""
SHARES = (0.75, 0.45, 0.2)
"""Of what the whole answer needs: a slight cut, one to less than half, one to little."""
ALL = 1000
PAGE = 2
MOST_PAGES = 12


class Read(NamedTuple):
    """A read with a budget."""

    tool: str
    arguments: Mapping[str, Json]
    grows: bool = True
    """Whether there is a shorter form of its answer."""


async def stocked(bench: TasksBench) -> tuple[Workspace, list[Read]]:
    """A workspace in which every list has several entries of wide text, and the reads that show them."""
    workspace = await bench.workspace()
    root = workspace.root
    task = await workspace.task(3)
    await workspace.task(1, plan=task.plan)
    await workspace.plan(WIDE)
    await task.edit("Grüße", description=WIDE)
    await workspace.call("tasks_focus_set", task=task.id)
    for number in range(3):
        await task.define(number, blockers=[WIDE])
        await task.note(f"{number} {WIDE}", number)
        card = {"id": f"karte-{number}", "type": "note", "title": "Ü", "text": WIDE}
        place = {"branch": root, "trace_doc": "trace", "graph_doc": "cards"}
        await workspace.call("branchmind_think_card", place, card=card)
    conflicts = await workspace.conflicts("ä1", "ä2", "ä3")
    for number in range(4):
        await workspace.note(f"{number} {WIDE}")
        await workspace.note(f"{number} {WIDE}", branch="side")
    for name in ("äst", "wing"):
        await workspace.apply(node(name, WIDE), branch="side")
    await dangling(workspace)
    sides = {"from": root, "to": "side"}
    return workspace, [
        Read("branchmind_branch_list", {}),
        Read("branchmind_show", {"branch": root, "doc": "notes"}),
        Read("branchmind_diff", {**sides, "doc": "notes"}),
        Read("branchmind_export", {"target": task.id}),
        Read("branchmind_graph_query", {"branch": root, "doc": "graph"}),
        Read("branchmind_graph_validate", {"branch": root, "doc": "edges"}),
        Read("branchmind_graph_diff", {**sides, "doc": "graph"}),
        Read("branchmind_graph_conflicts", {"into": root, "doc": "graph"}),
        Read("branchmind_graph_conflict_show", {"conflict_id": conflicts[0]}),
        Read("branchmind_think_context", {"branch": root, "graph_doc": "cards"}),
        Read("tasks_context", {}),
        Read("tasks_delta", {}),
        Read("tasks_radar", {"task": task.id}),
        Read("branchmind_status", {}, grows=False),
        Read("branchmind_think_template", {"type": "note"}, grows=False),
        Read("tasks_focus_get", {}, grows=False),
    ]


async def dangling(workspace: Workspace) -> None:
    """Merges edges into a branch that has lost the nodes at their ends meanwhile."""
    gone = [f"gone-{number}" for number in range(3)]
    await workspace.apply(node("hub"), *(node(each) for each in gone), doc="edges")
    await workspace.branch("spokes")
    await workspace.apply(*(edge("hub", "näher", each) for each in gone), branch="spokes", doc="edges")
    await workspace.apply(*({"op": "node_delete", "id": each} for each in gone), doc="edges")
    await workspace.merge(source="spokes", doc="edges", graph=True)


def around(size: int, *, grows: bool) -> Iterator[int]:
    """Caps at and around what the whole answer needs, and one that nothing fits."""
    yield from (size + ROOM, size)
    if grows:
        yield size - 1
        yield from (int(size * share) for share in SHARES)
    yield from (1, 0)


@stimulus("tasks", exercises=("TK-BUD-01", "TK-BUD-02", "TK-BUD-05", "TK-BUD-06", "TK-BUD-07", "TK-BUD-08"))
async def cap_every_read_in_bytes(bench: TasksBench) -> None:
    """Each read without a budget, then under max_chars at and around what that answer needs."""
    workspace, reads = await stocked(bench)
    for read in reads:
        whole = await workspace.call(read.tool, read.arguments)
        for cap in around(octets(whole.given), grows=read.grows):
            await workspace.call(read.tool, read.arguments, max_chars=cap)


@stimulus("tasks", exercises=("TK-BUD-03", "TK-BUD-04", "TK-BUD-05", "TK-BUD-06", "TK-BUD-08"))
async def page_every_list(bench: TasksBench) -> None:
    """Each list whole, then page by page, then under limits of one entry and of exactly as many as there are."""
    workspace, reads = await stocked(bench)
    for read in reads:
        if read.tool not in LISTS:
            continue
        whole = await workspace.call(read.tool, read.arguments, limit=ALL)
        number = len(paged(read.tool, whole.given))
        offset = 0
        for _ in range(MOST_PAGES):
            page = await workspace.call(read.tool, read.arguments, limit=PAGE, offset=offset)
            entries = len(paged(read.tool, page.given))
            offset += entries
            if not entries or offset >= number:
                break
        for limit in {1, max(number, 1)}:
            await workspace.call(read.tool, read.arguments, limit=limit)


@stimulus("tasks", exercises=("TK-BUD-03", "TK-BUD-05", "TK-BUD-06", "TK-BUD-08"))
async def cap_in_every_other_unit(bench: TasksBench) -> None:
    """Bytes of contents, lines, and the caps of single lists: at what the whole answer holds, below it, and at half."""
    workspace, reads = await stocked(bench)
    for read in reads:
        budgets = bench.contract.tools[read.tool].budgets
        knobs = [knob for knob in budgets if knob not in ("max_chars", "limit", "offset")]
        if not knobs:
            continue
        whole = await workspace.call(read.tool, read.arguments)
        for knob in knobs:
            amount = held(read.tool, knob, whole.given) or 0
            for cap in sorted({amount, amount - 1, amount // 2}):
                if cap > 0:
                    await workspace.call(read.tool, {**read.arguments, knob: cap})


@stimulus("tasks", exercises=("TK-BUD-02", "TK-BUD-07"))
async def cap_a_merge_that_is_only_tried(bench: TasksBench) -> None:
    """Merges that only say what would happen, under max_chars that fits and that nothing fits."""
    workspace = await bench.workspace()
    await workspace.conflicts("ä1", "ä2")
    await workspace.note(WIDE, branch="side")
    for graph in (False, True):
        doc = "graph" if graph else "notes"
        tried = await workspace.merge(doc=doc, graph=graph, dry_run=True)
        for cap in (octets(tried.given), 0):
            await workspace.merge(doc=doc, graph=graph, dry_run=True, max_chars=cap)


@stimulus("tasks", exercises=("TK-BUD-06",))
async def list_what_is_empty(bench: TasksBench) -> None:
    """Lists of a workspace in which nothing was written."""
    workspace = await bench.workspace()
    await workspace.call("tasks_context")
    await workspace.call("tasks_delta")
    await workspace.show()
    await workspace.query()
    await workspace.call("branchmind_graph_conflicts", into=workspace.root, doc="graph")
