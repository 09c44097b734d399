"""Budgets: caps at and around what an answer needs, over text whose characters take several bytes."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from conformance.contracts.tasks.bench import TasksBench, Workspace, edge, gone, node
from conformance.contracts.tasks.lists import LISTS, goes_on, held, paged
from conformance.drive.bench import side_by_side
from conformance.drive.parts import in_parts
from conformance.drive.stimulus import stimulus
from conformance.model.events import Json
from conformance.model.exchange import Exchange
from conformance.model.octets import octets

WIDE = "äöü €100 😀\nzweite Zeile\n" * 5 + "das Ende"
"""Each second line has characters of two to four bytes; no end of line follows the last one."""
ROOM = 64
"""More bytes than the words about a cut take."""
SHARES = (0.75, 0.45, 0.2)
"""Of what the whole answer needs: a slight cut, one to less than half, one to little."""
ALL = 100
"""Entries of the largest page asked for, where nobody says how many a page may have."""
PAGES = (2, 3)
"""Sizes of the pages that lists are read in: an entry that one of them skips another shows."""
MOST_PAGES = 12
NODES, AT_ONCE, PAGE = 120, 20, 50
"""Nodes of a long list, those of one call, and those of one page."""
EVENTS = 60
"""Of a log that is longer than a default page often is."""
LIST_CAPS = (2, 1)
"""Of two lists in one answer."""


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
    reads = [
        Read("branchmind_branch_list", {}),
        Read("tasks_context", {}),
        Read("tasks_delta", {}),
        Read("branchmind_status", {}, grows=False),
        Read("branchmind_think_template", {"type": "note"}, grows=False),
        Read("tasks_focus_get", {}, grows=False),
    ]
    with in_parts() as part:
        with part():
            task = await workspace.task(3)
            await workspace.task(1, plan=task.plan)
            await workspace.plan("Größe", contract=WIDE)
            await task.edit("Grüße", description=WIDE)
            await workspace.call("tasks_focus_set", task=task.id)
            for number in range(3):
                defined = await task.define(number, blockers=[WIDE])
                await task.note(f"{number} {WIDE}", number)
                event = defined.given.get("event") if not number and defined.accepted else None
                if isinstance(event, dict) and isinstance(event.get("event_id"), str):
                    reads.append(Read("tasks_delta", {"since": event["event_id"]}))
            reads += [Read("branchmind_export", {"target": task.id}), Read("tasks_radar", {"task": task.id})]
        with part():
            for number in range(3):
                card = {"id": f"karte-{number}", "type": "note", "title": "Ü", "text": WIDE}
                await workspace.think(card, doc="cards")
            reads.append(Read("branchmind_think_context", {"branch": root, "graph_doc": "cards"}))
        with part():
            conflicts = await workspace.conflicts("ä1", "ä2", "ä3")
            reads += [
                Read("branchmind_graph_conflicts", {"into": root, "doc": "graph"}),
                Read("branchmind_graph_conflict_show", {"conflict_id": conflicts[0]}),
            ]
        with part():
            reads += await wide_documents(workspace)
        with part():
            await dangling(workspace)
            reads.append(Read("branchmind_graph_validate", {"branch": root, "doc": "edges"}))
    return workspace, reads


async def wide_documents(workspace: Workspace) -> list[Read]:
    """Entries and nodes of wide text on two branches."""
    root = workspace.root
    await workspace.branch("leaf")
    for number in range(4):
        await workspace.note(f"{number} {WIDE}")
        await workspace.note(f"{number} {WIDE}", branch="leaf")
    for name in ("äst", "wing", "blüte"):
        await workspace.apply(node(name, text=WIDE), branch="leaf")
        await workspace.apply(node(f"{name}-own", text=WIDE))
    await workspace.apply(*(edge("äst-own", "näher", f"{name}-own") for name in ("äst", "wing", "blüte")))
    sides = {"from": root, "to": "leaf"}
    return [
        Read("branchmind_show", {"branch": root, "doc": "notes"}),
        Read("branchmind_diff", {**sides, "doc": "notes"}),
        Read("branchmind_graph_query", {"branch": root, "doc": "graph"}),
        Read("branchmind_graph_diff", {**sides, "doc": "graph"}),
    ]


async def dangling(workspace: Workspace) -> None:
    """Merges edges into a branch that has lost the nodes at their ends meanwhile."""
    ends = [f"gone-{number}" for number in range(3)]
    await workspace.apply(node("hub"), *(node(each) for each in ends), doc="edges")
    await workspace.branch("spokes")
    await workspace.apply(*(edge("hub", "näher", each) for each in ends), branch="spokes", doc="edges")
    await workspace.apply(*(gone(each) for each in ends), doc="edges")
    await workspace.merge(source="spokes", doc="edges", graph=True)


def around(size: int, *, grows: bool) -> Iterator[int]:
    """Caps at and around what the whole answer needs, and one that nothing fits."""
    yield from (size + 2 * ROOM, size)
    if grows:
        yield size - 1
        yield from (int(size * share) for share in SHARES)
    yield 0


@stimulus(
    "tasks",
    exercises=(
        *("TK-BUD-01", "TK-BUD-02", "TK-BUD-03", "TK-BUD-04", "TK-BUD-05", "TK-BUD-06", "TK-BUD-07", "TK-BUD-08"),
        "TK-ERR-BUDGET_EXCEEDED",
    ),
)
async def every_read_is_capped_and_paged(bench: TasksBench) -> None:
    """Each read without a budget, then under each budget at and around what that answer needs, then page by page."""
    workspace, reads = await stocked(bench)
    with in_parts() as part:
        for read in reads:
            with part():
                whole = await workspace.call(read.tool, read.arguments)
                if bench.offers(read.tool, "max_chars"):
                    for cap in around(octets(whole.given), grows=read.grows):
                        await workspace.call(read.tool, read.arguments, max_chars=cap)
                await cap_in_other_units(workspace, read, whole)
            if read.tool in LISTS and bench.offers(read.tool, "limit"):
                with part():
                    await page(workspace, read)


async def cap_in_other_units(workspace: Workspace, read: Read, whole: Exchange) -> None:
    """Bytes of contents, lines, and the caps of single lists: at what the whole answer holds, below it, and at half.

    Then the caps of several lists in one answer.
    """
    bench = workspace.bench
    budgets = bench.contract.tools[read.tool].budgets
    for knob in budgets:
        if knob not in ("max_chars", "limit", "offset") and bench.offers(read.tool, knob):
            amount = held(read.tool, knob, whole.given) or 0
            for cap in sorted({amount + ROOM, amount, amount - 1, amount // 2, 1}):
                if cap > 0:
                    await workspace.call(read.tool, {**read.arguments, knob: cap})
    entries = len(paged(read.tool, whole.given))
    if entries and bench.offers(read.tool, "limit"):
        # two caps at once, the one in entries being no cap here
        for knob in ("max_bytes", "max_lines", "max_chars"):
            half = (held(read.tool, knob, whole.given) or 0) // 2
            if half and knob in budgets and bench.offers(read.tool, knob):
                await workspace.call(read.tool, {**read.arguments, knob: half, "limit": entries})
    lists = [knob for knob in budgets if knob.endswith("_limit") and workspace.bench.offers(read.tool, knob)]
    for caps in (LIST_CAPS, LIST_CAPS[::-1]) if len(lists) > 1 else ():
        await workspace.call(read.tool, {**read.arguments, **dict(zip(lists, caps, strict=False))})


async def page(workspace: Workspace, read: Read) -> None:
    """Reads one list in pages: by offset where the server lists that, by its cursor else."""
    bench = workspace.bench
    largest = bench.most(read.tool) or ALL
    whole = await workspace.call(read.tool, read.arguments, limit=largest)
    number = len(paged(read.tool, whole.given))
    for size in PAGES:
        if bench.offers(read.tool, "offset"):
            await by_offset(workspace, read, size)
        if bench.offers(read.tool, "cursor"):
            await by_cursor(workspace, read, size)
    if bench.offers(read.tool, "offset"):
        for offset in {max(number - 1, 0), number, number + 5}:
            await workspace.call(read.tool, read.arguments, limit=1, offset=offset)
            await workspace.call(read.tool, read.arguments, offset=offset)
    for limit in {max(number, 1), max(number - 1, 1)}:
        await workspace.call(read.tool, read.arguments, limit=limit)


async def by_offset(workspace: Workspace, read: Read, size: int) -> None:
    """Pages of one size until one ends the list."""
    offset = 0
    for _ in range(MOST_PAGES):
        answer = await workspace.call(read.tool, read.arguments, limit=size, offset=offset)
        entries = len(paged(read.tool, answer.given))
        offset += entries
        if not entries or (entries < size and not goes_on(answer.given)):
            return


async def by_cursor(workspace: Workspace, read: Read, size: int) -> None:
    """Pages of one size, each asked for by the cursor of the one before it."""
    more: dict[str, Json] = {}
    for _ in range(MOST_PAGES):
        answer = await workspace.call(read.tool, read.arguments, limit=size, **more)
        said = answer.given.get("pagination")
        told = {**answer.given, **(said if isinstance(said, dict) else {})}
        if told.get("next_cursor") is None:
            return
        more = {"cursor": told["next_cursor"]}


@stimulus("tasks", exercises=("TK-BUD-03", "TK-BUD-04", "TK-BUD-05", "TK-SRV-02"))
async def a_long_list_is_paged(bench: TasksBench) -> None:
    """A graph of more nodes than two pages hold, of the largest size that most servers take."""
    workspace = await bench.workspace()
    for first in range(0, NODES, AT_ONCE):
        await workspace.apply(*(node(f"n{number:03}") for number in range(first, first + AT_ONCE)))
    size = min(bench.most("branchmind_graph_query") or PAGE, PAGE)
    if bench.offers("branchmind_graph_query", "limit", "offset") and size == PAGE:
        await by_offset(workspace, Read("branchmind_graph_query", {"branch": workspace.root, "doc": "graph"}), size)
        # one page across the end of the second and the beginning of the third
        await workspace.query(limit=size, offset=size + size // 2)
        # all of them at once, as far as the server takes such a page
        await workspace.query(limit=min(bench.most("branchmind_graph_query") or 2 * NODES, 2 * NODES))
    await workspace.call("branchmind_graph_validate", branch=workspace.root, doc="graph")
    await workspace.query(ids=[f"n{number:03}" for number in range(0, NODES, NODES // AT_ONCE)])


@stimulus("tasks", exercises=("TK-BUD-05", "TK-SRV-02"))
async def a_log_is_longer_than_a_default_page(bench: TasksBench) -> None:
    """More events than most servers give unasked: asked for without a limit, then in one page."""
    workspace = await bench.workspace()
    task = await workspace.task(1)
    await side_by_side(*(task.note(f"note {number}") for number in range(EVENTS)))
    if bench.offers("tasks_delta", "limit"):
        await workspace.call("tasks_delta")
        await workspace.call("tasks_delta", limit=min(bench.most("tasks_delta") or ALL, ALL))


@stimulus("tasks", exercises=("TK-BUD-02", "TK-BUD-07"))
async def cap_a_merge_that_is_only_tried(bench: TasksBench) -> None:
    """Merges that only say what would happen, under max_chars that fits and that nothing fits."""
    workspace = await bench.workspace()
    await workspace.conflicts("ä1", "ä2")
    await workspace.note(WIDE, branch="side")
    for graph in (False, True):
        doc = "graph" if graph else "notes"
        if bench.offers("branchmind_graph_merge" if graph else "branchmind_merge", "max_chars"):
            tried = await workspace.merge(doc=doc, graph=graph, dry_run=True)
            for cap in (octets(tried.given), 0):
                await workspace.merge(doc=doc, graph=graph, dry_run=True, max_chars=cap)


@stimulus("tasks", exercises=("TK-BUD-07", "TK-FLOW-02"))
async def merge_into_a_cap_that_nothing_fits(bench: TasksBench) -> None:
    """Merges of notes and of a graph under max_chars 0, with a look at the target before and after; then without."""
    workspace = await bench.workspace()
    await workspace.conflicts("a")
    await workspace.note("of the side", branch="side")
    await workspace.branch("clean")
    await workspace.note("of the clean one", branch="clean")
    await workspace.apply(node("only here"), branch="clean")
    for graph in (False, True):
        doc = "graph" if graph else "notes"
        if bench.offers("branchmind_graph_merge" if graph else "branchmind_merge", "max_chars"):
            for cap in (0, None):
                await workspace.show()
                await workspace.query()
                await workspace.merge(source="clean", doc=doc, graph=graph, **most(cap))
            await workspace.show()
            await workspace.query()


def most(cap: int | None) -> dict[str, Json]:
    """The argument that caps an answer; none where there is no cap."""
    return {} if cap is None else {"max_chars": cap}


@stimulus("tasks", exercises=("TK-BUD-06",))
async def list_what_is_empty(bench: TasksBench) -> None:
    """Lists of a workspace in which nothing was written."""
    workspace = await bench.workspace()
    await workspace.call("tasks_context")
    await workspace.call("tasks_delta")
    await workspace.show()
    await workspace.query()
    await workspace.call("branchmind_graph_conflicts", into=workspace.root, doc="graph")
